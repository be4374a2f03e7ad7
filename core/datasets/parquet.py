"""Typed Parquet files of lines of texts, and the texts of amounts and days."""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any

from core.datasets.base import ROW, DataColumn, DataType
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


_KEPT = 400  # files
_SPARED_S = 3_600.0  # a query may still read it


class ParquetCache:
    """Files below a folder of the home, each with what is to be known of it; those asked last are kept.

    Thread-safe: a file is put in place whole.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def get(self, key: str, write: Callable[[Path], Mapping[str, Any]]) -> tuple[Path, dict[str, Any]]:
        """The file of a key and what is kept beside it. write: makes it, and gives that as JSON has it."""
        stem = hashlib.sha256(key.encode()).hexdigest()[:24]
        file, about = self._folder / f"{stem}.parquet", self._folder / f"{stem}.json"
        with suppress(OSError):
            os.utime(file)  # before it is looked for, so that no other thread clears it then
        if not about.is_file() or not file.is_file():
            self._folder.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryDirectory(dir=self._folder) as folder:
                made = Path(folder) / "rows.parquet"
                made.with_suffix(".json").write_text(json.dumps(write(made)), "utf-8")
                made.replace(file)
                made.with_suffix(".json").replace(about)
            self._clear()
        return file, json.loads(about.read_text("utf-8"))

    def _clear(self) -> None:
        found = []
        for each in self._folder.glob("*.parquet"):
            with suppress(OSError):  # another thread clears, too
                found.append((each.stat().st_mtime, each))
        for at, each in sorted(found)[:-_KEPT]:
            with suppress(OSError):
                if at < time.time() - _SPARED_S:
                    each.unlink()
                    each.with_suffix(".json").unlink()


def kept_columns(columns: Sequence[DataColumn]) -> list[dict[str, Any]]:
    """Columns as JSON has them."""
    return [asdict(each) for each in columns]


def columns_of(kept: Sequence[Mapping[str, Any]]) -> tuple[DataColumn, ...]:
    """Columns as they were kept beside a file."""
    texts = ("units", "examples")
    return tuple(
        DataColumn(**{**each, "type": DataType(each["type"]), **{name: tuple(each[name]) for name in texts}})
        for each in kept
    )


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
