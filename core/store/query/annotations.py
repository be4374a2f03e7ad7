"""Search and computation over what documents state: cells, and rows of their tables."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from difflib import get_close_matches
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from core.domain.annotation import (
    Accounting,
    AggregateResult,
    AnnotationHit,
    AnnotationHits,
    AnnotationSource,
    Calculation,
)
from core.domain.fields import FieldType
from core.domain.ids import DocumentId
from core.domain.matrix import Asking
from core.domain.predicate import Predicate
from core.errors import UsageError
from core.store.cells.field_rows import column_key
from core.store.cells.status import derived, field_names, is_of_visible
from core.store.cells.table_rows import RowKey, read_rows
from core.store.database.among import among
from core.store.database.db import Repository
from core.store.database.field_tables import annotation_columns, annotation_rows, field_cells
from core.store.database.schema import documents
from core.store.database.visibility import Visibility
from core.store.documents.rows import SUMMARY_COLUMNS, summary_of
from core.store.query import matrix
from core.store.query.computing import Computation, Request, unknown_rows
from core.store.query.conditions import ConditionCompiler
from core.store.query.sources import CellSubject, RowSubject, Subject, document_conditions

_ASPECTS = ("unit", "year", "month", "quarter")


@dataclass(frozen=True, slots=True)
class Chosen:
    """Documents over which to compute; any number of them.

    stand_ins: as `core.store.query.evaluate` has them.
    """

    documents: Collection[str]
    stand_ins: Mapping[str, Mapping[str, str]] | None = None

    def conditions(self, connection: Connection) -> list[sa.ColumnElement[bool]]:
        """Conditions that choose them."""
        return [among(documents.c.id, self.documents)]


class Annotations(Repository):
    """Thread-safe. What a caller may not see is not searched, not computed with and not counted.

    `source` None decides by the names: cells where all are fields that were extracted in the bucket, else
    rows of the tables that have them as columns; a condition on rows may name fields of its document too.
    `asking` None: as the cells tell; see `core.store.cells.status.derived`.
    """

    def search(
        self,
        visible: Visibility,
        bucket: str | None,
        predicates: Sequence[Predicate],
        top_k: int = 10,
        document: DocumentId | None = None,
        *,
        source: AnnotationSource | None = None,
        asking: Asking | None = None,
    ) -> AnnotationHits:
        """Documents, or rows of tables, that fulfil all conditions, by title and place. Raises UsageError."""
        with self._database.read() as connection:
            names = [predicate.field for predicate in predicates]
            only = None if document is None else (document,)
            subject = _subject(connection, visible, bucket, names, only, source, asking=asking)
            predicates = [replace(each, field=subject.called(each.field)) for each in predicates]
            compiled = ConditionCompiler(connection, subject)
            holds = [compiled.holds(predicate) for predicate in predicates]
            scope = _count(connection, subject, [])
            total = _count(connection, subject, holds)
            hits = _hits(connection, visible, subject, holds, names, max(0, top_k))
            excluded = unknown_rows(connection, subject, compiled, predicates)
        return AnnotationHits(tuple(hits), total, scope, subject.source, tuple(excluded))

    def aggregate(
        self,
        visible: Visibility,
        bucket: str | None,
        group_by: str | Sequence[str] = (),
        predicates: Sequence[Predicate] = (),
        aggregate: Calculation | str = Calculation.COUNT,
        field: str = "",
        *,
        document: DocumentId | None = None,
        source: AnnotationSource | None = None,
        rates: Mapping[str, Decimal] | None = None,
        into: str = "",
        accounting: Accounting | None = None,
        asking: Asking | None = None,
        within: Chosen | None = None,
    ) -> AggregateResult:
        """Compute over the values of `field`, exactly; COUNT of "" counts documents, or rows of tables.

        Values of a field that takes many count each. Conditions on `field` or on what is grouped by choose
        among its values, all others choose documents. group_by: fields; a date's `.year`, `.quarter` or
        `.month`, and the `.unit` of amounts and numbers, are its aspects.
        rates: what one of each other unit is worth in `into`; accounting: its rates are used instead, and
        amounts without one are left out. Raises UsageError, naming units and rows, where
        units are mixed and no rate is stated. within: only these documents, as many as there are; the
        result then says which documents each group is made of.
        """
        by = (group_by,) if isinstance(group_by, str) and group_by else tuple(group_by)
        with self._database.read() as connection:
            fields = [predicate.field for predicate in predicates] + ([field] if field else [])
            only = None if document is None else (document,)
            subject = _subject(connection, visible, bucket, fields, only, source, by, asking, within)
            request = Request(
                _aggregate(aggregate),
                subject.called(field),
                tuple(_called(subject, name) for name in by),
                tuple(replace(each, field=subject.called(each.field)) for each in predicates),
                dict(rates or {}),
                into.strip(),
                accounting,
            )
            computation = Computation(connection, subject, request)
            found = computation.result(_count(connection, subject, []))
            members = {} if within is None else computation.members()
            spelled = {subject.called(name): name for name in (*fields, *by)}
        excluded = tuple(replace(each, field=spelled.get(each.field, each.field)) for each in found.excluded)
        return replace(
            found,
            field=field,
            group_by=by,
            excluded=excluded,
            members=tuple(members.get(group.key, ()) for group in found.groups) if members else (),
        )

    def names(
        self,
        visible: Visibility,
        bucket: str | None,
        source: AnnotationSource | None = None,
        asking: Asking | None = None,
    ) -> dict[str, AnnotationSource]:
        """The names that conditions may use: extracted fields and, where no field is so called, columns."""
        with self._database.read() as connection:
            found: dict[str, AnnotationSource] = {}
            if source is not AnnotationSource.CELLS:
                found |= dict.fromkeys(_columns(connection, visible, bucket), AnnotationSource.ROWS)
            if source is not AnnotationSource.ROWS:
                found |= dict.fromkeys(_fields(connection, visible, bucket, asking), AnnotationSource.CELLS)
        return found

    def types(
        self,
        visible: Visibility,
        bucket: str | None,
        name: str,
        source: AnnotationSource = AnnotationSource.CELLS,
    ) -> list[FieldType]:
        """The types of a name's values, the most frequent first; [] where it has none."""
        with self._database.read() as connection:
            subject: Subject = CellSubject(visible, bucket)
            if source is AnnotationSource.ROWS:
                subject = RowSubject(visible, bucket, (name,))
            kinds = ConditionCompiler(connection, subject).kinds(name)
        return list(dict.fromkeys(kind.type for kind in kinds))


