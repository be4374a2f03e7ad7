"""Ends of ranges and changes."""

from __future__ import annotations

import pytest

from core.answer.prose.checks.ranges import check_ranges


@pytest.mark.parametrize(
    ("claim", "source"),
    [
        (
            "Revenue rose from $10 million to $5 million.",
            "Revenue rose from $5 million to $10 million.",
        ),
        (
            "Headcount grew to 40 from 60.",
            "Headcount grew from 40 to 60.",
        ),
        (
            "Set the dial from 10 to 5.",
            "Set the dial from 5 to 10.",
        ),
    ],
)
def test_a_turned_claim_fails_and_its_source_stands(claim: str, source: str) -> None:
    assert not check_ranges(claim, [source]).ok
    assert check_ranges(source, [source]).ok
