"""Which reading of a question over rows is taken where one of them finds nothing."""

from __future__ import annotations

from core.agent.execution_guidance import SECOND_READING, reading_with_rows
from tests.support.compact_readings import TABLES, plan_of, read

SHIPPED = plan_of(read("list", is_rows=True, where=["Status = shipped"], question="orders shipped"), TABLES)
CANCELLED = plan_of(read("list", is_rows=True, where=["Status = cancelled"]), TABLES)
ALL = plan_of(read("count", is_rows=True, tables=["d1|0"]), TABLES)


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
