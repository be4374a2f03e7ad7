"""Rows of tables that fulfil conditions, and what is known of the others: which documents have such rows."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from core.domain.document import FilePart, PartState
from core.domain.fields import AnnotationRow, FieldType
from core.domain.ids import DocumentId
from core.domain.matrix import Asking
from core.domain.predicate import Predicate
from core.domain.results import Unknown
from core.store.cells.field_rows import column_key
from core.store.cells.table_rows import PlainCell, RowKey, cells_of_table, read_rows
from core.store.database.db import Repository
from core.store.database.field_tables import (
    annotation_cells,
    annotation_columns,
    annotation_rows,
    annotation_titles,
    extraction_state,
)
from core.store.database.schema import document_versions, documents
from core.store.database.visibility import Visibility
from core.store.documents.rows import parts_of
from core.store.query.conditions import ConditionCompiler, typed_predicate
from core.store.query.derived import UNIT, is_derived
from core.store.query.derived_rows import holds_in_row
from core.store.query.evaluate import Clause, RankedValue
from core.store.query.sources import RowSubject, among

MOST_ROWS = 100_000


@dataclass(frozen=True, slots=True)
class RowsChosen:
    """Rows that fulfil all conditions, by title and place.

    unknown: documents without such rows, but with some of which it is not known; excluded: how many of these
    there are, by field and reason. values: with an order, the value of each row that has one.
    """

    keys: tuple[RowKey, ...]
    unknown: dict[str, Unknown]
    excluded: tuple[tuple[str, str, int], ...]
    values: dict[RowKey, RankedValue]


class RowSelection(Repository):
    """Thread-safe. What a caller may not see is not searched."""

    def choose(
        self,
        visible: Visibility,
        within: Collection[str],
        conditions: Sequence[Clause],
        fields: Sequence[str],
        asking: Asking,
        order_by: str = "",
        tables: Collection[str] = (),
        *,
        with_totals: bool = False,
    ) -> RowsChosen:
        """Rows of the documents `within`, at most MOST_ROWS; fields: what their tables must have, too.

        A name that no table has as a column is a field of the row's document. tables: only of these, as
        "document|table"; with_totals: also rows that add up others. Raises UsageError.
        """
        predicates = [each for clause in conditions for each in _alternatives(clause)]
        named = [name for each in predicates for name in (each.field.removesuffix(UNIT), *each.others)]
        names = [*named, *fields, *([order_by] if order_by else [])]
        with self._database.read() as connection:
            columns = _columns(connection, within)
            of_rows = [name for name in names if column_key(name) in columns]
            only = [among(connection, documents.c.id, within)]
            if tables:
                row = annotation_rows.c
                only.append(among(connection, row.document + "|" + sa.cast(row.table_no, sa.Text), tables))
            subject = RowSubject(visible, None, of_rows, None, asking, more=only, with_totals=with_totals)
            compiled = ConditionCompiler(connection, subject)
            clauses: list[list[Predicate]] = []
            fixed: list[sa.ColumnElement[bool]] = []
            holds: list[sa.ColumnElement[bool]] = []
            for clause in map(_alternatives, conditions):
                plain = [_read(compiled, subject, each) for each in clause if not is_derived(each)]
                ways = [compiled.holds(each) for each in plain]
                ways += [holds_in_row(subject, each) for each in clause if is_derived(each)]
                (holds if plain else fixed).append(sa.or_(*ways))
                clauses += [plain] if plain else []
            keys, values = _chosen(connection, subject, [*fixed, *holds], order_by)
            unknown, excluded = _unknown(connection, subject, compiled, clauses, holds, fixed)
        chosen = {key[0] for key in keys}
        return RowsChosen(
            keys, {id: why for id, why in unknown.items() if id not in chosen}, excluded, values
        )

    def values(self, keys: Sequence[RowKey], column: str) -> dict[RowKey, RankedValue]:
        """The value of a column in each of these rows that has one to compare or compute with."""
        found: dict[RowKey, RankedValue] = {}
        cell = annotation_cells.c
        named = cell.document + "|" + sa.cast(cell.table_no, sa.Text) + "|" + sa.cast(cell.row_no, sa.Text)
        statement = sa.select(
            cell.document, cell.table_no, cell.row_no,
            cell.type, cell.unit, cell.amount, cell.text, cell.key,
        ).where(cell.column == column_key(column), cell.special == "")  # fmt: skip
        with self._database.read() as connection:
            within = among(connection, cell.document, {key[0] for key in keys})
            chosen = among(connection, named, [f"{d}|{t}|{r}" for d, t, r in keys])
            for each in connection.execute(statement.where(within, chosen)):
                key = (DocumentId(each.document), each.table_no, each.row_no)
                found.setdefault(
                    key,
                    RankedValue(
                        each.document, FieldType(each.type), each.unit, each.amount, each.text, each.key
                    ),
                )
        return found

    def versions(self, within: Collection[str]) -> dict[str, int]:
        """Of which version of each document its rows are."""
        row = annotation_rows.c
        statement = sa.select(row.document, sa.func.max(row.version)).group_by(row.document)
        with self._database.read() as connection:
            found = connection.execute(statement.where(among(connection, row.document, within)))
            return {document: int(version) for document, version in found}

    def missing_parts(self, versions: Mapping[str, int]) -> dict[str, tuple[FilePart, ...]]:
        """Of each document what its rows are without: parts of its file that were left out or not read."""
        held = document_versions.c
        statement = sa.select(held.document, held.version, held.parts)
        with self._database.read() as connection:
            found = connection.execute(statement.where(among(connection, held.document, versions)))
            parts = {
                each.document: parts_of(each.parts)
                for each in found
                if versions[each.document] == each.version
            }
        return {
            document: kept
            for document, several in parts.items()
            if (kept := tuple(each for each in several if each.state is not PartState.READ))
        }

    def cells_of_table(self, document: DocumentId, table_no: int) -> list[PlainCell]:
        """All cells of one table, by row and place."""
        with self._database.read() as connection:
            return list(cells_of_table(connection, document, table_no))

    def sheets(self, within: Collection[str]) -> dict[str, str]:
        """Names of the sheets of tables, or the lines above them, by "document|table"."""
        title = annotation_titles.c
        statement = sa.select(title.document, title.table_no, title.sheet, title.caption)
        with self._database.read() as connection:
            found = connection.execute(statement.where(among(connection, title.document, within)))
            return {f"{each.document}|{each.table_no}": each.sheet or each.caption for each in found}

    def stamps(self, within: Collection[str]) -> dict[str, str]:
        """Of each document a text that is another one whenever its rows may be others."""
        state = extraction_state.c
        statement = sa.select(state.document, state.version, state.fingerprint, state.at)
        with self._database.read() as connection:
            found = connection.execute(statement.where(among(connection, state.document, within)))
            return {each.document: f"{each.version} {each.fingerprint} {each.at}" for each in found}

    def read(self, keys: Sequence[RowKey]) -> dict[RowKey, AnnotationRow]:
        """Rows with all their cells."""
        with self._database.read() as connection:
            return read_rows(connection, keys)


def _alternatives(clause: Clause) -> tuple[Predicate, ...]:
    return clause if isinstance(clause, tuple) else (clause,)


def _read(compiled: ConditionCompiler, subject: RowSubject, predicate: Predicate) -> Predicate:
    called = Predicate(subject.called(predicate.field), predicate.op, predicate.value)
    return typed_predicate(called, list(dict.fromkeys(kind.type for kind in compiled.kinds(called.field))))


def _columns(connection: Connection, within: Collection[str]) -> set[str]:
    column = annotation_columns.c
    statement = sa.select(column.column).where(among(connection, column.document, within)).distinct()
    return set(connection.execute(statement).scalars())


def _chosen(
    connection: Connection, subject: RowSubject, holds: Sequence[sa.ColumnElement[bool]], order_by: str
) -> tuple[tuple[RowKey, ...], dict[RowKey, RankedValue]]:
    row = annotation_rows.c
    columns: list[Any] = [row.document, row.table_no, row.row_no]
    source = subject.rows
    if order_by:
        value, on = subject.values(subject.called(order_by))
        columns += [value.c[name] for name in ("type", "unit", "amount", "text", "key", "special")]
        source = source.outerjoin(value, on)
    statement = (
        sa.select(*columns)
        .select_from(source)
        .where(*subject.conditions, *holds)
        .order_by(documents.c.search_text, row.document, row.table_no, row.row_no)
        .limit(MOST_ROWS)
    )
    keys: dict[RowKey, None] = {}
    values: dict[RowKey, RankedValue] = {}
    for found in connection.execute(statement):
        key = (DocumentId(found.document), found.table_no, found.row_no)
        keys[key] = None
        if order_by and found.special == "" and key not in values:
            values[key] = RankedValue(
                found.document, FieldType(found.type), found.unit, found.amount, found.text, found.key
            )
    return tuple(keys), values


def _unknown(
    connection: Connection,
    subject: RowSubject,
    compiled: ConditionCompiler,
    clauses: Sequence[Sequence[Predicate]],
    holds: Sequence[sa.ColumnElement[bool]],
    fixed: Sequence[sa.ColumnElement[bool]],
) -> tuple[dict[str, Unknown], tuple[tuple[str, str, int], ...]]:
    """Documents with rows that may fulfil the conditions; these rows counted by what is first in the way."""
    if not clauses:
        return {}, ()
    reasons = [[compiled.unknown(each) for each in clause] for clause in clauses]
    possible = [
        sa.or_(each, *(reason.is_not(None) for reason in some))
        for each, some in zip(holds, reasons, strict=True)
    ]
    open_ones = [
        sa.case((each, sa.null()), else_=sa.func.coalesce(*some, sa.null())).label(f"reason_{at}")
        for at, (each, some) in enumerate(zip(holds, reasons, strict=True))
    ]
    inner = (
        sa.select(annotation_rows.c.document, *open_ones)
        .select_from(subject.rows)
        .where(*subject.conditions, *fixed, *possible, sa.not_(sa.and_(*holds)))
        .subquery()
    )
    statement = sa.select(*inner.c, sa.func.count()).group_by(*inner.c).order_by(*inner.c)
    unknown: dict[str, Unknown] = {}
    counted: dict[tuple[str, str], int] = {}
    for document, *found, rows in connection.execute(statement):
        at, reason = next((at, each) for at, each in enumerate(found) if each is not None)
        field = clauses[at][0].field
        unknown.setdefault(document, Unknown(field=field, reason=reason))
        counted[field, reason] = counted.get((field, reason), 0) + rows
    return unknown, tuple((field, reason, rows) for (field, reason), rows in sorted(counted.items()))
