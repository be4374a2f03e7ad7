"""Texts as the whole questions that they are answered as, over the known collection."""

from __future__ import annotations

from datetime import date

import pytest

from core.agent.division import divide
from core.plan.language.interpretation import read_over
from core.plan.planner import RulePlanner
from tests.support.known_collection import known_collection

CATALOGUE = known_collection()
PLANNER = RulePlanner(CATALOGUE, None, date(2024, 11, 22))


def divided(text: str) -> tuple[str, ...]:
    return divide(text, PLANNER.plan, lambda asked: read_over(CATALOGUE, asked), CATALOGUE)


@pytest.mark.parametrize(
    ("text", "questions"),
    [
        (
            "Does the cleaning contract have a force majeure clause, and who won the cup?",
            (
                "Does the cleaning contract have a force majeure clause",
                "who won the cup in the cleaning contract?",
            ),
        ),
        (
            "How many contracts lack insurance and what is their total value?",
            (
                "How many contracts lack insurance",
                "what is the total value of contracts that lack insurance?",
            ),
        ),
        (
            "Which contracts lack force majeure and which of them are with Halden?",
            (
                "Which contracts lack force majeure",
                "which contracts that lack force majeure are with Halden?",
            ),
        ),
        (
            "How many contracts have insurance? What is the total of all invoices?",
            ("How many contracts have insurance?", "What is the total of all invoices?"),
        ),
    ],
)
def test_several_questions_become_whole_ones(text: str, questions: tuple[str, ...]) -> None:
    assert divided(text) == questions


@pytest.mark.parametrize(
    "text",
    [
        "Which contracts have insurance and have force majeure?",
        "How many contracts lack insurance, and which are they?",
        "When does the cleaning contract expire and what is its governing law?",
        "Which contracts lack insurance?",
    ],
)
def test_what_one_plan_answers_stays_one(text: str) -> None:
    assert divided(text) == ()


def test_both_halves_are_there_where_the_whole_plan_has_only_one() -> None:
    found = divided("When does the cleaning contract expire and what is the width of the S-300?")
    assert found == ("When does the cleaning contract expire", "what is the width of the S-300?")
