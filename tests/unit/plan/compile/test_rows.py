"""Columns held against columns of the same row, and rows against those of another table."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.extract.unpivot import UNPIVOTED
from core.plan.catalogue import TableEntry, TablePart
from core.plan.compile.context import Compilation, CompileContext, ReadingError
from core.plan.compile.rows import tables_of
from core.plan.ir.nodes import Aggregate, Join, Select
from core.plan.reading import ReadField, Reading
from tests.support.compact_readings import TABLES, TODAY, plan_of, read, step
from tests.support.table_catalogue import numbers, texts

QTY_PRICE = {"name": "Qty", "combined": "times", "other": "Amount (EUR)"}
DAYS = {"name": "Closed", "combined": "less", "other": "Order Date"}
ON = ({"name": "Customer"}, {"name": "Customer ID"})


def rows(operation: str, **parts: object) -> Reading:
    """A reading of rows. conditions: as they are written in JSON."""
    conditions = parts.pop("conditions", ())
    made = read(operation, *parts.pop("steps", ()), is_rows=True, **parts)  # type: ignore[misc]
    return Reading.model_validate(made.model_dump() | {"conditions": conditions or made.conditions})


def test_a_column_is_compared_with_another() -> None:
    made = plan_of(
        rows(
            "list", conditions=[{"field": {"name": "Closed"}, "op": "<", "of_field": {"name": "Order Date"}}]
        ),
        TABLES,
    ).nodes[0]
    assert isinstance(made, Select)
    assert made.conditions[0].model_dump(exclude_defaults=True) == {
        "field": "closed",
        "op": "<",
        "value": {"field": "order date"},
    }


def test_what_is_not_to_hold_is_turned_round() -> None:
    condition = {
        "field": {"name": "Closed"},
        "op": "<",
        "of_field": {"name": "Order Date"},
        "negated": True,
    }
    made = plan_of(rows("list", conditions=[condition]), TABLES).nodes[0]
    assert isinstance(made, Select)
    assert made.conditions[0].op.value == ">="  # type: ignore[union-attr]


def test_a_length_of_time_is_in_days() -> None:
    made = plan_of(rows("count", conditions=[{"field": DAYS, "op": ">", "values": ["30"]}]), TABLES).nodes[0]
    assert isinstance(made, Select)
    assert made.conditions[0].model_dump(exclude_defaults=True) == {
        "field": "closed",
        "op": ">",
        "value": "30 days",
        "minus": "order date",
    }


@pytest.mark.parametrize(
    ("field", "combined"),
    [
        (QTY_PRICE, "times"),
        (DAYS, "less"),
        ({"name": "Amount (EUR)", "combined": "less", "other": "Qty"}, "rest"),
        ({"name": "Amount (EUR)", "combined": "per", "other": "Qty", "scale": 100}, "per"),
    ],
)
def test_two_columns_are_calculated_with(field: dict[str, object], combined: str) -> None:
    reading = Reading.model_validate(
        rows("group", by=["Product"], function="sum").model_dump() | {"asked": [field]}
    )
    made = plan_of(reading, TABLES).nodes[-1]
    assert isinstance(made, Aggregate)
    assert (made.combined, made.other, made.scale) == (
        combined,
        str(field["other"]).casefold(),
        field.get("scale", 1),
    )


def test_rows_of_two_tables_go_together() -> None:
    reading = rows("compute", on=ON, asked=["Amount (EUR)"], function="sum", where=["City = Hamburg"])
    orders, customers, join, total = plan_of(reading, TABLES).nodes
    assert isinstance(orders, Select)
    assert not orders.conditions
    assert isinstance(customers, Select)
    assert len(customers.conditions) == 1
    assert isinstance(join, Join)
    assert (join.left, join.right) == ("customer", "customer id")
    assert isinstance(total, Aggregate)
    assert total.inputs == (join.id,)


def test_columns_of_two_tables_are_compared_where_rows_go_together() -> None:
    condition = {"field": {"name": "Product"}, "op": "=", "of_field": {"name": "City"}}
    join = plan_of(rows("list", on=ON, conditions=[condition]), TABLES).nodes[-1]
    assert isinstance(join, Join)
    assert [each.field for each in join.conditions] == ["product"]


@pytest.mark.parametrize(("negated", "how"), [(False, "matching"), (True, "without")])
def test_rows_are_held_against_those_of_a_step(negated: bool, how: str) -> None:
    first = step("s1", "list", is_rows=True, asked=["Customer"], where=["Status = open"])
    condition = {"field": {"name": "Customer ID"}, "op": "in", "values": ["$s1"], "negated": negated}
    plan = plan_of(rows("list", steps=(first,), asked=["Name"], conditions=[condition]), TABLES)
    join = next(each for each in plan.nodes if isinstance(each, Join))
    assert (join.left, join.right, join.how) == ("customer id", "customer", how)


def test_a_value_is_compared_with_that_of_registered_rows() -> None:
    first = step("s1", "list", is_rows=True, asked=["Qty"], where=["Status = open"])
    condition = {"field": {"name": "Qty"}, "op": ">", "values": ["$s1"]}
    known = replace(TABLES, fingerprint="registered", tables=(), datasets=TABLES.tables)
    plan = plan_of(rows("count", steps=(first,), conditions=[condition]), known)
    assert [each.type for each in plan.nodes] == ["select", "aggregate", "select", "aggregate"]


@pytest.mark.parametrize(
    ("parts", "why"),
    [
        ({"conditions": [{"field": QTY_PRICE, "op": ">", "values": ["5"]}]}, "No condition is on Qty times"),
        ({"conditions": [{"field": DAYS, "op": ">", "values": ["2 months"]}]}, "lie days"),
        (
            {"conditions": [{"field": {"name": "Qty"}, "op": ">", "of_field": {"name": "Status"}}]},
            "are not compared by >",
        ),
        ({"asked": ["Qty"], "order": {"field": QTY_PRICE}}, "neither show nor are ordered by"),
    ],
)
def test_what_no_plan_says_is_told_with_what_to_write(parts: dict[str, object], why: str) -> None:
    order = parts.pop("order", None)
    reading = rows("rank" if order else "list", **parts)
    reading = Reading.model_validate(reading.model_dump() | ({"order": order} if order else {}))
    with pytest.raises(ReadingError, match=why) as refused:
        plan_of(reading, TABLES)
    assert refused.value.next_step


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


BUDGET = TableEntry(
    (texts("Centre", 6, "Paint", "Yard"), numbers("Year", 6, "2031", "2032"), numbers("Plan", 6, "4", "9")),
    ("d1",),
    rows=6,
    parts=(TablePart("d1", UNPIVOTED, "Costs"),),
)


@pytest.mark.parametrize(
    ("words", "question", "values", "is_sure"),
    [
        ("2032 Plan", "average 2032 Plan", ["2032"], True),
        ("Plan of 2031 and 2032", "average Plan of 2031 and 2032", ["2031", "2032"], True),
        ("Plan", "average Plan", [], False),
        ("Plan", "average Plan over all years", [], True),
    ],
)
def test_columns_below_a_head_of_years_are_told_apart(
    words: str, question: str, values: list[str], is_sure: bool
) -> None:
    asked = ReadField(name="Plan", words=words)
    made = read("compute", function="avg", is_rows=True).model_copy(
        update={"asked": (asked,), "question": question}
    )
    plan = plan_of(made, replace(TABLES, tables=(BUDGET,)))
    select = plan.nodes[0]
    assert isinstance(select, Select)
    said = [each.value if isinstance(each.value, tuple) else (each.value,) for each in select.conditions]
    assert [str(int(float(v))) for value in said for v in value] == values
    assert all(note.confidence == 1 for note in plan.notes) is is_sure


@pytest.mark.parametrize(("by", "is_refused"), [("trained", True), ("person", False)])
def test_what_a_question_names_itself_is_not_looked_up(by: str, is_refused: bool) -> None:
    condition = {"field": {"name": "Qty"}, "op": "=", "values": ["5"]}
    made = rows("lookup", asked=["Qty"], conditions=[condition]).model_copy(update={"by": by})
    if is_refused:
        with pytest.raises(ReadingError, match="gives itself"):
            plan_of(made, TABLES)
    else:
        assert plan_of(made, TABLES).nodes
