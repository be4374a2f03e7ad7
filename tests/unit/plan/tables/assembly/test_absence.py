"""What is not there, in columns and in other tables."""

from __future__ import annotations

import pytest

from core.plan.tables.query import TableOperation, TableQuery
from tests.support.table_catalogue import assembled


def made(question: str, at: int = 0) -> TableQuery:
    found = assembled(question, at)
    assert found is not None
    return found


@pytest.mark.parametrize(
    "question", ["orders not closed", "which orders are still going on", "orders that nobody closed"]
)
def test_nothing_stands_in_the_column_with_gaps(question: str) -> None:
    (clause,) = made(question).clauses
    assert [(each.column.entry.name, each.op.value) for each in clause] == [("Closed", "is-missing")]


def test_rows_may_have_none_of_another_table() -> None:
    found = made("which customers have never placed an order", 1)
    assert [used.how for used in found.used] == ["without"]
    assert found.uncovered == []


def test_rows_without_others_are_counted() -> None:
    found = made("how many customers have no orders", 1)
    assert (found.operation, [used.how for used in found.used]) == (TableOperation.COUNT, ["without"])


def test_whether_or_not_leaves_nothing_out() -> None:
    assert made("the biggest amount, whether shipped or not").clauses == []
