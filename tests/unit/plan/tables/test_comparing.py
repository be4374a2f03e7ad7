"""Sides of questions over invented tables: differences, shares, and rows beside another."""

from __future__ import annotations

import pytest

from tests.support.table_catalogue import query


def sides(question: str, at: int = 0) -> tuple[str, list[tuple[str, str, str]]]:
    """The operation, and of each side its label, its computation and its column."""
    found = query(question, at)
    told = [
        (
            side.label,
            side.operation.value if side.operation is not None else "",
            side.measure.entry.name if side.measure is not None else "",
        )
        for side in found.sides
    ]
    return found.operation.value, told


def test_two_texts_of_a_column_are_two_sides() -> None:
    assert sides("How much more amount for Oak panel than for Steel beam?") == (
        "gap",
        [("Oak panel", "sum", "Amount (EUR)"), ("Steel beam", "sum", "Amount (EUR)")],
    )


def test_filters_of_the_sides_are_none_of_the_whole() -> None:
    found = query("difference between shipped and cancelled amount of Oak panel")
    assert [[each.values for each in clause] for clause in found.clauses] == [[("Oak panel",)]]
    assert [[each.values for clause in side.clauses for each in clause] for side in found.sides] == [
        [("shipped",)],
        [("cancelled",)],
    ]


def test_yes_or_no_is_asked_of_two_sides() -> None:
    assert sides("Did Oak panel bring more than Steel beam?")[0] == "more"
    assert sides("Did Oak panel bring less than Steel beam?")[0] == "less"


def test_sides_without_a_column_are_compared_by_the_chief_amount_in_doubt() -> None:
    assert query("Did Oak panel bring more than Steel beam?").doubt > 0
    assert query("How much more amount for Oak panel than for Steel beam?").doubt == 0


def test_rows_are_counted_where_the_question_counts_them() -> None:
    assert sides("How many more orders of Oak panel than of Steel beam?") == (
        "gap",
        [("Oak panel", "count", ""), ("Steel beam", "count", "")],
    )


def test_the_greatest_and_the_least_of_a_column_are_two_sides() -> None:
    expected = [("highest", "max", "Amount (EUR)"), ("lowest", "min", "Amount (EUR)")]
    assert sides("difference between the highest and the lowest amount") == ("gap", expected)
    assert sides("difference between the lowest and the highest amount") == ("gap", expected)


@pytest.mark.parametrize(
    ("question", "operation"), [("difference between W and L", "gap"), ("ratio of W to L", "ratio")]
)
def test_two_columns_of_numbers_are_two_sides(question: str, operation: str) -> None:
    assert sides(question, 3) == (operation, [("W", "sum", "W"), ("L", "sum", "L")])


def test_two_years_are_two_sides() -> None:
    found = query("difference between 2020 and 2021 for Wind", 2)
    assert [side.label for side in found.sides] == ["2020", "2021"]
    assert [[each.values for clause in side.clauses for each in clause] for side in found.sides] == [
        [("2020",)],
        [("2021",)],
    ]


def test_a_share_is_that_of_the_part_in_all() -> None:
    assert sides("What percentage of orders were cancelled?") == (
        "share",
        [("cancelled", "count", ""), ("all", "count", "")],
    )
    assert sides("share of Oak panel in the amount") == (
        "share",
        [("Oak panel", "sum", "Amount (EUR)"), ("all", "sum", "Amount (EUR)")],
    )


def test_a_share_of_some_rows_leaves_their_filter_on_the_whole() -> None:
    found = query("What percentage of the Oak panel orders were cancelled?")
    assert [[each.values for each in clause] for clause in found.clauses] == [[("Oak panel",)]]
    assert found.sides[0].label == "cancelled"


def test_rows_stand_behind_or_before_another() -> None:
    behind, before = query("Which order came after 1003?"), query("Which team came before City?", 3)
    assert (behind.steps, [each.entry.name for each in behind.shown]) == (1, ["Order No"])
    assert (before.steps, [each.entry.name for each in before.shown]) == (-1, ["Team"])


def test_a_number_or_a_day_behind_after_is_no_row() -> None:
    assert query("orders after March 2024").steps == 0
    assert query("Value before 2021", 2).steps == 0


def test_one_side_alone_is_not_compared() -> None:
    found = query("difference of Oak panel")
    assert found.sides == []
    assert found.uncovered == ["difference"]
