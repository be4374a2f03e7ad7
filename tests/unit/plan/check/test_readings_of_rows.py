"""Right readings of rows, whose words deny, or order, what cells and days say otherwise."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from typing import Any

import pytest

from core.domain.fields import FieldType
from core.domain.predicate import Operator
from core.plan.catalogue import ColumnEntry, TableEntry, TablePart
from core.plan.check.checker import PlanVerdict, check
from core.plan.compile.compiler import compile_reading
from core.plan.compile.context import CompileContext
from core.plan.reading import Operation, ReadCondition, ReadField, Reading, ReadOrder
from tests.support.known_collection import known_collection

TODAY = date(2026, 11, 22)
VISITS = TableEntry(
    (
        ColumnEntry("Patient", FieldType.TEXT, texts=("P1", "P2"), rows=20),
        ColumnEntry("Outcome", FieldType.TEXT, texts=("Seen", "No show", "DNA", "missing"), rows=20),
        ColumnEntry("Since", FieldType.DATE, rows=20),
        ColumnEntry("Fee", FieldType.NUMBER, rows=20),
        ColumnEntry("No", FieldType.TEXT, texts=("[x]",), rows=6),
    ),
    ("d08",),
    "contracts",
    20,
    (TablePart("d08", 1, "Visits"),),
)
COLLECTION = replace(
    known_collection(),
    fingerprint="rows",
    tables=(VISITS,),
    columns=("Patient", "Outcome", "Since", "Fee", "No"),
)


def judged(question: str, **parts: Any) -> PlanVerdict:
    reading = Reading(by="model", question=question, tables=(VISITS.parts[0].name,), probability=0.9, **parts)
    return check(compile_reading(reading, CompileContext(COLLECTION, TODAY)), reading, COLLECTION)


def counted(question: str, field: str, op: Operator, *values: str, words: str) -> PlanVerdict:
    condition = ReadCondition(field=ReadField(name=field), op=op, values=values, words=words)
    return judged(question, operation=Operation.COUNT, conditions=(condition,))


def problems(verdict: PlanVerdict) -> list[str]:
    return [each.name for each in verdict.problems]


@pytest.mark.parametrize(
    ("question", "value", "words"),
    [
        ("How many patients were a no show?", "No show", "a no show"),
        ("How many patients didn't turn up?", "DNA", "didn't turn up"),
        ("How many patients have gone missing?", "missing", "gone missing"),
    ],
)
def test_a_cell_may_say_the_negation(question: str, value: str, words: str) -> None:
    found = counted(question, "Outcome", Operator.EQUAL, value, words=words)
    assert "lost_negation" not in problems(found)


def test_a_column_may_be_called_by_the_negation() -> None:
    found = counted("How many patients are marked No?", "No", Operator.EQUAL, "[x]", words="marked No")
    assert "lost_negation" not in problems(found)


def test_nothing_is_an_amount_of_nought() -> None:
    found = counted("Who came away with nothing?", "Fee", Operator.EQUAL, "0", words="came away with nothing")
    assert "lost_negation" not in problems(found)


def test_one_phrase_may_deny_all_of_its_alternatives() -> None:
    words = "lacking a sign-off"
    parts = (
        ReadCondition(field=ReadField(name=name), op=Operator.MISSING, words=words, either=1)
        for name in ("Since", "Fee")
    )
    found = judged(
        "How many visits are lacking a sign-off?", operation=Operation.COUNT, conditions=tuple(parts)
    )
    assert "carried_negation" not in problems(found)


def test_a_negation_beside_the_cell_is_not_lost() -> None:
    found = counted("How many patients were not Seen?", "Outcome", Operator.EQUAL, "Seen", words="not Seen")
    assert "lost_negation" in problems(found)


def test_the_days_of_a_range_share_its_month() -> None:
    words = "between 1 and 15 September 2023"
    days = ("2023-09-01", "2023-09-15")
    found = counted(f"How many patients came {words}?", "Since", Operator.BETWEEN, *days, words=words)
    assert "invented_value" not in problems(found)


def test_a_day_that_is_not_said_is_invented() -> None:
    words = "between 1 and 15 September 2023"
    days = ("2023-09-01", "2023-09-25")
    found = counted(f"How many patients came {words}?", "Since", Operator.BETWEEN, *days, words=words)
    assert "invented_value" in problems(found)


def test_who_is_there_longest_came_first() -> None:
    order = ReadOrder(field=ReadField(name="Since"), descending=False, limit=1, words="longest")
    found = judged("Which patient is here longest?", operation=Operation.RANK, order=order)
    assert "turned_order" not in problems(found)
