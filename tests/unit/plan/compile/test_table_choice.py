"""The table that a step is about, and the two whose rows go together."""

from __future__ import annotations

import pytest

from core.plan.compile.context import Compilation, CompileContext, ReadingError
from core.plan.compile.table_choice import tables_of
from core.plan.reading import ReadField
from tests.support.compact_readings import TABLES, TODAY, read


def chosen(*on: str, asked: tuple[str, ...] = ()) -> list[str]:
    """The sheets that a step is about."""
    reading = read("list", is_rows=True, asked=asked, on=tuple(ReadField(name=each) for each in on))
    found = tables_of(reading, Compilation(reading, CompileContext(TABLES, TODAY)))
    return [each.table.parts[0].sheet for each in found if each is not None]


def test_the_table_is_the_one_that_has_all_columns() -> None:
    assert chosen(asked=("City", "Name")) == ["Customers"]
    assert chosen(asked=("Qty",)) == ["Orders"]


def test_two_tables_go_together_by_a_column_of_each_in_their_order() -> None:
    assert chosen("Customer", "Customer ID", asked=("City", "Qty")) == ["Orders", "Customers"]
    assert chosen("Customer ID", "Customer", asked=("City",)) == ["Customers", "Orders"]


@pytest.mark.parametrize(
    ("on", "asked", "why"),
    [
        ((), ("City", "Qty"), "'Qty' stands apart|'City' stands apart"),
        (("Customer", "City", "Wheels")[:2], ("Year",), "'Year' stands apart"),
        (("Customer", "Status"), (), "No two of these tables have 'Customer' and 'Status'"),
    ],
)
def test_columns_that_no_tables_have_are_refused(
    on: tuple[str, ...], asked: tuple[str, ...], why: str
) -> None:
    with pytest.raises(ReadingError, match=why):
        chosen(*on, asked=asked)
