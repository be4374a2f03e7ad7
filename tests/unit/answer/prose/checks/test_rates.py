"""Periods of rates, percent and points."""

from __future__ import annotations

import pytest

from core.answer.prose.checks.rates import check_rates


@pytest.mark.parametrize(
    ("claim", "source"),
    [
        (
            "Margins rose by 2 percentage points.",
            "Margins rose by 2%.",
        ),
        (
            "The share fell 3%.",
            "The share fell 3 percentage points.",
        ),
        (
            "The rate rose 0.5%.",
            "The rate rose 50 basis points.",
        ),
        (
            "The rent is $900 per year.",
            "The rent is $900 per month.",
        ),
        (
            "The yearly rent is $900.",
            "The monthly rent is $900.",
        ),
        (
            "A late fee of $10 per week is due.",
            "A late fee of $10 per day is due. Reports are made each week.",
        ),
        (
            "The charge is $4 per user.",
            "The charge is $4 per unit.",
        ),
    ],
)
def test_a_turned_claim_fails_and_its_source_stands(claim: str, source: str) -> None:
    assert not check_rates(claim, [source]).ok
    assert check_rates(source, [source]).ok
