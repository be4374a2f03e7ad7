"""Nouns and names that mean one document where nothing says which, and fields called by their own names."""

from __future__ import annotations

import pytest

from bench.reader.marks import reading_of as marked
from core.domain.predicate import Operator
from core.plan.check.checker import is_called_so
from core.plan.check.context import CheckContext
from core.plan.clarify import Clarify
from core.plan.ir.graph_edits import PlanSteps
from core.plan.ir.nodes import Condition, Plan, Scope
from core.plan.reading import Operation, ReadCondition, ReadField, Reading, ReadName
from core.plan.reading_planner import ReadingPlanner
from tests.support.compact_readings import COLLECTION, TODAY
from tests.support.known_collection import known_collection
from tests.support.marked_reader import MarkedReader

KNOWN = known_collection()


def phrase_asked(said: str) -> str:
    """The words that are asked about; "" where a marked question has an answer."""
    planner = ReadingPlanner(COLLECTION, MarkedReader([f"lookup\t{said}"]), today=TODAY)
    found = planner.plan(marked("lookup", said, "contracts").question)
    return found.phrase if isinstance(found, Clarify) else ""


@pytest.mark.parametrize(
    ("said", "phrase"),
    [
        ("What about the contract?", "the contract"),
        ("When does the [Halden]{doc} [expire]{?expiration_date}?", "Halden"),
    ],
)
def test_words_that_mean_one_of_several_are_asked_about(said: str, phrase: str) -> None:
    assert phrase_asked(said) == phrase


@pytest.mark.parametrize(
    "said",
    [
        "What about the contracts?",
        "When do the contracts [expire]{?expiration_date}?",
        "When does the [Supply Agreement]{doc} [expire]{?expiration_date}?",
        "When does the contract [under Texas law]{=governing_law} [expire]{?expiration_date}?",
    ],
)
def test_where_something_says_which_nothing_is_asked(said: str) -> None:
    assert phrase_asked(said) == ""


@pytest.mark.parametrize(
    ("words", "name", "probability", "is_so"),
    [
        ("expiring in 2024", "", 1.0, True),
        ("over in 2024", "", 1.0, False),
        ("winding down and expiring in 2024", "", 1.0, False),
        ("expiring in 2024", "supply agreement", 0.4, False),
    ],
)
def test_a_field_may_be_called_so(words: str, name: str, probability: float, is_so: bool) -> None:
    field = ReadField(name="expiration_date", schema_name="contracts", words=words)
    days = ("2024-01-01", "2024-12-31")
    named = (ReadName(words=name, role="kind", probability=probability),) if name else ()
    reading = Reading(
        operation=Operation.LIST,
        kind="contracts",
        names=named,
        conditions=(ReadCondition(field=field, op=Operator.BETWEEN, values=days, words=words),),
        question=f"contracts {words} {name}",
        by="trained",
    )
    steps = PlanSteps()
    tested = Condition(field="expiration_date", op=Operator.BETWEEN, value=days)
    node = steps.select("Find them", Scope(schema_name="contracts"), (tested,), reason="a test")
    plan = Plan(
        question=reading.question,
        kind="aggregate",
        route="structured",
        nodes=tuple(steps.nodes),
        answer_node=node.id,
    )

    assert is_called_so(CheckContext(plan, reading, KNOWN)) is is_so
