"""Conditions out of the texts, flags, numbers and days that questions over an invented table name."""

from __future__ import annotations

import pytest

from core.domain.fields import FieldType
from core.domain.predicate import Operator
from core.plan.catalogue import ColumnEntry, TableEntry
from core.plan.tables.clauses import flag_clause, said_of
from core.plan.tables.header import columns_of
from core.plan.tables.query import ColumnFilter
from tests.support.table_catalogue import numbers, query, texts, vocabulary


def conditions(question: str, at: int = 0) -> list[str]:
    """Each clause in words; a bar stands between conditions of which one must hold."""
    return [" | ".join(said_of(each) for each in clause) for clause in query(question, at).clauses]


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("orders of Oak panel", ["Product is Oak panel"]),
        ("cancelled orders of Oak panel", ["Status is cancelled", "Product is Oak panel"]),
        ("orders of Oak panel or Steel beam", ["Product is one of Oak panel or Steel beam"]),
        ("orders that are not cancelled", ["Status is not cancelled"]),
        ("orders except Oak panel and Steel beam", ["Product is not Oak panel", "Product is not Steel beam"]),
        ("order 1004", ["Order No is 1004"]),
    ],
)
def test_texts_that_are_named_are_conditions_on_their_columns(question: str, said: list[str]) -> None:
    assert conditions(question) == said


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("express orders", ["Express is yes"]),
        ("orders that are not express", ["Express is no"]),
        ("open orders", ["Closed is not stated"]),
    ],
)
def test_flags_say_yes_no_or_that_a_day_is_missing(question: str, said: list[str]) -> None:
    assert conditions(question) == said


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("orders above 500 euros", ["Amount (EUR) above 500.00 EUR"]),
        ("orders of at most 500 EUR", ["Amount (EUR) at most 500.00 EUR"]),
        ("orders not over 500 euros", ["Amount (EUR) at most 500.00 EUR"]),
        ("orders between 100 and 900 euros", ["Amount (EUR) between 100 EUR and 900.00 EUR"]),
        ("orders with a quantity of more than 5", ["Qty above 5"]),
        ("orders above the average amount", ["Amount (EUR) above the average"]),
    ],
)
def test_numbers_are_compared_with_their_column(question: str, said: list[str]) -> None:
    assert conditions(question) == said


def test_a_number_that_nothing_compares_is_the_value_of_the_column_beside_it() -> None:
    assert conditions("discount of 5", 4) == ["Discount is 5"]
    assert conditions("bills with a discount over 3%", 4) == ["Discount above 3"]


def test_a_number_of_rows_is_a_condition_on_groups() -> None:
    found = query("products with more than 2 orders")
    assert found.clauses == []
    assert found.having is not None
    assert (found.having.op, found.having.values) == (Operator.GREATER, ("2",))


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("orders in May 2024", ["Order Date between 2024-05-01 and 2024-05-31"]),
        ("orders not in May", ["Order Date below 2024-05-01 | Order Date above 2024-05-31"]),
        ("orders from March through May 2024", ["Order Date between 2024-03-01 and 2024-05-31"]),
        (
            "orders in March or April 2024",
            ["Order Date between 2024-03-01 and 2024-03-31 | Order Date between 2024-04-01 and 2024-04-30"],
        ),
    ],
)
def test_days_are_conditions_on_the_first_column_of_days(question: str, said: list[str]) -> None:
    assert conditions(question) == said


def test_a_column_of_days_that_is_taken_for_another_is_in_doubt() -> None:
    assert query("orders in May 2024").doubt > 0
    assert query("orders with an order date in May 2024").doubt == 0


def test_a_currency_chooses_amounts_only_where_there_are_several() -> None:
    assert conditions("net amount in USD", 4) == ["Net amount is USD"]
    assert conditions("bills not in USD", 4) == ["Net amount is not USD"]
    assert conditions("total amount in euros") == []


def test_a_part_that_several_names_share_is_asked_about() -> None:
    assert query("aldo bills", 4).ambiguous == ("aldo", ("Aldo Steel", "Aldo Tools"))


def test_what_money_is_spent_on_is_no_part_of_a_name() -> None:
    assert query("spent on aldo", 4).uncovered == ["aldo"]


def test_a_filter_is_said_in_words() -> None:
    column = vocabulary(0).columns[6]
    many = ColumnFilter(column, Operator.IN, ("open", "shipped"))
    assert said_of(many) == "Status is one of open or shipped"
    assert said_of(ColumnFilter(column, Operator.MISSING)) == "Status is not stated"
    assert said_of(ColumnFilter(column, Operator.LESS, average="median")) == "Status below the median"


def test_yes_and_no_are_those_that_the_column_writes() -> None:
    entries = (
        texts("Paid", 4, "Y", "true", "n"),
        texts("Sent", 4, "yes"),
        ColumnEntry("Seen", FieldType.BOOLEAN, rows=4),
        numbers("Qty", 4, "3"),
    )
    paid, sent, seen, other = columns_of(TableEntry(entries, ("d",), rows=4))
    assert flag_clause(paid, True) == (ColumnFilter(paid, Operator.IN, ("Y", "true")),)
    assert flag_clause(paid, False) == (ColumnFilter(paid, Operator.EQUAL, ("n",)),)
    assert flag_clause(sent, False) == (ColumnFilter(sent, Operator.NOT_EQUAL, ("yes",)),)
    assert flag_clause(seen, False) == (ColumnFilter(seen, Operator.EQUAL, ("false",)),)
    assert flag_clause(other, True) is None
