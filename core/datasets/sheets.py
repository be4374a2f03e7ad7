"""Tables of ingested documents as typed files, written when they are first asked, kept until they change."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from core.datasets.base import ROW, TOTAL, DataColumn, DataType, QueryRefusedError
from core.datasets.names import column_names, free
from core.datasets.parquet import (
    VALUE_TYPES,
    ParquetCache,
    columns_of,
    kept_columns,
    value_text,
    write_parquet,
)
from core.domain.fields import FieldType
from core.domain.ids import DocumentId
from core.domain.rows.place import TablePlace
from core.store.cells.field_rows import column_key
from core.store.cells.table_rows import PlainCell
from core.store.query.row_selection import RowSelection
from core.values.units import canonical_unit

MOST_ROWS = 300_000
DOCUMENT, SHEET = "document", "sheet"
"""Columns of a table that stands in several documents, or on several sheets."""
_FORM = "4"  # of the files: another one where they are written otherwise
_MOST_WORDS = 0.2  # of the cells of a column of numbers that may be words


Keys = tuple[tuple[int, int], ...]
"""For each row, by its number less one, (part, row of that table)."""


class SheetTables:
    """Writes and keeps the files below a folder of the home. Thread-safe: a file is put in place whole."""

    def __init__(self, folder: Path, rows: RowSelection) -> None:
        self._cache = ParquetCache(folder)
        self._rows = rows

    def get(
        self, parts: Sequence[TablePlace], titles: Sequence[tuple[str, str]]
    ) -> tuple[tuple[DataColumn, ...], Path, Keys]:
        """The rows of some tables with the same columns as one: its columns, its file, its keys.

        titles: of each what its document and its sheet are called. Raises QueryRefusedError.
        """
        stamps = self._rows.stamps({each.document for each in parts})
        said = (
            f"{each} {title} {stamps.get(each.document, '')}"
            for each, title in zip(parts, titles, strict=True)
        )

        def write(target: Path) -> dict[str, Any]:
            made = _Sheet(titles)
            for at, part in enumerate(parts):
                made.add(at, self._rows.cells_of_table(DocumentId(part.document), part.number))
            columns = made.write(target, target.with_name("between.json"))
            return {"columns": kept_columns(columns), "keys": made.keys}

        file, kept = self._cache.get("\n".join((_FORM, *said)), write)
        return columns_of(kept["columns"]), file, tuple((part, row) for part, row in kept["keys"])


@dataclass(slots=True)
class _Column:
    label: str
    cells: dict[int, PlainCell] = field(default_factory=dict)

    @property
    def type(self) -> DataType:
        """Type of most cells, where few are words; text otherwise."""
        kinds = Counter(VALUE_TYPES.get(each.type, DataType.TEXT) for each in self.cells.values())
        words = kinds.pop(DataType.TEXT, 0)
        if DataType.MONEY in kinds:
            kinds[DataType.MONEY] += kinds.pop(DataType.NUMBER, 0)
        if len(kinds) != 1 or words > _MOST_WORDS * len(self.cells):
            return DataType.TEXT
        return next(iter(kinds))


class _Sheet:
    """The rows of some tables, by column."""

    def __init__(self, titles: Sequence[tuple[str, str]]) -> None:
        self._titles = titles
        self.keys: list[tuple[int, int]] = []
        self._totals: list[bool] = []
        self._columns: dict[str, _Column] = {}

    def add(self, part: int, cells: Iterable[PlainCell]) -> None:
        """Take the rows of one table."""
        for cell in cells:
            if not self.keys or self.keys[-1] != (part, cell.row):
                self.keys.append((part, cell.row))
                self._totals.append(cell.is_total)
                if len(self.keys) > MOST_ROWS:
                    raise QueryRefusedError(
                        f"The table has more than {MOST_ROWS:,} rows.",
                        next_step="Register its file as a dataset, and ask that.",
                    )
            own = self._columns.setdefault(cell.column, _Column(cell.name))
            own.cells.setdefault(len(self.keys) - 1, cell)

    def write(self, target: Path, between: Path) -> list[DataColumn]:
        """Write the file; gives its columns. between: a file that is written on the way."""
        columns, values = self._typed()
        with between.open("w", encoding="utf-8") as stream:
            for at in range(len(self.keys)):
                own = {each.name: held[at] for each, held in zip(columns, values, strict=True) if at in held}
                stream.write(json.dumps({ROW: str(at + 1), TOTAL: str(self._totals[at]), **own}) + "\n")
        every = [*columns, DataColumn(TOTAL, DataType.BOOLEAN, "adds up other rows")]
        write_parquet(between, [(each.name, each.type) for each in every], target)
        return every

    def _typed(self) -> tuple[list[DataColumn], list[dict[int, str]]]:
        columns: list[DataColumn] = []
        values: list[dict[int, str]] = []
        names = column_names(each.label for each in self._columns.values())
        for name, own in zip(names, self._columns.values(), strict=True):
            for column, cells in _columns_of(name, own, names, list(self._columns.values())):
                columns.append(column)
                values.append(cells)
        for at, name in enumerate((DOCUMENT, SHEET)):
            if len({title[at] for title in self._titles}) > 1:
                columns.append(DataColumn(free(name, [c.name for c in columns]), DataType.TEXT, name))
                values.append({row: self._titles[part][at] for row, (part, _) in enumerate(self.keys)})
        return columns, values


def _columns_of(
    name: str, own: _Column, names: Sequence[str], others: Sequence[_Column]
) -> Iterator[tuple[DataColumn, dict[int, str]]]:
    """A column with those that stand beside it: of its currencies, and of the words among numbers."""
    kind = own.type
    if kind is DataType.TEXT:
        texts = {at: " ".join(cell.original.split()) for at, cell in own.cells.items()}
        yield DataColumn(name, kind, own.label), texts
        return
    values = {at: text for at, cell in own.cells.items() if (text := value_text(cell))}
    units = tuple(dict.fromkeys(own.cells[at].unit for at in values))
    if kind is not DataType.MONEY:
        is_one = len(units) == 1 and all(own.cells[at].type is FieldType.NUMBER for at in values)
        called = column_key(own.label).replace("_", " ")
        unit = (units[0] or (called if canonical_unit(called) else "")) if is_one else ""
        yield DataColumn(name, kind, own.label, (unit,) if unit else ()), values
        yield from _in_words(name, own, names, values)
        return
    named = tuple(filter(None, units))
    units = named if len(named) == 1 else units  # a sign often stands on the first and the last row alone
    there = _holder(own, values, names, others) if len(units) > 1 else ""
    beside = free(f"{name}_currency", names) if len(units) > 1 and not there else ""
    yield DataColumn(name, kind, own.label, units, there or beside), values
    if beside:
        yield DataColumn(beside, DataType.TEXT, beside), {at: own.cells[at].unit for at in values}
    yield from _in_words(name, own, names, values)


def _in_words(
    name: str, own: _Column, names: Sequence[str], values: Mapping[int, str]
) -> Iterator[tuple[DataColumn, dict[int, str]]]:
    words = {at: cell.original for at, cell in own.cells.items() if at not in values}
    if words:
        yield DataColumn(free(f"{name}_text", names), DataType.TEXT, f"{own.label} in words"), words


def _holder(own: _Column, rows: Iterable[int], names: Sequence[str], others: Sequence[_Column]) -> str:
    """The column that says the currency of every amount, as it is written; "" for none."""
    wanted = {at: own.cells[at].unit for at in rows}
    for name, other in zip(names, others, strict=True):
        if all(at in other.cells and other.cells[at].original == unit for at, unit in wanted.items()):
            return name
    return ""
