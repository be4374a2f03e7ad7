"""Sources of conditions: documents with their cells, or rows of tables with their columns.

Both give the same three things in SQL: the rows in scope, the values that a name has in such a row, and what
is known of that name there. Conditions and computations are written against these alone.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import count
from typing import Protocol

import sqlalchemy as sa

from core.domain.annotation import AnnotationSource
from core.domain.fields import CellStatus
from core.domain.ids import DocumentId
from core.domain.matrix import Asking
from core.store.cells.field_rows import column_key
from core.store.cells.status import EVERYBODY, READY, cannot_be_read, is_not_asked, is_unread_of
from core.store.database.among import among
from core.store.database.field_tables import (
    annotation_cells,
    annotation_columns,
    annotation_rows,
    extraction_state,
    field_cells,
)
from core.store.database.field_tables import field_values as values_table
from core.store.database.schema import documents
from core.store.database.visibility import Visibility


@dataclass(frozen=True, slots=True)
class JudgedScope:
    """Documents to evaluate. buckets, documents: () means all; schema: "" for any kind."""

    buckets: tuple[str, ...] = ()
    schema: str = ""
    documents: tuple[str, ...] = ()


def in_scope(scope: JudgedScope, asking: Asking) -> list[sa.ColumnElement[bool]]:
    """Documents of the buckets, by the schema they were extracted by or, unread, by that of their bucket.

    A document that cannot be read is of a schema only where that is known of it.
    """
    found: list[sa.ColumnElement[bool]] = []
    if scope.buckets:
        found.append(documents.c.bucket.in_(sorted(scope.buckets)))
    if scope.documents:
        found.append(among(documents.c.id, scope.documents))
    if scope.schema:
        state = extraction_state.c
        of_kind = sa.select(state.document).where(state.schema == scope.schema)
        is_ready, is_read = documents.c.status == READY, documents.c.id.in_(sa.select(state.document))
        buckets = sorted(name for name, kinds in asking.buckets.items() if scope.schema in kinds)
        found.append(
            sa.or_(
                sa.and_(is_ready, documents.c.id.in_(of_kind)),
                sa.and_(documents.c.bucket.in_(buckets), is_ready, sa.not_(is_read)),
                sa.and_(documents.c.bucket.in_(buckets), is_unread_of(asking, scope.schema)),
            )
        )
    return found


PRESENT = "present"
MISSING = "missing"
UNREADABLE = "unreadable"
UNCERTAIN = "uncertain"
CHECK_AGAIN = "check again"
NOT_EXTRACTED = "not extracted"
NOT_ASKED = "not asked"


class Subject(Protocol):
    """Rows to ask, and how their values are reached."""

    source: AnnotationSource

    @property
    def rows(self) -> sa.FromClause:
        """Clause to select from: it holds `documents`, and the row itself."""
        ...

    @property
    def conditions(self) -> list[sa.ColumnElement[bool]]:
        """Conditions on the rows in scope."""
        ...

    def values(self, name: str) -> tuple[sa.FromClause, sa.ColumnElement[bool]]:
        """A new alias of the table with the values of a name, and how it is joined to a row."""
        ...

    def state(self, name: str) -> sa.ColumnElement[str]:
        """State of a name in a row: PRESENT, MISSING, or why nothing is known."""
        ...

    def dates(self, name: str) -> list[tuple[sa.FromClause, sa.ColumnElement[bool]]]:
        """Tables with what a row says by a name that may be missing, the nearest first, with their joins."""
        ...

    def called(self, name: str) -> str:
        """The one spelling of a name here: columns are known whatever their case and spaces."""
        ...

    @property
    def tables(self) -> tuple[sa.Table, ...]:
        """The tables of `rows`, which a subquery on a row refers to."""
        ...


class CellSubject:
    """Documents, by the cells that count."""

    source = AnnotationSource.CELLS
    tables: tuple[sa.Table, ...] = (documents,)

    def __init__(
        self,
        visible: Visibility,
        bucket: str | None,
        only: Collection[DocumentId] | None = None,
        asking: Asking = EVERYBODY,
        more: Collection[sa.ColumnElement[bool]] = (),
        stand_ins: Mapping[str, Mapping[str, str]] | None = None,
    ) -> None:
        """more: other conditions on documents.

        stand_ins: by field and document another document, whose present cell counts instead.
        """
        self._conditions = [*document_conditions(visible, bucket, only), *more]
        self._stand_ins = stand_ins or {}
        self._numbers = count()
        self._bucket = bucket
        self._asking = asking

    @property
    def rows(self) -> sa.FromClause:
        """The documents."""
        return documents

    @property
    def conditions(self) -> list[sa.ColumnElement[bool]]:
        """Those of the bucket that may be seen."""
        return list(self._conditions)

    def values(self, name: str) -> tuple[sa.FromClause, sa.ColumnElement[bool]]:
        """Values of a field, in documents that are asked for it."""
        value = _alias(values_table, next(self._numbers))
        stand_ins = self._stand_ins.get(name)
        stating: sa.ColumnElement[str] = documents.c.id
        if stand_ins:
            stating = sa.case(dict(stand_ins), value=documents.c.id, else_=documents.c.id)
        on = sa.and_(value.c.document == stating, value.c.field == name)
        others = is_not_asked(self._asking, name, self._bucket)
        return value, on if others is None else sa.and_(on, sa.not_(others))

    def state(self, name: str) -> sa.ColumnElement[str]:
        """The status of the cell, unless it is of an older version or to be checked again.

        UNREADABLE for every document that cannot be read, but where a reviewer decided nevertheless.
        """
        cell = _alias(field_cells, next(self._numbers))
        found = sa.case(
            (cell.c.extracted_version != documents.c.version, NOT_EXTRACTED),
            (cell.c.check_again.is_(True), CHECK_AGAIN),
            (cell.c.status == CellStatus.ABSENT.value, MISSING),
            else_=cell.c.status,
        )
        known = (
            sa.select(found)
            .where(cell.c.document == documents.c.id, cell.c.field == name)
            .correlate(documents)
            .scalar_subquery()
        )
        decided = (
            sa.select(sa.literal(1))
            .where(
                cell.c.document == documents.c.id,
                cell.c.field == name,
                cell.c.is_reviewed.is_(True),
                cell.c.extracted_version == documents.c.version,
            )
            .correlate(documents)
        )
        state = sa.case(
            (sa.and_(cannot_be_read(), ~sa.exists(decided)), UNREADABLE),
            else_=sa.func.coalesce(known, NOT_EXTRACTED),
        )
        if stand_ins := self._stand_ins.get(name):
            state = sa.case((documents.c.id.in_(sorted(stand_ins)), PRESENT), else_=state)
        others = is_not_asked(self._asking, name, self._bucket)
        return state if others is None else sa.case((others, NOT_ASKED), else_=state)

    def dates(self, name: str) -> list[tuple[sa.FromClause, sa.ColumnElement[bool]]]:
        """Values of a field."""
        return [self.values(name)]

    def called(self, name: str) -> str:
        """As it is: fields have names without cases and spaces."""
        return name


class RowSubject:
    """Rows of tables that have all the `columns`; any other name is a field of the row's document."""

    source = AnnotationSource.ROWS
    tables: tuple[sa.Table, ...] = (documents, annotation_rows)

    def __init__(
        self,
        visible: Visibility,
        bucket: str | None,
        columns: Collection[str],
        only: Collection[DocumentId] | None = None,
        asking: Asking = EVERYBODY,
        more: Collection[sa.ColumnElement[bool]] = (),
    ) -> None:
        """more: other conditions on their documents. Rows that add up others are left out."""
        self._columns = {column_key(name) for name in columns}
        self._numbers = count()
        self._documents = CellSubject(visible, bucket, only, asking, more)
        self._conditions = [
            *self._documents.conditions,
            *(_has_column(name) for name in sorted(self._columns)),
            annotation_rows.c.is_total.is_(False),
        ]

    @property
    def rows(self) -> sa.FromClause:
        """The rows with their documents."""
        return annotation_rows.join(documents, documents.c.id == annotation_rows.c.document)

    @property
    def conditions(self) -> list[sa.ColumnElement[bool]]:
        """Those of the bucket that may be seen, in tables that have the columns."""
        return list(self._conditions)

    def values(self, name: str) -> tuple[sa.FromClause, sa.ColumnElement[bool]]:
        """Values of a column in the row, or of a field of its document."""
        key = column_key(name)
        if key not in self._columns:
            return self._documents.values(name)
        value = _alias(annotation_cells, next(self._numbers))
        return value, sa.and_(_same_row(value), value.c.column == key)

    def state(self, name: str) -> sa.ColumnElement[str]:
        """State of that column in the row; of a field, that of the document's."""
        key = column_key(name)
        if key not in self._columns:
            return self._documents.state(name)
        value = _alias(annotation_cells, next(self._numbers))
        there = sa.exists().where(_same_row(value), value.c.column == key)
        return sa.case((there.correlate(annotation_rows), PRESENT), else_=MISSING)

    def dates(self, name: str) -> list[tuple[sa.FromClause, sa.ColumnElement[bool]]]:
        """Cells of the row, then values of a field of its document."""
        value = _alias(annotation_cells, next(self._numbers))
        own = sa.and_(_same_row(value), value.c.column == column_key(name))
        return [(value, own), self._documents.values(name)]

    def called(self, name: str) -> str:
        """The key of a column; a field's name as it is."""
        key = column_key(name)
        return key if key in self._columns else name


def document_conditions(
    visible: Visibility, bucket: str | None, only: Collection[DocumentId] | None = None
) -> list[sa.ColumnElement[bool]]:
    """Conditions on the documents in scope: those of the bucket that may be seen."""
    conditions = [visible.condition()]
    if bucket is not None:
        conditions.append(documents.c.bucket == bucket)
    if only is not None:
        conditions.append(documents.c.id.in_(sorted(only)))
    return conditions


@lru_cache(maxsize=200)
def _alias(table: sa.Table, number: int) -> sa.FromClause:
    """An alias of its own within one subject; kept, for its columns take longer to make than a query."""
    return table.alias(f"{table.name}_{number}")


def _same_row(value: sa.FromClause) -> sa.ColumnElement[bool]:
    return sa.and_(
        value.c.document == annotation_rows.c.document,
        value.c.table_no == annotation_rows.c.table_no,
        value.c.row_no == annotation_rows.c.row_no,
    )


def _has_column(key: str) -> sa.ColumnElement[bool]:
    column = annotation_columns.alias()
    tables = sa.select(column.c.document, column.c.table_no).where(column.c.column == key)
    return sa.tuple_(annotation_rows.c.document, annotation_rows.c.table_no).in_(tables)
