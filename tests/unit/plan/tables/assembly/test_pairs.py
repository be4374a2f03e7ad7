"""Two columns of a row in one computation."""

from __future__ import annotations

import pytest

from core.plan.tables.query import TableOperation, TableQuery
from tests.support.table_catalogue import assembled


def made(question: str, at: int = 0) -> TableQuery:
    found = assembled(question, at)
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("question", "how", "columns"),
    [
        ("how many days from order date to closed", "less", ("Closed", "Order Date")),
        ("Amount per Qty", "per", ("Amount (EUR)", "Qty")),
    ],
)
def test_a_measure_is_combined_with_another(question: str, how: str, columns: tuple[str, str]) -> None:
    found = made(question)
    assert found.combined is not None
    assert found.measure is not None
    assert (found.combined.how, (found.measure.entry.name, found.combined.column.entry.name)) == (
        how,
        columns,
    )


def test_the_longest_time_is_of_one_row() -> None:
    found = made("which order took longest to close")
    assert [group.key for group in found.groups] == ["order no"]
    assert found.order is not None
    assert (found.order.descending, found.order.limit) == (True, 1)


def test_days_of_many_rows_are_averaged() -> None:
    assert made("how many days from order date to closed").operation is TableOperation.AVG
