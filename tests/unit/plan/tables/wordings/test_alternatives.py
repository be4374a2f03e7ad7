"""Conditions of which one is enough, and values that groups have to have each of."""

from __future__ import annotations

import pytest

from core.plan.tables.query import TableOperation, TableQuery
from tests.support.table_catalogue import assembled, query


def made(question: str) -> TableQuery:
    found = assembled(question)
    assert found is not None
    return found


@pytest.mark.parametrize(
    "question",
    [
        "orders with an amount over 500 or a quantity over 5",
        "orders with over 500 amount or over 5 quantity",
        "orders where the amount is over 500 or the product is weld kit",
        "orders of weld kit or from customer C-01",
    ],
)
def test_or_between_two_columns_is_one_condition(question: str) -> None:
    for found in (query(question), made(question)):
        assert [len({each.column.key for each in clause}) for clause in found.clauses] == [2]


@pytest.mark.parametrize(
    "question",
    ["orders with an amount over 500 and a quantity over 5", "shipped orders of weld kit"],
)
def test_conditions_that_have_to_hold_together_stay_apart(question: str) -> None:
    assert len(query(question).clauses) == 2


def test_thirty_or_more_is_one_bound() -> None:
    clauses = query("orders with a quantity of 30 or more").clauses
    assert [(each.op.value, each.values) for clause in clauses for each in clause] == [(">=", ("30",))]


def test_both_values_have_to_be_there_for_each() -> None:
    question = "customers with both oak panel and weld kit"
    for found in (query(question), made(question)):
        assert found.groups[0].key == "customer"
        assert found.operation is TableOperation.DISTINCT
        assert found.having is not None
        assert (found.having.op.value, found.having.values) == (">=", ("2",))


def test_two_values_against_one_another_have_a_result_each() -> None:
    for found in (query("quantity of oak panel vs weld kit"), made("quantity of oak panel versus weld kit")):
        assert [group.key for group in found.groups] == ["product"]
        assert (found.operation, found.measure and found.measure.key) == (TableOperation.SUM, "qty")


def test_a_side_less_another_is_a_difference() -> None:
    found = query("amount of oak panel minus amount of weld kit")
    assert (found.operation, len(found.sides), found.clauses) == (TableOperation.DIFFERENCE, 2, [])
