"""Conditions on two columns of a row, as a selection of rows has them."""

from __future__ import annotations

import pytest

from core.domain.results import Rows
from core.errors import UsageError
from core.plan.ir.nodes import Choice, Condition, OtherField, Select
from core.store.store import Records
from tests.support.operating import Desk
from tests.support.stated_values import day, money, number, row


@pytest.fixture
def book(records: Records) -> Desk:
    desk = Desk(records)
    desk.put(
        "book",
        rows=(
            row(0, 0, Actual=money("12"), Budget=money("10"), Out=day("2024-01-01"), Back=day("2024-01-11")),
            row(0, 1, Actual=money("10"), Budget=money("10"), Out=day("2024-01-01"), Back=day("2024-03-01")),
            row(0, 2, Actual=money("8"), Budget=number("10"), Kind="Van", Used="van"),
            row(0, 3, Actual=money("90"), Budget=money("10", "EUR"), Kind="Van", Used="lorry"),
            row(0, 4, Actual=money("7")),
        ),
    )
    return desk


def chosen(desk: Desk, *conditions: Condition | Choice) -> list[int]:
    node = Select(id="s", purpose="p", of="rows", conditions=conditions)
    found = desk.run(node)
    assert isinstance(found, Rows)
    return [int(name.rsplit("|", 1)[1]) for name in found.picked]


def against(name: str, op: str, other: str) -> Condition:
    return Condition.model_validate({"field": name, "op": op, "value": OtherField(field=other)})


def between(name: str, minus: str, op: str, *values: str) -> Condition:
    value = values if len(values) > 1 else values[0]
    return Condition.model_validate({"field": name, "op": op, "value": value, "minus": minus})


@pytest.mark.parametrize(
    ("op", "rows"), [(">", [0]), (">=", [0, 1]), ("=", [1]), ("!=", [0, 2]), ("<", [2]), ("<=", [1, 2])]
)
def test_columns_compare_in_one_unit_also_with_plain_numbers(book: Desk, op: str, rows: list[int]) -> None:
    assert chosen(book, against("actual", op, "budget")) == rows


def test_texts_are_the_same_whatever_their_case(book: Desk) -> None:
    assert chosen(book, against("kind", "=", "used")) == [2]
    assert chosen(book, against("kind", "!=", "used")) == [3]


def test_what_lies_between_two_columns_is_an_amount_or_days(book: Desk) -> None:
    assert chosen(book, between("actual", "budget", ">=", "1 USD")) == [0]
    assert chosen(book, between("back", "out", ">", "30 days")) == [1]
    assert chosen(book, between("back", "out", "between", "10 days", "20 days")) == [0]
    assert chosen(book, between("back", "out", "!=", "10")) == [1]


def test_alternatives_hold_together_with_plain_conditions(book: Desk) -> None:
    plain = Condition.model_validate({"field": "actual", "op": "<", "value": "8 USD"})
    assert chosen(book, Choice(any_of=(against("actual", ">", "budget"), plain))) == [0, 4]


def test_what_is_no_amount_and_no_length_is_refused(book: Desk) -> None:
    with pytest.raises(UsageError, match="no difference of amounts or days"):
        chosen(book, between("back", "out", ">", "soon"))
