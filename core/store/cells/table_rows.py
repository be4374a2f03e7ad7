"""Rows of tables in documents: written in bounded batches, and read back one record at a time."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, islice
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from core.domain.fields import AnnotationRow, FieldType, RowCell, TableTitle
from core.domain.ids import DocumentId
from core.store.cells.field_rows import column_key, full_value_row, quote_of_row, value_of_row
from core.store.database.field_tables import (
    TABLES_OF_ROWS,
    annotation_cells,
    annotation_columns,
    annotation_rows,
    annotation_titles,
)

_BATCH = 1_000

RowKey = tuple[DocumentId, int, int]
"""Document, table and row."""


def replace_rows(
    connection: Connection,
    document: DocumentId,
    version: int,
    rows: Iterable[AnnotationRow],
    titles: Sequence[TableTitle] = (),
) -> None:
    """Write the table rows of a document in place of those there; `rows` may be a stream."""
    for table in TABLES_OF_ROWS:
        connection.execute(sa.delete(table).where(table.c.document == document))
    if titles:
        connection.execute(
            sa.insert(annotation_titles),
            [
                {"document": document, "table_no": each.table, "sheet": each.sheet, "caption": each.caption}
                for each in titles
            ],
        )
    columns: dict[tuple[int, str], list[Any]] = {}
    stream = iter(rows)
    while batch := list(islice(stream, _BATCH)):
        connection.execute(
            sa.insert(annotation_rows),
            [
                {
                    "document": document,
                    "table_no": row.table,
                    "row_no": row.row,
                    "version": version,
                    "is_total": row.is_total,
                }
                for row in batch
            ],
        )
        if cells := [made for row in batch for made in _cell_rows(document, row, columns)]:
            connection.execute(sa.insert(annotation_cells), cells)
    if columns:
        connection.execute(
            sa.insert(annotation_columns),
            [
                {"document": document, "table_no": table_no, "column": key, "name": name, "rows": count}
                for (table_no, key), (name, count) in columns.items()
            ],
        )


def read_rows(connection: Connection, keys: Sequence[RowKey]) -> dict[RowKey, AnnotationRow]:
    """Rows with all their cells."""
    found: dict[RowKey, AnnotationRow] = {}
    for start in range(0, len(keys), 200):
        wanted = sa.or_(
            *(
                sa.and_(
                    annotation_cells.c.document == document,
                    annotation_cells.c.table_no == table_no,
                    annotation_cells.c.row_no == row_no,
                )
                for document, table_no, row_no in keys[start : start + 200]
            )
        )
        statement = _with_totals().where(wanted)
        for row in _grouped(connection.execute(_in_order(statement))):
            found[row[0]] = row[1]
    return found


def rows_of_document(connection: Connection, document: DocumentId) -> Iterator[AnnotationRow]:
    """All rows of a document, in order."""
    statement = _with_totals().where(annotation_cells.c.document == document)
    for _, row in _grouped(connection.execute(_in_order(statement))):
        yield row


@dataclass(frozen=True, slots=True)
class PlainCell:
    """A cell without its place. column: as `column_key` has it; text: canonical; original: as written."""

    row: int
    column: str
    name: str
    type: FieldType
    text: str
    unit: str
    amount: int | None
    special: str
    original: str
    is_total: bool


def cells_of_table(connection: Connection, document: DocumentId, table_no: int) -> Iterator[PlainCell]:
    """All cells of one table, by row and place."""
    cell = annotation_cells.c
    here = sa.and_(cell.document == document, cell.table_no == table_no)
    for each in connection.execute(_in_order(_with_totals().where(here))):
        yield PlainCell(
            each.row_no,
            each.column,
            each.name,
            FieldType(each.type),
            each.text,
            each.unit,
            each.amount,
            each.special,
            each.original or each.quote,
            bool(each.is_total),
        )


def _with_totals() -> sa.Select[Any]:
    cell, row = annotation_cells.c, annotation_rows.c
    same = sa.and_(row.document == cell.document, row.table_no == cell.table_no, row.row_no == cell.row_no)
    return sa.select(annotation_cells, row.is_total).join(annotation_rows, same)


def _in_order(statement: sa.Select[Any]) -> sa.Select[Any]:
    c = annotation_cells.c
    return statement.order_by(c.document, c.table_no, c.row_no, c.ordinal)


def _grouped(rows: Iterable[Any]) -> Iterator[tuple[RowKey, AnnotationRow]]:
    for key, cells in groupby(rows, key=lambda row: (row.document, row.table_no, row.row_no)):
        held = list(cells)
        made = tuple(RowCell(cell.name, value_of_row(cell), quote_of_row(cell)) for cell in held)
        row = AnnotationRow(key[1], key[2], made, bool(held[0].is_total))
        yield (DocumentId(key[0]), key[1], key[2]), row


def _cell_rows(
    document: DocumentId, row: AnnotationRow, columns: dict[tuple[int, str], list[Any]]
) -> Iterator[dict[str, Any]]:
    for ordinal, cell in enumerate(row.cells):
        key = column_key(cell.column)
        known = columns.setdefault((row.table, key), [cell.column, 0])
        known[1] += not row.is_total
        yield {
            "document": document,
            "table_no": row.table,
            "row_no": row.row,
            "ordinal": ordinal,
            "column": key,
            "name": cell.column,
            **full_value_row(cell.value, cell.quote),
        }
