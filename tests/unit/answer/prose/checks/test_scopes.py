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


def test_every_party_is_not_said_of_one() -> None:
    source = "The liability of the Supplier shall not exceed $500 per incident."
    claim = "Each party's liability shall not exceed $500 per incident."
    assert not check_scopes(align(claim, [source]), claim, [source]).ok
    assert check_scopes(align(claim, [claim]), claim, [claim]).ok


def test_one_alone_is_not_said_where_nobody_is_kept_out() -> None:
    source = "The tenant may end this lease on ninety days' notice."
    for claim in ("Only the tenant may end this lease.", "The tenant alone may end this lease."):
        assert not check_scopes(align(claim, [source]), claim, [source]).ok
