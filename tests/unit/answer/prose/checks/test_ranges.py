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


TERM = "The term begins on July 1, 2023 and ends on June 30, 2025."


@pytest.mark.parametrize("claim", ["The term ends on July 1, 2023.", "It commences on June 30, 2025."])
def test_an_end_at_the_date_of_a_beginning_fails(claim: str) -> None:
    assert not check_ranges(claim, [TERM]).ok


@pytest.mark.parametrize("claim", ["It starts on 1 July 2023.", "It expires on June 30, 2025.", TERM])
def test_events_at_their_dates_stand(claim: str) -> None:
    assert check_ranges(claim, [TERM]).ok
