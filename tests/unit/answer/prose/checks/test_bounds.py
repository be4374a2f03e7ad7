"""What bounds a number."""

from __future__ import annotations

import pytest

from core.answer.prose.checks.bounds import check_bounds


@pytest.mark.parametrize(
    ("claim", "source"),
    [
        (
            "Orders of up to 500 units ship free.",
            "Orders of more than 500 units ship free.",
        ),
        (
            "Notice of 30 days is given.",
            "Notice of at least 30 days is given.",
        ),
        (
            "The pump holds half of 40 liters.",
            "The pump holds 40 liters.",
        ),
        (
            "It hires more than 40 employees.",
            "It hires 40 employees.",
        ),
    ],
)
def test_a_turned_claim_fails_and_its_source_stands(claim: str, source: str) -> None:
    assert not check_bounds(claim, [source]).ok
    assert check_bounds(source, [source]).ok
