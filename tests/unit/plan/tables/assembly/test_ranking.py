"""Superlatives: rows, groups, or the value itself."""

from __future__ import annotations

from core.plan.tables.query import TableOperation, TableQuery
from tests.support.table_catalogue import assembled


def made(question: str, at: int = 0) -> TableQuery:
    found = assembled(question, at)
    assert found is not None
    return found


def test_the_greatest_value_is_asked_for_by_itself() -> None:
    assert made("the biggest amount").operation is TableOperation.MAX


def test_the_highest_total_is_one_of_groups() -> None:
    found = made("which product has the highest total amount")
    assert ([group.key for group in found.groups], found.operation) == (["product"], TableOperation.SUM)


def test_most_often_counts_rows() -> None:
    found = made("which city ordered most often")
    assert ([group.key for group in found.groups], found.operation) == (["city"], TableOperation.COUNT)


def test_the_least_of_a_named_column_comes_first() -> None:
    found = made("which team lost least", 3)
    assert found.order is not None
    assert (found.order.key, found.order.descending) == ("l", False)


def test_an_ordinal_says_how_many_come_before() -> None:
    found = assembled("which order has the second largest amount")
    assert found is not None
    assert found.order is not None
    assert (found.order.descending, found.order.limit, found.order.skip) == (True, 1, 1)
