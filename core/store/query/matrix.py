"""The matrix in SQL: pages of it, sorted and filtered, and the list of what is unsure."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterator, Sequence
from dataclasses import replace
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from core.cache import Cache
from core.domain.fields import Cell, CellStatus
from core.domain.ids import DocumentId
from core.domain.matrix import MatrixPage, MatrixQuery, MatrixRow, WorkItem
from core.errors import UsageError
from core.store.cells.field_rows import BRIEF_COLUMNS, CELL_COLUMNS, brief_cell_of, cell_of, guesses_by_cell
from core.store.cells.status import EVERYBODY, cannot_be_read, derived, is_unread_of, settled
from core.store.database.among import among
from core.store.database.changes import version_of
from core.store.database.db import matches, rows_among, slices
from core.store.database.field_tables import (
    extraction_state,
    field_cells,
    field_guesses,
    field_values,
)
from core.store.database.schema import documents, storable
from core.store.database.visibility import Visibility
from core.store.documents.rows import SUMMARY_COLUMNS, summary_of
from core.store.query.guess_conditions import GuessCompiler, split, sureness
from core.store.query.sources import document_conditions

_LONGEST_FILTER = 1_000
_FEW_FIELDS = 10
_ROWS_AT_ONCE = 200
RowOrders = Cache[tuple[int, Hashable], tuple[str, ...]]
"""The ids of views in order, by data version and view."""
_RANK = {CellStatus.PRESENT: 0, CellStatus.UNCERTAIN: 1, CellStatus.ABSENT: 2, CellStatus.UNREADABLE: 3}
_ASPECTS = ("any", "status", "sure")
"""Of an order by a field: guesses among the values, by status, by how sure it is."""
_DOCUMENT_ORDER = {
    "": documents.c.search_text,
    "@title": documents.c.search_text,
    "@source": documents.c.source,
    "@status": documents.c.status,
    "@updated": documents.c.updated_at,
}


def row_orders() -> RowOrders:
    """Keep the orders asked for last.

    The grid asks for a view part by part, several at once. Sorting 5,000 documents by values takes 65 ms of a
    core, and to count them as long again: once a view, not once a part.
    """
    return Cache(16, room=400_000, weigh=len)  # documents in all orders together: some 40 MB


def page(connection: Connection, visible: Visibility, query: MatrixQuery, orders: RowOrders) -> MatrixPage:
    """Some rows with their cells."""
    query = _with_asking(connection, visible, query)
    view = (version_of(connection), _view(visible, query))
    ids = orders.get_or_make(view, lambda: _sorted(connection, visible, query))
    wanted = ids[query.offset : query.offset + query.limit]
    return MatrixPage(len(ids), tuple(_rows(connection, _found(connection, visible, wanted), query, False)))


def rows(connection: Connection, visible: Visibility, query: MatrixQuery) -> Iterator[MatrixRow]:
    """All rows in order, whatever the query's limit, with whole cells; read some at a time."""
    query = _with_asking(connection, visible, query)
    for some in slices(_sorted(connection, visible, query), _ROWS_AT_ONCE):
        yield from _rows(connection, _found(connection, visible, some), query, True)


def _sorted(connection: Connection, visible: Visibility, query: MatrixQuery) -> tuple[str, ...]:
    statement = sa.select(documents.c.id).where(*_conditions(connection, visible, query))
    return tuple(connection.execute(_ordered(statement, query)).scalars())


def _found(connection: Connection, visible: Visibility, wanted: Sequence[str]) -> list[Any]:
    """The rows of these documents, in this order."""
    statement = sa.select(*SUMMARY_COLUMNS).where(visible.condition())
    known = {row.id: row for row in rows_among(connection, statement, documents.c.id, wanted)}
    return [known[each] for each in wanted if each in known]


def _view(visible: Visibility, query: MatrixQuery) -> Hashable:
    """All that decides which documents are shown, and in which order."""
    asking = query.asking or EVERYBODY
    names = _named(query)
    asked = frozenset((name, asking.fields[name]) for name in names if name in asking.fields)
    view = replace(query, fields=(), limit=0, offset=0, asking=None)
    places = frozenset(each for each in asking.places if each[0] in names)
    return visible, view, asked, places, frozenset(asking.buckets.items()), asking.recognised


def _with_asking(connection: Connection, visible: Visibility, query: MatrixQuery) -> MatrixQuery:
    if query.asking is not None:
        return query
    names = {*query.fields, *_named(query)}
    return replace(query, asking=derived(connection, visible, query.bucket, names))


def _named(query: MatrixQuery) -> set[str]:
    """The fields that choose and order the rows."""
    given = (query.order_field, *(predicate.field for predicate in query.where))
    return {split(name)[0] for name in given} - {""}


def _conditions(
    connection: Connection, visible: Visibility, query: MatrixQuery
) -> list[sa.ColumnElement[bool]]:
    compiled = GuessCompiler(connection, visible, query.bucket, query.asking or EVERYBODY)
    return [
        *document_conditions(visible, query.bucket),
        *_narrowed(query),
        *(compiled.holds(predicate) for predicate in query.where),
    ]


