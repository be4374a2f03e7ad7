"""The day that a question takes for today."""

from __future__ import annotations

from datetime import date

import pytest

from core.plan.question_day import question_day

TODAY = date(2024, 11, 22)


@pytest.mark.parametrize(
    ("question", "rest", "day"),
    [
        ("Assume today is 1 June 2025. Which leases expire?", "Which leases expire?", date(2025, 6, 1)),
        ("Which contracts expire next month as of 2025-03-31?", "Which contracts expire next month ?",
         date(2025, 3, 31)),
        ("as of 31 March 2025, which contracts have ended", "which contracts have ended", date(2025, 3, 31)),
    ],
)  # fmt: skip
def test_the_words_that_set_the_day_are_left_out(question: str, rest: str, day: date) -> None:
    assert question_day(question, TODAY) == (rest, day)


@pytest.mark.parametrize(
    "question",
    [
        "Which contracts were signed on 31 March 2025?",
        "Which contracts expire next month?",
        "Assume today is bad. Which contracts expire?",
        "as of 31 March 2025",
        "",
    ],
)
def test_other_questions_are_of_today(question: str) -> None:
    assert question_day(question, TODAY) == (question, TODAY)
