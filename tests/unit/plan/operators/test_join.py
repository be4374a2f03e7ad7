"""Rows of orders that are matched with rows of their customers, and the order of what is left."""

from __future__ import annotations

import pytest

from core.domain.results import Rows
from core.errors import UsageError
from core.plan.ir.nodes import Join
from tests.support.operating import Desk
from tests.support.stated_values import money, row

ORDERS = (
    row(0, 0, Customer="C-1", Net=money("10", "EUR")),
    row(0, 1, Customer="C-2", Net=money("30", "EUR")),
    row(0, 2, Customer="C-1", Net=money("30", "EUR")),
    row(0, 3, Customer="C-9", Net=money("90", "EUR")),
    row(0, 4, Customer="C-2"),
)
CUSTOMERS = (
    row(1, 0, Code="C-1", City="Porto", Credit=money("5", "EUR")),
    row(1, 1, Code="C-2", City="Graz", Credit=money("8", "EUR")),
    row(1, 2, Code="C-3", City="Graz", Credit=money("9", "EUR")),
)


@pytest.fixture
def book(desk: Desk) -> Desk:
    desk.put("book", rows=(*ORDERS, *CUSTOMERS))
    return desk


def matched(desk: Desk, **settings: object) -> list[str]:
    """Table and place of the orders (or customers) that are left, in order."""
    id = desk.ids["book"]
    given = {"left": "customer", "right": "code", **settings}
    sides = [[f"{id}|0|{at}" for at in range(len(ORDERS))], [f"{id}|1|{at}" for at in range(len(CUSTOMERS))]]
    if given["left"] == "code":
        sides.reverse()
    inputs = {name: Rows(picked=tuple(keys), total=len(keys)) for name, keys in zip("ab", sides, strict=True)}
    node = Join.model_validate({"id": "j", "purpose": "p", "inputs": ("a", "b"), **given})
    found = desk.run(node, inputs)
    assert isinstance(found, Rows)
    assert not found.partners or len(found.partners) == len(found.picked)
    return [name.removeprefix(f"{id}|") for name in found.picked]


def test_rows_stay_in_the_order_of_the_first_input(book: Desk) -> None:
    assert matched(book) == ["0|0", "0|1", "0|2", "0|4"]
    assert matched(book, how="without") == ["0|3"]
    assert matched(book, left="code", right="customer", how="matching") == ["1|0", "1|1"]


def test_the_first_are_taken_of_those_that_match_with_all_that_are_equal(book: Desk) -> None:
    assert matched(book, order_by="net", descending=True, limit=1) == ["0|1", "0|2"]
    assert matched(book, order_by="net", descending=True, limit=1, skip=1) == ["0|0"]


def test_rows_without_a_value_come_last_or_not_at_all(book: Desk) -> None:
    assert matched(book, order_by="net") == ["0|0", "0|1", "0|2", "0|4"]
    assert matched(book, order_by="net", limit=9) == ["0|0", "0|1", "0|2"]


def test_rows_are_ordered_by_a_column_of_what_they_go_with(book: Desk) -> None:
    assert matched(book, order_by="credit", descending=True) == ["0|1", "0|4", "0|0", "0|2"]
    assert matched(book, order_by="city", limit=1) == ["0|1", "0|4"]


def test_the_last_rows_are_the_first_from_the_end(book: Desk) -> None:
    assert matched(book, order_by="#", descending=True, limit=2) == ["0|4", "0|2"]


def test_where_several_go_with_one_these_stand_with_it(book: Desk) -> None:
    assert matched(book, left="code", right="customer") == ["0|0", "0|1", "0|2", "0|4"]


def test_rows_that_say_the_same_on_both_sides_are_no_partners(book: Desk) -> None:
    with pytest.raises(UsageError, match="Several rows say the same in 'city'"):
        matched(book, left="customer", right="city")


def test_columns_of_rows_that_go_together_are_compared(book: Desk) -> None:
    condition = {"field": "net", "op": ">", "value": {"field": "credit"}}
    assert matched(book, conditions=[condition]) == ["0|0", "0|1", "0|2"]
    assert matched(book, conditions=[condition | {"op": "<"}]) == []
