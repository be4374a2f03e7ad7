"""Typed Parquet files of lines of texts, and the texts of amounts and days."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from decimal import Decimal
from pathlib import Path

from core.datasets.base import ROW, DataType
from core.datasets.names import quoted
from core.domain.fields import MONEY_SCALE, NUMBER_SCALE, FieldType, TypedValue
from core.store.cells.table_rows import PlainCell

SQL_TYPES = {
    DataType.TEXT: "VARCHAR",
    DataType.NUMBER: "DECIMAL(38, 6)",
    DataType.MONEY: "DECIMAL(38, 4)",
    DataType.DATE: "DATE",
    DataType.BOOLEAN: "BOOLEAN",
}
VALUE_TYPES = {
    FieldType.MONEY: DataType.MONEY,
    FieldType.NUMBER: DataType.NUMBER,
    FieldType.DURATION: DataType.NUMBER,
    FieldType.DATE: DataType.DATE,
}
"""Types of columns of values that are stored as amounts; a duration is its days."""


def value_text(value: PlainCell | TypedValue) -> str:
    """Text of a number, an amount or a day, as a file has it; "" for none."""
    if value.special or value.amount is None or value.type not in VALUE_TYPES:
        return ""
    if value.type is FieldType.DATE:
        return date.fromordinal(value.amount).isoformat() if 0 < value.amount < 3_652_060 else ""
    scale = MONEY_SCALE if value.type is FieldType.MONEY else NUMBER_SCALE
    return f"{Decimal(value.amount).scaleb(-scale):f}"


def write_parquet(lines: Path, columns: Sequence[tuple[str, DataType]], target: Path) -> None:
    """Write a file of the columns and ROW, of lines that are JSON objects of texts."""
    import duckdb

    typed = [(ROW, "BIGINT"), *((name, SQL_TYPES[kind]) for name, kind in columns)]
    read = ", ".join(f"'{name}': 'VARCHAR'" for name, _ in typed)
    chosen = ", ".join(f'CAST("{name}" AS {kind}) AS "{name}"' for name, kind in typed)
    options = "format = 'newline_delimited', maximum_object_size = 50000000"
    rows = f"read_json({quoted(str(lines))}, {options}, columns = {{{read}}})"
    with duckdb.connect(":memory:", config={"threads": 1}) as connection:
        connection.execute(f"COPY (SELECT {chosen} FROM {rows}) TO {quoted(str(target))} (FORMAT parquet)")