def _aggregate(name: Calculation | str) -> Calculation:
    try:
        return Calculation(name)
    except ValueError:
        known = ", ".join(each.value for each in Calculation)
        raise UsageError(
            f"Unknown aggregate {str(name)!r}. Expected one of: {known}.", next_step="Choose one of them."
        ) from None


def _subject(
    connection: Connection,
    visible: Visibility,
    bucket: str | None,
    names: Sequence[str],
    only: Collection[DocumentId] | None,
    source: AnnotationSource | None,
    group_by: Sequence[str] = (),
    asking: Asking | None = None,
    within: Chosen | None = None,
) -> Subject:
    """Subject of the names. Raises UsageError for one that nothing in the bucket is called."""
    more = [] if within is None else within.conditions(connection)
    stand_ins = None if within is None else within.stand_ins
    if within is not None and source is AnnotationSource.CELLS and asking is not None:
        stems = (name.rpartition(".")[0] for name in group_by)
        named = {*names, *group_by, *stems}
        fields = _with_cells(connection, visible, named, asking) | {
            name for name in named if asking.fields.get(name)
        }
        wanted = [*names, *(_without_aspect(name, fields) for name in group_by)]
        if fields.issuperset(wanted):  # else all are looked through for what may be meant
            return CellSubject(visible, bucket, only, asking, more, stand_ins)
    fields = _fields(connection, visible, bucket, asking)
    wanted = [*names, *(_without_aspect(name, fields) for name in group_by)]
    others = [name for name in wanted if name not in fields]
    if source is AnnotationSource.CELLS or (source is None and not others):
        _require_known(others, fields)
        asking = asking or derived(connection, visible, bucket, fields.intersection(wanted))
        return CellSubject(visible, bucket, only, asking, more, stand_ins)
    columns = _columns(connection, visible, bucket)
    wanted = [*names, *(_without_aspect(name, columns) for name in group_by)]
    of_rows = [name for name in wanted if column_key(name) in columns]
    unknown = [name for name in wanted if column_key(name) not in columns and name not in fields]
    _require_known(unknown, [*fields, *columns.values()])
    asking = asking or derived(connection, visible, bucket, fields.intersection(wanted))
    return RowSubject(visible, bucket, of_rows, only, asking, more)


