"""Operations of questions over invented tables: what is computed, of which column, and what is shown."""

from __future__ import annotations

import pytest

from core.plan.tables.query import TableOperation
from tests.support.table_catalogue import query


def operation(question: str, at: int = 0) -> tuple[str, str]:
    """The operation with the column that it is of."""
    found = query(question, at)
    return found.operation.value, found.measure.entry.name if found.measure is not None else ""


def shown(question: str, at: int = 0) -> list[str]:
    found = query(question, at)
    assert found.operation is TableOperation.ROWS
    return [column.entry.name for column in found.shown]


@pytest.mark.parametrize(
    ("question", "computed"),
    [
        ("total amount", ("sum", "Amount (EUR)")),
        ("What is the average amount?", ("avg", "Amount (EUR)")),
        ("What is the median quantity?", ("median", "Qty")),
        ("What is the highest amount?", ("max", "Amount (EUR)")),
        ("What is the lowest amount?", ("min", "Amount (EUR)")),
        ("How much was paid?", ("sum", "Amount (EUR)")),
        ("the average of the five highest amounts", ("avg", "Amount (EUR)")),
    ],
)
def test_a_function_is_computed_of_the_column_that_is_named(question: str, computed: tuple[str, str]) -> None:
    assert operation(question) == computed


@pytest.mark.parametrize(
    ("question", "computed"),
    [
        ("How many orders are there?", ("count", "")),
        ("How many orders were cancelled?", ("count", "")),
        ("How many shipped orders are there?", ("count", "")),
        ("How many shipped orders of Oak panel are there?", ("count", "")),
        ("How many different products are there?", ("distinct", "Product")),
        ("How many pieces of Oak panel were ordered?", ("sum", "Qty")),
    ],
)
def test_how_many_counts_rows_or_texts_or_adds_up_numbers(question: str, computed: tuple[str, str]) -> None:
    assert operation(question) == computed


def test_a_column_of_numbers_that_is_counted_for_one_row_is_its_value() -> None:
    assert operation("How many points does Rovers have?", 3) == ("sum", "Pts")


def test_yes_or_no_is_asked_of_some_rows_or_of_all() -> None:
    assert operation("Did any order exceed 500 euros?")[0] == "exists"
    assert operation("Are all orders shipped?")[0] == "all"


def test_a_measure_that_is_only_guessed_is_in_doubt_and_noted() -> None:
    found = query("total")
    assert found.doubt > 0
    assert [note.reading for note in found.notes if not note.phrase] == [
        "computed with Amount (EUR), since nothing else is named"
    ]
    assert query("total amount").doubt == 0


def test_of_several_measures_that_may_be_meant_it_is_asked_which() -> None:
    found = query("What is the total of Rovers?", 3)
    assert found.ambiguous == ("the sum of what", ("W", "L", "Pts"))


def test_amounts_for_each_group_are_added_up_and_rates_are_averaged() -> None:
    assert operation("amount per product") == ("sum", "Amount (EUR)")
    assert operation("discount per vendor", 4) == ("avg", "Discount")
    assert operation("orders per month") == ("count", "")


def test_an_average_of_counts_is_taken_over_the_groups() -> None:
    found = query("average number of orders per customer")
    assert found.operation is TableOperation.COUNT
    assert found.over_groups == "average"


def test_groups_are_counted_where_the_question_counts_them() -> None:
    assert query("How many products have at least two orders?").over_groups == "groups"
    assert query("products with at least two orders").over_groups == ""


def test_what_has_several_rows_is_ranked_by_what_these_come_to() -> None:
    found = query("Which product has the highest amount?")
    assert [group.key for group in found.groups] == ["product"]
    assert operation("Which product has the highest amount?") == ("sum", "Amount (EUR)")
    assert operation("most often ordered product") == ("count", "")


def test_a_row_is_shown_with_the_columns_that_are_asked() -> None:
    assert shown("What is the status of order 1004?") == ["Status"]
    assert shown("status and product of order 1004") == ["Status", "Product"]
    assert shown("List all orders") == []


def test_who_and_when_show_persons_and_days() -> None:
    assert shown("Who placed order 1004?") == ["Customer"]
    assert shown("When was order 1004 placed?") == ["Order Date"]
    assert shown("Who won the most?", 3) == ["Team"]


def test_what_comes_again_is_listed_once() -> None:
    found = query("which products were ordered?")
    assert found.operation is TableOperation.COUNT
    assert [group.key for group in found.groups] == ["product"]
    assert found.shown == []
