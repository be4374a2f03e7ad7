"""Periods reckoned from another day, and words that say that something is over."""

from __future__ import annotations

from datetime import date

import pytest

from core.plan.language.pieces import DayRange
from core.plan.language.reading.dates import find_periods, is_permitted, says_over

TODAY = date(2026, 11, 24)


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("ending within six months of the start of 2025", date(2025, 1, 1), date(2025, 7, 1)),
        ("within 3 months of 1 March 2025", date(2025, 3, 1), date(2025, 6, 1)),
        ("within 2 months after the end of 2024", date(2024, 12, 31), date(2025, 2, 28)),
        ("within two weeks before 15 May 2025", date(2025, 5, 1), date(2025, 5, 15)),
    ],
)
def test_a_length_of_time_and_its_day_are_one_period(text: str, first: date, last: date) -> None:
    assert [found[2] for found in find_periods(text, TODAY)] == [DayRange(first, last)]


def test_a_length_of_time_from_today_stays() -> None:
    (found,) = find_periods("ending within six months of today", TODAY)
    assert (found[2].first, found[2].last) == (TODAY, date(2027, 5, 24))


@pytest.mark.parametrize(
    ("text", "question", "is_over"),
    [
        ("run out", "certificates that have run out", True),
        ("have run out", "certificates that have run out", True),
        ("ended already", "leases that ended already", True),
        ("already lapsed", "which warranties have already lapsed", True),
        ("run out", "in which order do certificates run out", False),
        ("run out in 2025", "certificates that have run out in 2025", False),
        ("expire", "which contracts expire", False),
    ],
)
def test_words_in_the_perfect_say_that_something_is_over(text: str, question: str, *, is_over: bool) -> None:
    assert says_over(text, question) is is_over


@pytest.mark.parametrize(
    ("text", "question", "expected"),
    [
        ("ended", "Which of the deals can be ended without a reason?", True),
        ("terminated", "Which leases may at any time be terminated?", True),
        ("can be ended", "Which deals can be ended?", True),
        ("end", "Which deals allow us to end them?", True),
        ("end", "Which leases let the tenant end them?", True),
        ("end", "Which leases can either party end?", True),
        ("end", "Which leases give us the right to end them?", True),
        ("ended", "Which deals have ended?", False),
        ("expired", "Which deals could have expired?", False),
        ("expired", "Which deals that have expired can be renewed?", False),
        ("end", "Which leases can end?", False),
        ("end", "When may the lease end?", False),
    ],
)
def test_a_permission_to_end_something_says_nothing_of_its_last_day(
    text: str, question: str, expected: bool
) -> None:
    assert is_permitted(text, question) is expected
    assert not (expected and says_over(text, question))
