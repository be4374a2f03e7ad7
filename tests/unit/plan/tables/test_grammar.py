"""Days and roundings that any table may be asked for."""

from __future__ import annotations

from datetime import date

import pytest

from core.plan.language.pieces import DayRange, Filler, tokens_of
from core.plan.tables.grammar import grammar_of

TODAY = date(2024, 11, 22)


@pytest.mark.parametrize(
    ("question", "first"),
    [
        ("bills after the 15th of March", date(2024, 3, 16)),
        ("bills since 3 May", date(2024, 5, 3)),
        ("bills on June 7th", date(2024, 6, 7)),
    ],
)
def test_a_day_without_a_year_is_a_period(question: str, first: date) -> None:
    periods = [e.mention for e in grammar_of(question, tokens_of(question), TODAY)]
    assert first in [each.first for each in periods if isinstance(each, DayRange)]


def test_a_rounding_asks_for_nothing() -> None:
    question = "the mean to two decimals"
    fillers = [e for e in grammar_of(question, tokens_of(question), TODAY) if isinstance(e.mention, Filler)]
    assert (2, 5) in [(each.first, each.end) for each in fillers]
