"""Small tables of known rows as Parquet files, for queries."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from core.datasets.base import ROW, DataColumn, DataTable, DataType, RowFile

Files = tuple[RowFile, ...]

SPEND = DataTable(
    "spend",
    (
        DataColumn("region", DataType.TEXT),
        DataColumn("vendor", DataType.TEXT),
        DataColumn("amount", DataType.MONEY, units=("EUR", "USD"), unit_column="amount_currency"),
        DataColumn("amount_currency", DataType.TEXT),
        DataColumn("year", DataType.NUMBER),
        DataColumn("paid", DataType.DATE),
        DataColumn("is_total", DataType.BOOLEAN),
    ),
    rows=6,
)
PLAN = DataTable(
    "plan",
    (
        DataColumn("region", DataType.TEXT),
        DataColumn("budget", DataType.MONEY, units=("EUR",)),
        DataColumn("head", DataType.NUMBER),
    ),
    rows=3,
)
TABLES = (SPEND, PLAN)
SPEND_ROWS = [
    ("North", "Acme", "10.10", "EUR", 2023, "2023-01-05", False),
    ("North", "Beta", "20.20", "EUR", 2024, "2024-02-01", False),
    ("South", "Acme", "5.00", "USD", 2024, "2024-03-09", False),
    ("South", "Gamma", "7.50", "EUR", 2024, None, False),
    ("West", None, None, "EUR", 2023, "2023-12-31", False),
    ("All", None, "42.80", "EUR", 2024, None, True),
]
PLAN_ROWS = [("North", "30.00", 3), ("South", "9.00", 1), ("East", "4.00", 2)]
_TYPES = {
    DataType.TEXT: "VARCHAR",
    DataType.NUMBER: "DECIMAL(38,6)",
    DataType.MONEY: "DECIMAL(38,4)",
    DataType.DATE: "DATE",
    DataType.BOOLEAN: "BOOLEAN",
}


def write_table(path: Path, table: DataTable, rows: Sequence[tuple[int, Sequence[Any]]]) -> Files:
    """A Parquet file of rows with their numbers."""
    import duckdb

    columns = ", ".join(f'"{each.name}" {_TYPES[each.type]}' for each in table.columns)
    with duckdb.connect() as connection:
        connection.execute(f"CREATE TABLE t ({columns}, {ROW} BIGINT)")
        marks = ", ".join("?" * (len(table.columns) + 1))
        for number, row in rows:
            connection.execute(f"INSERT INTO t VALUES ({marks})", [*row, number])
        connection.execute(f"COPY t TO '{path}' (FORMAT parquet)")
    return (RowFile(path),)


def known_files(folder: Path) -> dict[str, Files]:
    """Files of `spend` and `plan`."""
    return {
        "spend": write_table(folder / "spend.parquet", SPEND, list(enumerate(SPEND_ROWS, 1))),
        "plan": write_table(folder / "plan.parquet", PLAN, list(enumerate(PLAN_ROWS, 1))),
    }
