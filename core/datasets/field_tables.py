"""Fields of documents as rows: a table of the documents of a schema, and one of the values of each list.

A field of one value is a column of its type, beside it its status, which tells an absent value from one that
is not decided. A field that takes several values is all of them as one text there, and a table of its own,
with a row for each value.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby
from pathlib import Path
from typing import Literal

from core.datasets.base import ROW, DataColumn, DataType
from core.datasets.names import column_names
from core.datasets.parquet import VALUE_TYPES, value_text, write_parquet
from core.domain.fields import Cell, CellStatus, FieldType, Special

DOCUMENT_COLUMNS = ("document", "source", "bucket")
UNREAD = "unread"
UNDECIDED = frozenset(
    {
        CellStatus.UNCERTAIN.value,
        CellStatus.UNREADABLE.value,
        UNREAD,
        Special.BLANK.value,
        Special.REDACTED.value,
        Special.AMBIGUOUS.value,
    }
)
"""Statuses in which nobody knows the value, or that there is none."""

_BETWEEN = "; "
Part = Literal["value", "unit", "status"]


@dataclass(frozen=True, slots=True)
class TableField:
    """A field as a column. units: of its amounts, as far as they are known before any row is read."""

    name: str
    type: FieldType
    many: bool = False
    units: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class FieldDocument:
    """A document as a row."""

    id: str
    name: str
    source: str
    bucket: str
    is_readable: bool = True


@dataclass(frozen=True, slots=True)
class FieldColumn:
    """A column with the part of a field that it holds; `field` is None for those of the document itself."""

    column: DataColumn
    field: TableField | None = None
    part: Part = "value"


def field_columns(fields: Sequence[TableField]) -> list[FieldColumn]:
    """The columns of some fields, behind those that tell the document. The label of each is its field."""
    parts: list[tuple[TableField, Part]] = [(each, part) for each in fields for part in _parts(each)]
    names = column_names([*DOCUMENT_COLUMNS, *(_name(*each) for each in parts)])
    held = {(own.name, part): name for (own, part), name in zip(parts, names[3:], strict=True)}
    return [
        *(FieldColumn(DataColumn(name, DataType.TEXT, name)) for name in DOCUMENT_COLUMNS),
        *(FieldColumn(_column(own, part, held), own, part) for own, part in parts),
    ]


@dataclass(slots=True)
class WrittenFields:
    """A table of fields. keys: for each row the place of its document, and the number of its value, from 1.

    undecided: by field and status, the places of the documents of which nobody knows its value.
    """

    columns: tuple[DataColumn, ...]
    documents: tuple[str, ...]
    keys: list[tuple[int, int]] = field(default_factory=list)
    undecided: dict[str, dict[str, list[int]]] = field(default_factory=dict)


def write_fields(
    target: Path,
    fields: Sequence[TableField],
    documents: Sequence[FieldDocument],
    cells: Iterable[Cell],
    *,
    by_value: bool = False,
) -> WrittenFields:
    """Write the rows of some documents. cells: those of one document one after the other.

    by_value: a row for each value of the one field; of a document without any, one that says its status.
    """
    writer = _Writer([replace(each, many=False) for each in fields] if by_value else fields, documents)
    between = target.with_suffix(".lines")
    with between.open("w", encoding="utf-8") as stream:
        for line in writer.lines(cells, by_value):
            stream.write(json.dumps(line) + "\n")
    written = writer.written()
    write_parquet(between, [(each.name, each.type) for each in written.columns], target)
    between.unlink()
    return written


class _Writer:
    def __init__(self, fields: Sequence[TableField], documents: Sequence[FieldDocument]) -> None:
        self._columns = field_columns(fields)
        self._fields = fields
        self._documents = documents
        self._keys: list[tuple[int, int]] = []
        self._units: dict[str, dict[str, None]] = defaultdict(dict)
        self._undecided: dict[str, dict[str, list[int]]] = {}

    def lines(self, cells: Iterable[Cell], by_value: bool) -> Iterator[dict[str, str]]:
        """The rows as texts by column."""
        places = {each.id: at for at, each in enumerate(self._documents)}
        left = dict(places)
        for document, own in groupby(cells, key=lambda cell: str(cell.document)):
            if left.pop(document, None) is not None:
                yield from self._of_document(places[document], {c.field: c for c in own}, by_value)
        for place in left.values():
            yield from self._of_document(place, {}, by_value)

    def written(self) -> WrittenFields:
        """What was written."""
        columns = []
        for each in self._columns:
            units = tuple(self._units.get(each.field.name, ())) if each.field is not None else ()
            is_money = each.column.type is DataType.MONEY
            columns.append(replace(each.column, units=units) if is_money else each.column)
        ids = tuple(each.id for each in self._documents)
        return WrittenFields(tuple(columns), ids, self._keys, self._undecided)

    def _of_document(self, place: int, cells: dict[str, Cell], by_value: bool) -> Iterator[dict[str, str]]:
        document = self._documents[place]
        head = dict(zip(DOCUMENT_COLUMNS, (document.name, document.source, document.bucket), strict=True))
        for each in self._fields:
            status = _status(cells.get(each.name), each, document)
            if status in UNDECIDED:
                self._undecided.setdefault(each.name, {}).setdefault(status, []).append(place)
        most = max((len(cell.finding.values) for cell in cells.values()), default=1) if by_value else 1
        for number in range(max(most, 1)):
            self._keys.append((place, number + 1 if by_value else 0))
            line = {ROW: str(len(self._keys)), **head}
            for column in self._columns:
                text = self._text(column, cells, document, number)
                if text:
                    line[column.column.name] = text
            yield line

    def _text(self, column: FieldColumn, cells: dict[str, Cell], document: FieldDocument, number: int) -> str:
        own = column.field
        if own is None:
            return ""
        cell = cells.get(own.name)
        if column.part == "status":
            return _status(cell, own, document)
        if cell is None:
            return ""
        if own.type is FieldType.BOOLEAN:
            decided = {CellStatus.PRESENT: "true", CellStatus.ABSENT: "false"}
            return decided.get(cell.finding.status, "")
        values = [each for each in cell.finding.values if each.type is own.type]
        if own.many:
            return _BETWEEN.join(" ".join((each.text, each.unit)).strip() for each in values)
        if number >= len(values):
            return ""
        value = values[number]
        text = value_text(value) if value.type in VALUE_TYPES else value.text
        if column.part == "value" and text:
            self._units[own.name][value.unit] = None
        return value.unit if column.part == "unit" else text


def _status(cell: Cell | None, own: TableField, document: FieldDocument) -> str:
    if cell is None:
        return UNREAD if document.is_readable else CellStatus.UNREADABLE.value
    found = cell.finding
    if found.status is not CellStatus.PRESENT or own.type is FieldType.BOOLEAN:
        return found.status.value
    values = [each for each in found.values if each.type is own.type]
    if not values:
        return CellStatus.UNCERTAIN.value
    special = values[0].special
    return special.value if special is not Special.NONE and len(values) == 1 else found.status.value


def _parts(own: TableField) -> tuple[Part, ...]:
    has_unit = own.type in (FieldType.MONEY, FieldType.NUMBER) and not own.many
    return ("value", "unit", "status") if has_unit else ("value", "status")


def _name(own: TableField, part: Part) -> str:
    if part == "value":
        return f"{own.name}_days" if own.type is FieldType.DURATION and not own.many else own.name
    if part == "unit":
        return f"{own.name}_currency" if own.type is FieldType.MONEY else f"{own.name}_unit"
    return f"{own.name}_status"


def _column(own: TableField, part: Part, names: dict[tuple[str, Part], str]) -> DataColumn:
    kind = DataType.TEXT
    if part == "value" and not own.many:
        kind = DataType.BOOLEAN if own.type is FieldType.BOOLEAN else VALUE_TYPES.get(own.type, DataType.TEXT)
    is_money = kind is DataType.MONEY
    holder = names.get((own.name, "unit"), "") if is_money else ""
    return DataColumn(names[own.name, part], kind, own.name, own.units if is_money else (), holder)
