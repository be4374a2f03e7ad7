"""Groups and orders of questions over invented tables."""

from __future__ import annotations

import pytest

from tests.support.table_catalogue import query


def order(question: str, at: int = 0) -> tuple[str, bool, int | None, int]:
    """The column that rows are ordered by ("" for none), whether down, how many, and behind how many."""
    found = query(question, at).order
    assert found is not None
    name = found.column.entry.name if found.column is not None else ""
    return name, found.descending, found.limit, found.skip


def groups(question: str, at: int = 0) -> list[str]:
    return [group.key for group in query(question, at).groups]


@pytest.mark.parametrize(
    ("question", "keys"),
    [
        ("amount per product", ["product"]),
        ("amount by product and status", ["product", "status"]),
        ("orders per month", ["order date.month"]),
        ("amount for each quarter", ["order date.quarter"]),
        ("points for each team", ["team"]),
    ],
)
def test_results_are_asked_for_each_of_a_column(question: str, keys: list[str]) -> None:
    assert groups(question, 3 if "team" in question else 0) == keys


def test_a_quotient_of_columns_is_no_group() -> None:
    found = query("amount per qty")
    assert found.groups == []
    assert found.uncovered == ["per qty"]


def test_a_column_of_numbers_behind_by_orders() -> None:
    found = query("orders by amount")
    assert found.groups == []
    assert order("orders by amount") == ("Amount (EUR)", True, None, 0)


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("top 5 orders by amount", ("Amount (EUR)", True, 5, 0)),
        ("the 3 orders with the lowest amount", ("Amount (EUR)", False, 3, 0)),
        ("the second highest amount", ("Amount (EUR)", True, 1, 1)),
        ("the latest order", ("Order Date", True, 1, 0)),
        ("the earliest order", ("Order Date", False, 1, 0)),
        ("orders sorted by order date", ("Order Date", False, None, 0)),
        ("orders sorted by amount", ("Amount (EUR)", True, None, 0)),
    ],
)
def test_an_extreme_is_an_order_with_a_limit(question: str, expected: tuple[str, bool, int, int]) -> None:
    assert order(question) == expected


@pytest.mark.parametrize(
    ("question", "down", "limit"),
    [
        ("best team by position", False, 1),
        ("the best three teams by pos", False, 3),
        ("worst team by position", True, 1),
        ("top 2 teams by pos", False, 2),
        ("teams sorted by pos", False, None),
    ],
)
def test_the_best_of_all_stands_at_the_first_place(question: str, down: bool, limit: int | None) -> None:
    assert order(question, 3) == ("Pos", down, limit, 0)
    assert groups(question, 3) == []


def test_an_extreme_without_a_column_is_ranked_by_the_chief_amount_in_doubt() -> None:
    found = query("the 5 largest orders")
    assert order("the 5 largest orders") == ("Amount (EUR)", True, 5, 0)
    assert found.doubt > 0


def test_groups_are_ordered_by_their_value() -> None:
    assert order("Which two products have the highest amount?") == ("", True, 2, 0)
    assert groups("Which two products have the highest amount?") == ["product"]


def test_one_of_two_sides_is_the_first_of_them() -> None:
    assert order("Which has more amount, Oak panel or Steel beam?") == ("", True, 1, 0)
    assert order("Which has less amount, Oak panel or Steel beam?") == ("", False, 1, 0)


def test_a_rank_is_a_condition_on_the_column_of_places() -> None:
    found = query("Which team is third?", 3)
    assert found.order is None
    assert [(each.column.entry.name, each.values) for clause in found.clauses for each in clause] == [
        ("Pos", ("3",))
    ]


def test_without_a_column_of_places_a_rank_is_where_the_row_stands() -> None:
    assert order("Who is the third customer?", 1) == ("", False, 1, 2)
