"""Only, all, always."""

from __future__ import annotations

import pytest

from core.answer.prose.checks.align import align
from core.answer.prose.checks.scopes import check_scopes


@pytest.mark.parametrize(
    ("claim", "source"),
    [
        (
            "The filter fits only the pump P9.",
            "The filter fits the pump P9.",
        ),
        (
            "The key shall be used by staff.",
            "The key shall only be used by staff.",
        ),
    ],
)
def test_a_turned_claim_fails_and_its_source_stands(claim: str, source: str) -> None:
    assert not check_scopes(align(claim, [source]), claim, [source]).ok
    assert check_scopes(align(source, [source]), source, [source]).ok
