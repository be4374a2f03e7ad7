"""Queries that are assembled of words wherever they stand."""

from __future__ import annotations

import pytest

from core.plan.tables.query import TableOperation, TableQuery
from tests.support.table_catalogue import assembled


def made(question: str, at: int = 0) -> TableQuery:
    found = assembled(question, at)
    assert found is not None
    return found


def test_the_mean_of_counts_is_over_what_is_counted_for() -> None:
    found = made("how many orders does a customer place on average")
    assert (found.operation, found.over_groups) == (TableOperation.COUNT, "average")
    assert [group.key for group in found.groups] == ["customer", "name"]


def test_more_than_twice_is_a_condition_on_groups() -> None:
    found = made("products ordered more than twice")
    assert found.having is not None
    assert (found.having.values, [group.key for group in found.groups]) == (("2",), ["product"])


@pytest.mark.parametrize(
    ("question", "number"),
    [
        ("customers with more than one order", "1"),
        ("customers with at least 2 orders", "2"),
        ("customers with two or more orders", "2"),
    ],
)
def test_a_number_of_rows_is_a_condition_on_groups(question: str, number: str) -> None:
    found = made(question)
    assert found.having is not None
    assert found.having.values == (number,)
    assert (found.clauses, found.uncovered) == ([], [])


def test_an_amount_is_a_condition_on_rows() -> None:
    assert made("orders of more than 2000 euros").having is None


def test_codes_come_with_the_names_of_the_table_that_they_are_looked_up_in() -> None:
    found = made("who placed order 1003")
    assert [column.entry.name for column in found.shown] == ["Name", "Customer"]
    assert [used.how for used in found.used] == ["with"]


@pytest.mark.parametrize("question", ["amount of every product", "total amount per product"])
def test_a_result_for_each_is_grouped(question: str) -> None:
    found = made(question)
    assert (found.operation, [group.key for group in found.groups]) == (TableOperation.SUM, ["product"])


def test_a_table_of_which_nothing_is_asked_is_no_query() -> None:
    assert assembled("hello world") is None


def test_values_that_come_again_are_listed_once_each() -> None:
    found = made("on which order date was Brandt Holz served")
    assert found.lists_values
    assert [group.key for group in found.groups] == ["order date"]


def test_values_are_listed_of_a_question_without_a_word_that_asks() -> None:
    assert made("Brandt Holz order date").lists_values is False
