"""Which reading of a question over rows is taken where one of them finds nothing."""

from __future__ import annotations

from core.agent.execution_guidance import SECOND_READING, reading_with_rows
from core.plan.ir.nodes import Plan
from tests.support.table_catalogue import planned


def plan(question: str) -> Plan:
    found = planned(question)
    assert isinstance(found, Plan)
    return found


SHIPPED, CANCELLED, ALL = plan("orders shipped"), plan("orders cancelled"), plan("how many orders are there?")


def test_a_reading_that_finds_rows_stays() -> None:
    assert reading_with_rows(SHIPPED, (CANCELLED,), lambda _: 3) is SHIPPED


def test_where_no_row_fulfils_it_the_next_that_has_some_is_taken_and_says_so() -> None:
    found = reading_with_rows(SHIPPED, (CANCELLED,), lambda each: 0 if each is SHIPPED else 2)
    assert found.nodes == CANCELLED.nodes
    assert found.uncovered == (SHIPPED.question,)
    assert [(note.reading, note.confidence < 0.6) for note in found.notes[-1:]] == [(SECOND_READING, True)]


def test_where_none_has_rows_the_likeliest_stays() -> None:
    assert reading_with_rows(SHIPPED, (CANCELLED,), lambda _: 0) is SHIPPED


def test_rows_without_a_condition_are_no_other_reading() -> None:
    assert reading_with_rows(SHIPPED, (ALL,), lambda each: 0 if each is SHIPPED else 6) is SHIPPED
