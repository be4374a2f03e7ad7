"""Tables of documents: their columns with types, units and the texts that stand in them.

Read as a whole for whoever has to understand words of a collection.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import sqlalchemy as sa

from core.domain.fields import FieldType
from core.domain.ids import DocumentId
from core.store.database.db import Repository
from core.store.database.field_tables import (
    annotation_cells,
    annotation_columns,
    annotation_rows,
    annotation_titles,
)
from core.store.database.schema import documents
from core.store.database.visibility import Visibility

LONGEST_TEXT = 80  # characters: longer cells are sentences rather than names
MOST_TEXTS = 20_000
MOST_COLUMNS = 20_000
LONGEST_TABLE = 500  # rows of a table whose different numbers are told


@dataclass(slots=True)
class KnownColumn:
    """A column of a table. kinds: by (type, unit) how many cells; texts, numbers: by text how many.

    ranges: by (type, unit) the least and greatest amount.
    """

    name: str
    rows: int
    kinds: dict[tuple[FieldType, str], int] = field(default_factory=dict)
    texts: dict[str, int] = field(default_factory=dict)
    numbers: dict[str, int] = field(default_factory=dict)
    ranges: dict[tuple[FieldType, str], tuple[int, int]] = field(default_factory=dict)


@dataclass(slots=True)
class KnownTable:
    """A table of a document, with its columns by key, in their order. sheet, caption: as `TableTitle`."""

    document: DocumentId
    number: int
    columns: dict[str, KnownColumn] = field(default_factory=dict)
    sheet: str = ""
    caption: str = ""


class TableRecords(Repository):
    """Thread-safe; what a caller may not see is not in it. Lines of "key: value" are no table."""

    def known(self, visible: Visibility) -> tuple[list[KnownTable], bool]:
        """All tables by title of their document, and whether all texts of their cells are among them."""
        found: dict[tuple[str, int], KnownTable] = {}
        with self._database.read() as connection:
            for document, number, key, name, rows in connection.execute(_columns(visible)):
                table = found.setdefault((document, number), KnownTable(DocumentId(document), number))
                table.columns[key] = KnownColumn(name, rows)
            for document, number, key, kind, unit, count, low, high in connection.execute(_kinds(visible)):
                column = _column(found, document, number, key)
                if column is not None:
                    column.kinds[FieldType(kind), unit] = int(count)
                    if low is not None:
                        column.ranges[FieldType(kind), unit] = (int(low), int(high))
            texts = connection.execute(_texts(visible)).all()
            for document, number, key, text, count in connection.execute(_numbers(visible)):
                column = _column(found, document, number, key)
                if column is not None:
                    column.numbers[text] = int(count)
            for document, number, sheet, caption in connection.execute(_titles(visible)):
                if (document, number) in found:
                    found[document, number].sheet = sheet
                    found[document, number].caption = caption
        for document, number, key, text, count in texts:
            column = _column(found, document, number, key)
            if column is not None:
                column.texts[text] = int(count)
        return list(found.values()), len(texts) < MOST_TEXTS


def _column(
    found: dict[tuple[str, int], KnownTable], document: str, number: int, key: str
) -> KnownColumn | None:
    table = found.get((document, number))
    return table.columns.get(key) if table is not None else None


def _columns(visible: Visibility) -> sa.Select[Any]:
    column, cell = annotation_columns.c, annotation_cells.c
    place = (
        sa.select(sa.func.min(cell.ordinal))
        .where(
            cell.document == column.document, cell.table_no == column.table_no, cell.column == column.column
        )
        .correlate(annotation_columns)
        .scalar_subquery()
    )
    return (
        sa.select(column.document, column.table_no, column.column, column.name, column.rows)
        .join(documents, documents.c.id == column.document)
        .where(visible.condition(), column.table_no >= 0)
        .order_by(documents.c.search_text, column.document, column.table_no, place, column.column)
        .limit(MOST_COLUMNS)
    )


def _kinds(visible: Visibility) -> sa.Select[Any]:
    cell = annotation_cells.c
    by = (cell.document, cell.table_no, cell.column, cell.type, cell.unit)
    return (
        sa.select(*by, sa.func.count(), sa.func.min(cell.amount), sa.func.max(cell.amount))
        .join(documents, documents.c.id == cell.document)
        .join(annotation_rows, _same_row())
        .where(visible.condition(), cell.table_no >= 0, cell.special == "", _is_own())
        .group_by(*by)
    )


def _same_row() -> sa.ColumnElement[bool]:
    cell, row = annotation_cells.c, annotation_rows.c
    return sa.and_(row.document == cell.document, row.table_no == cell.table_no, row.row_no == cell.row_no)


def _is_own() -> sa.ColumnElement[bool]:
    """True of rows that say something of their own, and do not add up others."""
    return annotation_rows.c.is_total.is_(False)


def _numbers(visible: Visibility) -> sa.Select[Any]:
    """The different numbers of tables that are not long."""
    cell, column, count = annotation_cells.c, annotation_columns.c, sa.func.count()
    by = (cell.document, cell.table_no, cell.column)
    same = sa.and_(
        column.document == cell.document, column.table_no == cell.table_no, column.column == cell.column
    )
    return (
        sa.select(*by, cell.text, count)
        .join(annotation_columns, same)
        .join(documents, documents.c.id == cell.document)
        .where(
            visible.condition(),
            column.table_no >= 0,
            column.rows <= LONGEST_TABLE,
            cell.type.in_((FieldType.NUMBER.value, FieldType.MONEY.value)),
            cell.special == "",
        )
        .group_by(*by, cell.text)
        .order_by(count.desc(), *by, cell.text)
        .limit(MOST_TEXTS)
    )


def _titles(visible: Visibility) -> sa.Select[Any]:
    title = annotation_titles.c
    return (
        sa.select(title.document, title.table_no, title.sheet, title.caption)
        .join(documents, documents.c.id == title.document)
        .where(visible.condition())
    )


def _texts(visible: Visibility) -> sa.Select[Any]:
    cell, count = annotation_cells.c, sa.func.count()
    by = (cell.document, cell.table_no, cell.column)
    kinds = (FieldType.TEXT.value, FieldType.ENUM.value, FieldType.PARTY.value)
    return (
        sa.select(*by, sa.func.min(cell.text), count)
        .join(documents, documents.c.id == cell.document)
        .join(annotation_rows, _same_row())
        .where(
            visible.condition(),
            _is_own(),
            cell.table_no >= 0,
            cell.type.in_(kinds),
            cell.special == "",
            sa.func.length(cell.text) <= LONGEST_TEXT,
        )
        .group_by(*by, cell.key)
        .order_by(count.desc(), *by, cell.key)
        .limit(MOST_TEXTS)
    )
