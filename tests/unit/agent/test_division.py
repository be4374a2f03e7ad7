"""Texts as the whole questions that they are answered as, over the known collection."""

from __future__ import annotations

from datetime import date

import pytest

from core.agent.division import divide
from core.domain.answer import Kind, Route
from core.domain.predicate import Operator
from core.plan.clarify import Clarify
from core.plan.ir.nodes import Condition, Plan, Select
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
            "Which contracts have insurance, and which do not?",
            ("Which contracts have insurance?", "Which contracts do not have insurance?"),
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
        (
            "How many contracts lack insurance? And how many contracts are there?",
            ("How many contracts lack insurance?", "how many contracts are there?"),
        ),
        (
            "How many contracts are governed by Delaware law? How many contracts do we have in total?",
            (
                "How many contracts are governed by Delaware law?",
                "How many contracts do we have in total?",
            ),
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


@pytest.mark.parametrize(
    ("text", "second"),
    [
        ("How wide is the S-300, and how much does it weigh?", "how much does the S-300 weigh?"),
        ("What does the S-300 weigh and is it wider than 1 meter?", "is the S-300 wider than 1 meter?"),
        ("How wide is the s-300 and how heavy is it?", "how heavy is the s-300?"),
        ("Is KX-7 a model of ours, and how much does it weigh?", "how much does KX-7 weigh?"),
        ("Is there a leaflet on the Vento KX-7, and how much does it weigh?",
         "how much does the Vento KX-7 weigh?"),
    ],
)  # fmt: skip
def test_a_model_named_before_is_what_it_is(text: str, second: str) -> None:
    assert divided(text)[1:] == (second,)


@pytest.mark.parametrize(
    ("text", "second"),
    [
        ("What is the longest warranty, and how much does it weigh?", "how much does it weigh?"),
        ("Which contract has the highest value and when does it expire?", "when does it expire?"),
        ("Which of the S-300 and the S-500 is heavier and how wide is it?", "how wide is it?"),
        ("Which of the Cleaning Contract and the Supply Agreement ends first, and what is its value?",
         "what is its value?"),
        ("Is Q3 2024 covered in the plan, and how much does it weigh?", "how much does it weigh?"),
    ],
)  # fmt: skip
def test_one_thing_that_nothing_names_is_never_all_of_its_kind(text: str, second: str) -> None:
    assert divided(text)[1:] in ((second,), ())


def test_several_are_those_that_fulfil_all_that_was_said() -> None:
    text = "How many of our contracts with Halden run out before the end of 2025, and who insures them?"
    such = "contracts that name Halden Corporation and have an expiration date before 1 Jan 2026"
    assert divided(text)[1] == f"who insures {such}?"


@pytest.mark.parametrize(
    ("text", "questions"),
    [
        (
            "How many invoices and contracts are there?",
            ("How many invoices are there?", "How many contracts are there?"),
        ),
        (
            "How many contracts have insurance and how many do not?",
            ("How many contracts have insurance?", "How many contracts do not have insurance?"),
        ),
        (
            "Which contracts lack insurance, and which one is worth most?",
            (
                "Which contracts lack insurance",
                "Which of the contracts that lack insurance is worth most?",
            ),
        ),
    ],
)
def test_the_second_half_keeps_what_the_first_is_about(text: str, questions: tuple[str, ...]) -> None:
    assert divided(text) == questions


def test_somebody_in_a_row_is_meant_by_the_pronoun_of_the_next_question() -> None:
    condition = Condition(field="pet", op=Operator.EQUAL, value="Rex")
    node = Select(id="s", purpose="p", of="rows", conditions=(condition,), columns=("Visits.Pet",))
    of_rex = Plan(question="q", kind=Kind.AGGREGATE, route=Route.STRUCTURED, nodes=(node,), answer_node="s")

    def plan(question: str) -> Plan | Clarify:
        vague = Clarify(type="vague", question=question, reason="?")
        return of_rex if question.startswith("how often") else vague

    text = "how often was Rex there, and what did his visits cost altogether?"
    assert divide(text, plan, lambda asked: read_over(CATALOGUE, asked), CATALOGUE) == (
        "how often was Rex there",
        "what did Rex's visits cost altogether?",
    )


def test_questions_behind_the_name_of_a_document_are_all_of_that() -> None:
    title = CATALOGUE.documents[0].title
    assert divided(f"{title}: when does it end and who signed it?") == (
        f"{title}: when does it end?",
        f"{title}: who signed it?",
    )


@pytest.mark.parametrize(
    ("text", "second"),
    [
        ("Who hosts for Halden, and until when does it run?", "until when does it run?"),
        ("Who cleans for Halden and when does it expire?", "when does it expire?"),
        ("Who hosts for Halden, and is it still in force?", "is it still in force?"),
        ("Who hosts for Halden, and where is it based?", "where is Halden based?"),
    ],
)
def test_what_runs_and_expires_is_the_document_that_the_first_half_finds(text: str, second: str) -> None:
    assert divided(text)[-1] == second