def _rows(
    connection: Connection, found: Sequence[Any], query: MatrixQuery, is_whole: bool
) -> Iterator[MatrixRow]:
    """The documents of these rows with what counts of their cells."""
    columns, read = (CELL_COLUMNS, cell_of) if is_whole else (BRIEF_COLUMNS, brief_cell_of)
    cells: dict[str, dict[str, tuple[Cell, int]]] = {row.id: {} for row in found}
    kinds: dict[str, str] = {}
    named = frozenset(query.fields)
    for some in slices(list(cells)):
        state = sa.select(extraction_state.c.document, extraction_state.c.schema)
        kinds |= {
            row[0]: row[1]
            for row in connection.execute(state.where(extraction_state.c.document.in_(some))).all()
        }
        wanted = sa.select(*columns, field_cells.c.extracted_version).where(field_cells.c.document.in_(some))
        if len(query.fields) <= _FEW_FIELDS:  # more are read faster by reading all of a document's
            wanted = wanted.where(field_cells.c.field.in_(query.fields))
        for row in connection.execute(wanted).all():
            if row[1] in named:
                cells[row[0]][row[1]] = (read(row), row[-1])
    guesses = guesses_by_cell(connection, list(cells), query.fields)
    for row in found:
        asking = query.asking or EVERYBODY
        made = settled(summary_of(row), kinds.get(row.id), query.fields, cells[row.id], asking)
        of_row = {
            name: guesses[row.id, name]
            for name, cell in made.cells.items()
            if cell.finding.status is CellStatus.UNCERTAIN and (row.id, name) in guesses
        }
        yield replace(made, guesses=of_row) if of_row else made


def cells(
    connection: Connection,
    visible: Visibility,
    bucket: str | None,
    wanted: Collection[DocumentId] | None,
    fields: Collection[str] | None,
) -> Iterator[Cell]:
    """Cells whole, by document and field, as the promise level of the question decides them."""
    statement = (
        sa.select(*CELL_COLUMNS, field_cells.c.bucket)
        .join(documents, documents.c.id == field_cells.c.document)
        .where(visible.condition())
        .order_by(field_cells.c.document, field_cells.c.field)
    )

    def read(row: Sequence[Any]) -> Cell:
        found, promise = cell_of(row), visible.promise
        return found if promise is None else promise.cell(found, row[-1])

    if bucket is not None:
        statement = statement.where(field_cells.c.bucket == bucket)
    if fields is not None:
        statement = statement.where(field_cells.c.field.in_(sorted(fields)))
    yield from map(read, rows_among(connection, statement, field_cells.c.document, wanted))


def newest_verdicts(
    connection: Connection, visible: Visibility, schema: str, field: str, limit: int
) -> list[Cell]:
    """Cells of one field that a reviewer decided last and that stand."""
    c = field_cells.c
    statement = (
        sa.select(*CELL_COLUMNS)
        .join(documents, documents.c.id == c.document)
        .where(visible.condition(), c.field == field, c.schema.in_(("", schema)))
        .where(c.is_reviewed.is_(True), c.check_again.is_(False))
        .order_by(c.reviewed_at.desc(), c.document)
        .limit(limit)
    )
    return list(map(cell_of, connection.execute(statement)))


def reviewed(connection: Connection, bucket: str | None) -> Iterator[Cell]:
    """Cells that a reviewer decided and that stand."""
    statement = (
        sa.select(*CELL_COLUMNS)
        .where(field_cells.c.is_reviewed.is_(True), field_cells.c.check_again.is_(False))
        .order_by(field_cells.c.document, field_cells.c.field)
        .where(matches(field_cells.c.bucket, bucket))
    )
    yield from map(cell_of, connection.execute(statement))


def worklist(
    connection: Connection,
    visible: Visibility,
    bucket: str | None,
    fields: Collection[str] | None,
    limit: int,
    *,
    only: Collection[DocumentId] | None = None,
) -> list[WorkItem]:
    """Cells to be checked again, then uncertain ones, the closest to even odds first. only: a few documents.

    There a verdict most often differs from the best guess: of probabilities that are right, the guess that
    fits one best is wrong with min(p, 1 - p). `bench.reviewer` measures it.
    """
    c = field_cells.c
    statement = (
        sa.select(c.document, c.field, documents.c.name, c.check_again, c.probability)
        .join(documents, documents.c.id == c.document)
        .outerjoin(extraction_state, extraction_state.c.document == documents.c.id)
        .where(visible.condition(), c.extracted_version == documents.c.version)
        .where(sa.or_(c.schema == extraction_state.c.schema, c.schema == ""))  # of another kind: hidden
        .limit(limit)
        .where(among(c.document, only))
        # As expressions, which no index serves: the one by doubt gives the first few without sorting all.
        .where(matches(c.bucket + "", bucket), among(c.field + "", fields))
    )
    every_status = [status.value for status in CellStatus]  # says nothing, but leads into the index
    again = statement.where(c.status.in_(every_status), c.check_again.is_(True)).order_by(c.document, c.field)
    # From even odds upwards and downwards, each in the order of an index, instead of sorting all by distance.
    open_cells = statement.where(c.status == CellStatus.UNCERTAIN.value, c.check_again.is_(False))
    above = open_cells.where(c.probability >= 0.5).order_by(c.probability, c.document, c.field)
    below = open_cells.where(c.probability < 0.5).order_by(c.probability.desc(), c.document, c.field)
    first = [_work_item(row) for row in connection.execute(again)]
    rest = [_work_item(row) for part in (above, below) for row in connection.execute(part)]
    rest.sort(key=lambda item: (abs(item.probability - 0.5), item.document, item.field))
    return (first + rest)[:limit]


