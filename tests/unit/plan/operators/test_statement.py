"""Nodes over rows as one statement of SQL, asked of DuckDB itself."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Any

import duckdb
import pytest

from core.datasets.base import DataColumn, DataTable, DataType, RowFile
from core.datasets.sql.gate import check
from core.datasets.sql.process import QueryProcess
from core.plan.clarify import AskBackError
from core.plan.operators.row_conditions import UnsaidError
from core.plan.operators.statement import statement_of
from core.plan.reading import ReadField, Reading, ReadOrder
from tests.support.compact_readings import TABLES, plan_of, read, step

ORDERS = DataTable(
    "orders",
    (
        DataColumn("order_no", DataType.TEXT, "Order No"),
        DataColumn("customer", DataType.TEXT, "Customer"),
        DataColumn("order_date", DataType.DATE, "Order Date"),
        DataColumn("product", DataType.TEXT, "Product"),
        DataColumn("qty", DataType.NUMBER, "Qty"),
        DataColumn("amount", DataType.MONEY, "Amount (EUR)", ("EUR",)),
        DataColumn("status", DataType.TEXT, "Status"),
        DataColumn("closed", DataType.DATE, "Closed"),
        DataColumn("express", DataType.TEXT, "Express"),
    ),
    6,
)
CUSTOMERS = DataTable(
    "customers",
    (
        DataColumn("customer_id", DataType.TEXT, "Customer ID"),
        DataColumn("name", DataType.TEXT, "Name"),
        DataColumn("city", DataType.TEXT, "City"),
    ),
    3,
)
BILLS = DataTable(
    "bills",
    (
        DataColumn("bill", DataType.TEXT, "Bill"),
        DataColumn("vendor", DataType.TEXT, "Vendor"),
        DataColumn("net", DataType.MONEY, "Net amount", ("EUR", "USD"), "net_currency"),
        DataColumn("net_currency", DataType.TEXT),
        DataColumn("discount", DataType.NUMBER, "Discount", ("%",)),
    ),
    4,
)
KNOWN = {"d1|0": ORDERS, "d1|1": CUSTOMERS, "d4|0": BILLS}


@dataclass(frozen=True)
class Database:
    """The tables as files, and a child that is asked."""

    process: QueryProcess
    files: dict[str, tuple[RowFile, ...]]


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Database]:
    folder = tmp_path_factory.mktemp("tables")
    files = {each.name: folder / f"{each.name}.parquet" for each in KNOWN.values()}
    with duckdb.connect(":memory:") as made, QueryProcess() as process:
        made.execute("""CREATE TABLE orders AS SELECT * FROM (VALUES
            (1,'1001','C-01', DATE '2024-01-08', 'Oak panel', 20, 200.00, 'shipped', DATE '2024-02-01', 'y'),
            (2,'1002','C-02', DATE '2024-02-11', 'Steel beam', 6, 6000.00, 'shipped', DATE '2024-06-01', 'n'),
            (3, '1003', 'C-01', DATE '2024-03-01', 'Weld kit', 5, 50.00, 'cancelled', NULL, 'no'),
            (4, '1004', 'C-03', DATE '2024-03-09', 'Oak panel', 2, 20.00, ' Open', NULL, 'no'),
            (5, '1005', 'C-02', DATE '2024-05-01', 'Weld kit', 5, 50.00, 'shipped', DATE '2024-05-20', 'yes'),
            (6, '1006', 'C-03', DATE '2024-05-06', 'Oak panel', NULL, 10.00, 'open', NULL, 'no')
        ) AS t(_row, order_no, customer, order_date, product, qty, amount, status, closed, express)""")
        made.execute("""CREATE TABLE customers AS SELECT * FROM (VALUES
            (1, 'C-01', 'Brandt Holz', 'Hamburg'), (2, 'C-02', 'Lindner Bau', 'Munich'),
            (3, 'C-03', 'Kite & Co', 'Hamburg')) AS t(_row, customer_id, name, city)""")
        made.execute("""CREATE TABLE bills AS SELECT * FROM (VALUES
            (1, 'R-1', 'Aldo Tools', 10.00, 'EUR', 2), (2, 'R-2', 'Aldo Steel', 30.50, 'EUR', 5),
            (3, 'R-3', 'Cobalt Ltd', 7.00, 'USD', 2), (4, 'R-4', 'Cobalt Ltd', NULL, NULL, NULL)
        ) AS t(_row, bill, vendor, net, net_currency, discount)""")
        for name, file in files.items():
            made.execute(f"COPY {name} TO '{file}' (FORMAT parquet)")
        yield Database(process, {name: (RowFile(file),) for name, file in files.items()})


def asked(reading: Reading, database: Database) -> list[tuple[Any, ...]]:
    """What the statement of a reading gives, behind the gate and in a child."""
    plan = plan_of(reading, TABLES)
    query = check(statement_of(plan.nodes, str(plan.answer_node), KNOWN), list(KNOWN.values()))
    return list(database.process.run(query, database.files).rows)


@pytest.mark.parametrize(
    ("operation", "given", "wanted"),
    [
        ("count", {"where": ["Status = open"]}, [(2,)]),
        ("count", {"where": ["Status != open"]}, [(4,)]),
        ("count", {"where": ["Qty > 5", '"Order Date" < 2024-02']}, [(1,)]),
        ("count", {"where": ["|1 Qty > 5", "|1 Status = cancelled"]}, [(3,)]),
        ("count", {"where": ["Closed is-missing"]}, [(3,)]),
        ("count", {"where": ["not Closed is-missing"]}, [(3,)]),
        ("count", {"where": ['"Order Date" = 2024-03']}, [(2,)]),
        ("count", {"where": ['"Order Date" between 2024-01 and 2024-02']}, [(2,)]),
        ("count", {"where": ["Product contains oak"]}, [(3,)]),
        ("compute", {"asked": ["Qty"], "function": "sum"}, [(38,)]),
        ("compute", {"asked": ["Amount (EUR)"], "function": "max"}, [(Decimal(6000),)]),
        ("compute", {"asked": ["Qty"], "function": "median"}, [(5.0,)]),
        ("compute", {"asked": ["Order Date"], "function": "min"}, [(date(2024, 1, 8),)]),
        ("count", {"asked": ["Product"], "function": "distinct"}, [(3,)]),
        (
            "list",
            {"asked": ["Product"], "function": "distinct"},
            [("Oak panel", 3), ("Steel beam", 1), ("Weld kit", 2)],
        ),
        (
            "group",
            {"by": ["Product"], "asked": ["Qty"], "function": "sum"},
            [("Oak panel", 22), ("Steel beam", 6), ("Weld kit", 10)],
        ),
        (
            "group",
            {"by": ["Product"], "having": "Qty > 6", "asked": ["Qty"], "function": "sum"},
            [("Oak panel", 22), ("Weld kit", 10)],
        ),
        ("group", {"by": ["Order Date.quarter"]}, [("2024-Q1", 4), ("2024-Q2", 2)]),
        (
            "rank",
            {"by": ["Customer"], "asked": ["Amount (EUR)"], "function": "sum", "order": "- 1"},
            [("C-02", Decimal(6050))],
        ),
        ("rank", {"asked": ["Order No"], "order": "-Qty 2"}, [("1001",), ("1002",)]),
        ("rank", {"asked": ["Order No"], "order": "Qty 2"}, [("1004",), ("1003",), ("1005",)]),
        ("lookup", {"asked": ["Status"], "where": ['"Order No" = 1003']}, [("cancelled",)]),
        (
            "compute",
            {"function": "share", "where": ["Product = Weld kit"]},
            [(pytest.approx(Decimal(100) / 3, rel=Decimal("0.001")), 2, 6)],
        ),
    ],
)
def test_a_statement_gives_what_the_reading_asks(
    operation: str, given: dict[str, Any], wanted: list[tuple[Any, ...]], database: Database
) -> None:
    if "order" in given and given["order"].startswith("Qty"):
        assert sorted(asked(read(operation, is_rows=True, **given), database)) == sorted(wanted)
    else:
        assert asked(read(operation, is_rows=True, **given), database) == wanted


def test_rows_of_two_tables_go_together(database: Database) -> None:
    on = [{"name": "Customer"}, {"name": "Customer ID"}]
    made = read("group", is_rows=True, on=on, by=["City"], asked=["Amount (EUR)"], function="sum")
    assert asked(made, database) == [("Hamburg", Decimal(280)), ("Munich", Decimal(6050))]


@pytest.mark.parametrize(
    ("negated", "wanted"), [(False, ["Kite & Co"]), (True, ["Brandt Holz", "Lindner Bau"])]
)
def test_rows_are_held_against_those_of_a_step(negated: bool, wanted: list[str], database: Database) -> None:
    first = step("s1", "list", is_rows=True, asked=["Customer"], where=["Status = open"])
    made = read("list", first, is_rows=True, asked=["Name"])
    condition = {"field": {"name": "Customer ID"}, "op": "in", "values": ["$s1"], "negated": negated}
    made = Reading.model_validate(made.model_dump() | {"conditions": [condition]})
    assert sorted(asked(made, database)) == [(each,) for each in wanted]


def test_a_step_narrows_that_before(database: Database) -> None:
    first = step("s1", "rank", is_rows=True, asked=["Order No"], order="-Qty 3")
    made = read("count", first, is_rows=True, within=["s1"], where=["Status = shipped"])
    assert asked(made, database) == [(3,)]


def test_currencies_stay_apart(database: Database) -> None:
    made = read("compute", is_rows=True, asked=["Net amount"], function="sum")
    assert asked(made, database) == [("EUR", Decimal("40.50")), ("USD", Decimal(7)), (None, None)]
    made = read("count", is_rows=True, where=['"Net amount" > 5 USD'])
    assert asked(made, database) == [(1,)]


def test_amounts_are_ordered_and_compared_within_a_currency(database: Database) -> None:
    most = ReadOrder(field=ReadField(name="Net amount"), limit=1)
    made = read("rank", is_rows=True, asked=["Bill", "Net amount"])
    first = asked(made.model_copy(update={"order": most}), database)
    assert [row[0] for row in first] == ["R-2", "R-3"]
    made = read("group", is_rows=True, by=["Vendor"], asked=["Net amount"], function="sum")
    found = asked(made.model_copy(update={"order": most}), database)
    assert [(row[0], row[1]) for row in found] == [("Aldo Steel", "EUR"), ("Cobalt Ltd", "USD")]
    with pytest.raises(AskBackError) as back:
        asked(read("count", is_rows=True, where=['"Net amount" > 5']), database)
    assert len(back.value.clarify.options) == 2
    assert asked(read("count", is_rows=True, where=['"Net amount" > 0']), database) == [(3,)]


def test_a_condition_in_another_currency_has_no_statement(database: Database) -> None:
    with pytest.raises(UnsaidError):
        asked(read("count", is_rows=True, where=['"Amount (EUR)" > 5 USD']), database)


def test_a_pattern_has_no_statement_since_the_gate_runs_none(database: Database) -> None:
    with pytest.raises(UnsaidError):
        asked(read("count", is_rows=True, where=["Customer ~ ^A"]), database)


def test_two_columns_are_computed_with(database: Database) -> None:
    field = {"name": "Closed", "combined": "less", "other": "Order Date"}
    made = read("compute", is_rows=True, function="max")
    made = Reading.model_validate(made.model_dump() | {"asked": [field]})
    assert asked(made, database) == [(111,)]


def test_the_first_rows_rest_on_themselves(database: Database) -> None:
    plan = plan_of(read("rank", is_rows=True, asked=["Order No"], order="-Qty 1"), TABLES)
    query = check(statement_of(plan.nodes, str(plan.answer_node), KNOWN), list(KNOWN.values()))
    assert database.process.run(query, database.files).sources[0].rows == (("orders", 1),)
