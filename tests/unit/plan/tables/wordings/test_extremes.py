"""Extremes of the rows of each group."""

from __future__ import annotations

import pytest

from core.plan.tables.query import TableOperation, TableQuery
from core.plan.tables.wordings.extremes import extreme_of_each, measure_of_extreme
from tests.support.table_catalogue import assembled, query, sequence, vocabulary


def made(question: str) -> TableQuery:
    found = assembled(question)
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("question", "operation", "measure"),
    [
        ("largest order per product", TableOperation.MAX, "amount (eur)"),
        ("cheapest order of each product", TableOperation.MIN, "amount (eur)"),
        ("highest quantity per product", TableOperation.MAX, "qty"),
        ("most quantity per product", TableOperation.MAX, "qty"),
    ],
)
def test_an_extreme_before_per_is_one_of_each(question: str, operation: TableOperation, measure: str) -> None:
    for found in (query(question), made(question)):
        assert [group.key for group in found.groups] == ["product"]
        assert (found.operation, found.measure and found.measure.key) == (operation, measure)
        assert found.order is None


@pytest.mark.parametrize("question", ["which product has the highest amount per order", "amount per product"])
def test_no_extreme_is_of_each_where_one_group_is_asked_for(question: str) -> None:
    assert extreme_of_each(sequence(question), "which") == -1


def test_an_extreme_without_a_name_is_of_what_its_adjective_says() -> None:
    found = measure_of_extreme(sequence("cheapest order per product"), 0, vocabulary(0))
    assert found is not None
    assert found.key == "amount (eur)"