def worklist_of(
    connection: Connection,
    visible: Visibility,
    only: Collection[DocumentId],
    fields: Collection[str] | None,
    limit: int,
) -> list[WorkItem]:
    """The same of some documents, in whatever buckets they are."""
    found = [
        item
        for some in slices(sorted(only))
        for item in worklist(connection, visible, None, fields, limit, only=some)
    ]
    found.sort(key=lambda item: (not item.check_again, abs(item.probability - 0.5), item.document))
    return found[:limit]


def _work_item(row: Any) -> WorkItem:
    return WorkItem(DocumentId(row.document), row.field, row.name, row.check_again, row.probability)


def _narrowed(query: MatrixQuery) -> Sequence[sa.ColumnElement[bool]]:
    narrowed: list[sa.ColumnElement[bool]] = []
    if text := storable(query.text.strip().casefold()[:_LONGEST_FILTER]):
        narrowed.append(documents.c.search_text.contains(text, autoescape=True))
    if query.schema:
        others = sa.select(extraction_state.c.document).where(extraction_state.c.schema != query.schema)
        of_kind = sa.and_(sa.not_(cannot_be_read()), documents.c.id.not_in(others))
        narrowed.append(sa.or_(of_kind, is_unread_of(query.asking or EVERYBODY, query.schema)))
    return narrowed


def _ordered(statement: sa.Select[Any], query: MatrixQuery) -> sa.Select[Any]:
    """In the order asked for; ties by title, then id; documents without a value always last."""

    def directed(column: sa.ColumnElement[Any]) -> sa.ColumnElement[Any]:
        return column.desc() if query.descending else column.asc()

    ties = (documents.c.search_text, documents.c.id)
    if query.order_field in _DOCUMENT_ORDER:
        return statement.order_by(directed(_DOCUMENT_ORDER[query.order_field]), documents.c.id)
    name, aspect = split(query.order_field)
    if not name or aspect not in ("", *_ASPECTS):
        known = ", ".join(key for key in _DOCUMENT_ORDER if key)
        aspects = ", ".join(f"'FIELD@{each}'" for each in _ASPECTS)
        raise UsageError(
            f"Rows cannot be ordered by {query.order_field!r}.",
            next_step=f"Give a field, {aspects}, or one of: {known}.",
        )
    cell, value = field_cells.alias("ordered_cell"), field_values.alias("ordered_value")
    guess = field_guesses.alias("ordered_guess")
    statement = statement.outerjoin_from(
        documents, cell, sa.and_(cell.c.document == documents.c.id, cell.c.field == name)
    ).outerjoin(
        guess,
        sa.and_(
            guess.c.document == documents.c.id,
            guess.c.field == name,
            cell.c.status == CellStatus.UNCERTAIN.value,
            cell.c.extracted_version == documents.c.version,
        ),
    )
    unread = sa.and_(cannot_be_read(), cell.c.reviewed_by.is_(None))
    rank = sa.case(
        (unread, _RANK[CellStatus.UNREADABLE]),
        (cell.c.extracted_version != documents.c.version, len(_RANK)),
        *((cell.c.status == status.value, number) for status, number in _RANK.items()),
        else_=len(_RANK),
    )
    sure = sureness(cell, guess)
    if aspect == "status":
        return statement.order_by(directed(rank), directed(-sure), *ties)
    if aspect == "sure":
        return statement.order_by(sa.case((sure.is_(None), 1), else_=0), directed(sure), *ties)
    statement = statement.outerjoin(
        value,
        sa.and_(value.c.document == documents.c.id, value.c.field == name, value.c.ordinal == 0),
    )
    is_readable = sa.not_(cannot_be_read())
    behind = 0 if aspect == "any" else 1
    place = sa.case(
        (value.c.document.is_not(None), 0),
        (sa.and_(guess.c.document.is_not(None), is_readable), behind),
        else_=2,
    )

    def stated(column: str, empty: object) -> sa.ColumnElement[Any]:
        return sa.func.coalesce(value.c[column], guess.c[column], empty)

    by_value = (directed(stated("unit", "")), directed(stated("amount", 0)), directed(stated("key", "")))
    return statement.order_by(place, stated("special", ""), *by_value, rank, *ties)
