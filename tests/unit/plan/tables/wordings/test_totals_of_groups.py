"""Conditions on what groups come to."""

from __future__ import annotations

import pytest

from core.plan.tables.query import TableOperation, TableQuery
from tests.support.table_catalogue import assembled, query


def made(question: str) -> TableQuery:
    found = assembled(question)
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("question", "operation"),
    [
        ("products with a total amount above 500", TableOperation.SUM),
        ("products with an average amount between 100 and 500", TableOperation.AVG),
        ("products with more than 500 amount in total", TableOperation.SUM),
    ],
)
def test_a_total_of_something_is_compared_for_each(question: str, operation: TableOperation) -> None:
    for found in (query(question), made(question)):
        assert found.having is not None
        assert [group.key for group in found.groups] == ["product"]
        assert (found.operation, found.clauses) == (operation, [])


def test_rows_are_compared_where_no_total_is_said_or_rows_are_asked() -> None:
    assert query("products with an amount above 500").having is None
    assert query("total amount above 500").having is None