def _without_aspect(name: str, known: Collection[str]) -> str:
    if name in known or column_key(name) in known:
        return name
    stem, _, aspect = name.rpartition(".")
    return stem if stem and aspect in _ASPECTS else name


def _called(subject: Subject, name: str) -> str:
    """A name grouped by as the subject calls it, with its aspect."""
    called = subject.called(name)
    stem, dot, aspect = name.rpartition(".")
    is_aspect = called == name and dot and aspect in _ASPECTS
    return f"{subject.called(stem)}.{aspect}" if is_aspect else called


def _require_known(unknown: Sequence[str], known: Collection[str]) -> None:
    if not unknown:
        return
    close = get_close_matches(unknown[0], list(known), 3, 0.5) or sorted(known)[:12]
    raise UsageError(
        f"Nothing here is called {unknown[0]!r}.",
        next_step=f"Did you mean one of: {', '.join(close)}?"
        if close
        else "Run `groundwork extract` first: no fields were extracted from the documents that you may see.",
    )


def _with_cells(
    connection: Connection, visible: Visibility, names: Collection[str], asking: Asking
) -> set[str]:
    """Fields among these that documents have cells of, and that a schema still asks for."""
    kept = sorted(name for name in names if not asking.is_dropped(name))
    if visible.is_whole:
        found = sa.select(field_cells.c.field).where(field_cells.c.field.in_(kept)).distinct()
        return set(connection.execute(found).scalars())
    one = sa.select(sa.literal(1)).where(is_of_visible(visible)).limit(1)
    return {name for name in kept if connection.execute(one.where(field_cells.c.field == name)).first()}


def _fields(
    connection: Connection, visible: Visibility, bucket: str | None, asking: Asking | None
) -> set[str]:
    found = field_names(connection, visible, bucket)
    return {name for name in found if asking is None or not asking.is_dropped(name)}


def _columns(connection: Connection, visible: Visibility, bucket: str | None) -> dict[str, str]:
    column = annotation_columns.c
    statement = (
        sa.select(column.column, sa.func.min(column.name))
        .join(documents, documents.c.id == column.document)
        .where(*document_conditions(visible, bucket))
        .group_by(column.column)
    )
    return {row[0]: row[1] for row in connection.execute(statement)}


def _count(connection: Connection, subject: Subject, holds: Sequence[sa.ColumnElement[bool]]) -> int:
    statement = sa.select(sa.func.count()).select_from(subject.rows).where(*subject.conditions, *holds)
    return int(connection.execute(statement).scalar_one())


def _hits(
    connection: Connection,
    visible: Visibility,
    subject: Subject,
    holds: Sequence[sa.ColumnElement[bool]],
    names: Sequence[str],
    limit: int,
) -> list[AnnotationHit]:
    is_of_rows = subject.source is AnnotationSource.ROWS
    order: list[sa.ColumnElement[Any]] = [documents.c.search_text, documents.c.id]
    selected: list[Any] = list(SUMMARY_COLUMNS)
    if is_of_rows:
        order += [annotation_rows.c.table_no, annotation_rows.c.row_no]
        selected += [annotation_rows.c.table_no, annotation_rows.c.row_no]
    rows = connection.execute(
        sa.select(*selected)
        .select_from(subject.rows)
        .where(*subject.conditions, *holds)
        .order_by(*order)
        .limit(limit)
    ).all()
    if is_of_rows:
        keys: list[RowKey] = [(DocumentId(row.id), row.table_no, row.row_no) for row in rows]
        read = read_rows(connection, keys)
        return [AnnotationHit(summary_of(row), (), read[key]) for row, key in zip(rows, keys, strict=True)]
    wanted = list(dict.fromkeys(names))
    cells = matrix.cells(connection, visible, None, [DocumentId(row.id) for row in rows], wanted)
    by_document: dict[str, dict[str, Any]] = {}
    for cell in cells:
        by_document.setdefault(cell.document, {})[cell.field] = cell
    return [
        AnnotationHit(
            summary_of(row),
            tuple(found for name in wanted if (found := by_document.get(row.id, {}).get(name)) is not None),
        )
        for row in rows
    ]
