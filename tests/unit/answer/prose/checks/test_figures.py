"""Figures of another thing than the claim's."""

from __future__ import annotations

import pytest

from core.answer.prose.checks.figures import check_figures

COUNTED = "A license for 250 named users; support from 8 a.m. to 6 p.m."
VALUES = "The total contract value is $180,000. Liability of the Supplier shall not exceed $500,000."


@pytest.mark.parametrize(
    ("claim", "source"),
    [
        ("The license is for 8 named users.", COUNTED),
        ("The total contract value is $500,000.", VALUES),
        ("Liability of the Supplier shall not exceed $180,000.", VALUES),
    ],
)
def test_a_figure_of_something_else_fails(claim: str, source: str) -> None:
    assert not check_figures(claim, [source]).ok


@pytest.mark.parametrize(
    ("claim", "source"),
    [
        ("The license is for 250 named users.", COUNTED),
        ("The contract is worth $180,000.", VALUES),
        ("The Supplier is liable for at most $500,000.", VALUES),
        ("About 300 named users have a license.", "A license for 298 named users."),
        ("No figures here.", VALUES),
    ],
)
def test_a_figure_in_its_place_stands(claim: str, source: str) -> None:
    assert check_figures(claim, [source]).ok
