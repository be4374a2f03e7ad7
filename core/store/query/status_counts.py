"""Counts documents by where they stand with a field: each once, in every field that it is asked for."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from core.domain.fields import CellStatus
from core.domain.ids import DocumentId
from core.domain.llm.cells import MODEL
from core.domain.matrix import Asking, FieldCounts, FieldLedger
from core.store.cells.extraction_states import is_whole
from core.store.cells.model_readings import resting_counts
from core.store.cells.status import READY, derived, field_names
from core.store.database.field_tables import extraction_state, field_cells
from core.store.database.schema import documents
from core.store.database.visibility import Visibility
from core.store.query.guess_conditions import guessed_counts

_STATE = extraction_state.c
_CELL = field_cells.c


@dataclass(frozen=True, slots=True)
class _Class:
    """Documents that stand alike with all fields beside their cells. kind: None where it is not known."""

    bucket: str
    kind: str | None
    is_ready: bool
    is_read: bool  # the current version was extracted, not its opening alone


def counts(
    connection: Connection,
    visible: Visibility,
    bucket: str | None,
    fields: Collection[str] | None,
    asking: Asking | None,
) -> dict[str, FieldCounts]:
    """By field, as `Fields.counts`."""
    names = field_names(connection, visible, bucket) if fields is None else sorted(set(fields))
    asking = asking or derived(connection, visible, bucket, names)
    classes = _classes(connection, visible, bucket)
    tally = _Tally(classes, asking)
    for each, row in _cells(connection, visible, bucket, fields, classes):
        tally.add(each, row)
    guessed = guessed_counts(connection, visible, bucket, names)
    by_model = resting_counts(connection, visible, bucket, names)
    found = {
        name: replace(_with_guesses(tally.of(name), guessed.get(name, 0)), by_model=by_model.get(name, 0))
        for name in names
    }
    return {name: each for name, each in found.items() if each.total or each.not_asked}


def _with_guesses(of: FieldCounts, guessed: int) -> FieldCounts:
    """The counts with how many of the undecided cells have a best guess."""
    undecided = of.statuses.get(CellStatus.UNCERTAIN, 0) - of.pending - of.check_again
    return replace(of, guessed=max(0, min(guessed, undecided)))


class _Tally:
    """Cells that count, by field."""

    def __init__(self, classes: Counter[_Class], asking: Asking) -> None:
        self._classes = classes
        self._asking = asking
        self._statuses: dict[str, Counter[CellStatus]] = {}
        self._celled: dict[str, Counter[_Class]] = {}
        self._reviewed: Counter[str] = Counter()
        self._again: Counter[str] = Counter()

    def add(self, of: _Class, row: Any) -> None:
        """Cells of one field and status in documents of one class, unless they do not count."""
        name, cells = row.field, row.cells
        if not self._asking.asks(name, of.bucket, of.kind) or not (of.is_ready or row.is_reviewed):
            return
        status = CellStatus.UNCERTAIN if row.check_again else CellStatus(row.status)
        self._statuses.setdefault(name, Counter())[status] += cells
        self._celled.setdefault(name, Counter())[of] += cells
        self._reviewed[name] += cells if row.is_reviewed else 0
        self._again[name] += cells if row.check_again else 0

    def of(self, name: str) -> FieldCounts:
        """Counts of the field, with the documents that have no cell that counts."""
        statuses = Counter(self._statuses.get(name, Counter()))
        celled = self._celled.get(name, Counter())
        pending = not_asked = 0
        for each, total in self._classes.items():
            left = total - celled[each]
            if not self._asking.asks(name, each.bucket, each.kind):
                not_asked += total
            elif each.is_ready:
                pending += left
            else:
                statuses[CellStatus.UNREADABLE] += left
        statuses[CellStatus.UNCERTAIN] += pending
        known = {status: count for status in CellStatus if (count := statuses[status])}
        return FieldCounts(known, self._reviewed[name], self._again[name], pending, not_asked)


def _classes(connection: Connection, visible: Visibility, bucket: str | None) -> Counter[_Class]:
    """Number of documents of each class."""
    is_ready = documents.c.status == READY
    is_read = _is_read()
    inner = (
        sa.select(documents.c.bucket, _STATE.schema, is_ready.label("ready"), is_read.label("read"))
        .select_from(documents.outerjoin(extraction_state, _STATE.document == documents.c.id))
        .where(*_scope(visible, bucket))
        .subquery()
    )
    found: Counter[_Class] = Counter()
    for row in connection.execute(sa.select(*inner.c, sa.func.count().label("n")).group_by(*inner.c)):
        found[_class_of(row)] += row.n
    return found


def _is_read() -> sa.ColumnElement[bool]:
    is_read: sa.ColumnElement[bool] = sa.func.coalesce(
        sa.and_(_STATE.version == documents.c.version, is_whole()), sa.false()
    )
    return is_read


def _class_of(row: Any) -> _Class:
    is_ready = bool(row.ready)
    return _Class(row.bucket, row.schema if is_ready else None, is_ready, bool(row.read))


def _scope(visible: Visibility, bucket: str | None) -> Iterator[sa.ColumnElement[bool]]:
    yield visible.condition()
    if bucket is not None:
        yield documents.c.bucket == bucket


def _cells(
    connection: Connection,
    visible: Visibility,
    bucket: str | None,
    fields: Collection[str] | None,
    classes: Counter[_Class],
) -> Iterable[tuple[_Class, Any]]:
    """Cells of current versions by class, field, status and review.

    Most documents of a bucket are of one class. Cells of all are counted in an index alone, then those of the
    other documents one by one and taken off: to look every cell's document up takes four times as long.
    """
    by = (_CELL.field, _CELL.status, _CELL.is_reviewed, _CELL.check_again)
    plain = (each for each in classes if each.is_ready and each.is_read)
    main = max(plain, key=lambda each: classes[each], default=None)
    others = _counted_one_by_one(connection, visible, bucket, fields, main)
    if main is None:
        yield from ((each, row) for each, row in others if row.is_current)
        return
    statement = (
        sa.select(*by, sa.func.count().label("cells")).group_by(*by).where(_CELL.bucket == main.bucket)
    )
    if visible.groups is not None or visible.without:
        statement = statement.where(
            _CELL.document.in_(sa.select(documents.c.id).where(*_scope(visible, bucket)))
        )
    if fields is not None:
        statement = statement.where(_CELL.field.in_(sorted(fields)))
    off: Counter[tuple[Any, ...]] = Counter()
    for each, row in others:
        if each.bucket == main.bucket:
            off[row.field, row.status, row.is_reviewed, row.check_again] += row.cells
        if row.is_current:
            yield each, row
    for row in connection.execute(statement):
        cells = row.cells - off[row.field, row.status, row.is_reviewed, row.check_again]
        if cells:
            yield main, _Cells(row.field, row.status, row.is_reviewed, row.check_again, cells)


@dataclass(frozen=True, slots=True)
class _Cells:
    field: str
    status: str
    is_reviewed: bool
    check_again: bool
    cells: int


def _counted_one_by_one(
    connection: Connection,
    visible: Visibility,
    bucket: str | None,
    fields: Collection[str] | None,
    main: _Class | None,
) -> list[tuple[_Class, Any]]:
    """Cells of all documents that are not of the main class, with whether they are of the current version."""
    is_ready = documents.c.status == READY
    is_read = _is_read()
    statement = (
        sa.select(
            documents.c.bucket,
            _STATE.schema,
            is_ready.label("ready"),
            is_read.label("read"),
            _CELL.field,
            _CELL.status,
            _CELL.is_reviewed,
            _CELL.check_again,
            (_CELL.extracted_version == documents.c.version).label("is_current"),
        )
        .select_from(
            documents.outerjoin(extraction_state, _STATE.document == documents.c.id).join(
                field_cells, _CELL.document == documents.c.id
            )
        )
        .where(*_scope(visible, bucket))
    )
    if main is not None:
        alike = sa.and_(documents.c.bucket == main.bucket, _STATE.schema == main.kind, is_read, is_ready)
        statement = statement.where(~sa.func.coalesce(alike, sa.false()))
    if fields is not None:
        statement = statement.where(_CELL.field.in_(sorted(fields)))
    inner = statement.subquery()
    grouped = sa.select(*inner.c, sa.func.count().label("cells")).group_by(*inner.c)
    return [(_class_of(row), row) for row in connection.execute(grouped)]


def ledger(
    connection: Connection, visible: Visibility, bucket: str | None, field: str, asking: Asking | None
) -> FieldLedger:
    """By document, as `Fields.ledger`; ids in order."""
    asking = asking or derived(connection, visible, bucket, [field])
    statement = (
        sa.select(
            documents.c.id,
            documents.c.bucket,
            documents.c.status,
            _STATE.schema,
            _CELL.status,
            _CELL.is_reviewed,
            _CELL.check_again,
            _CELL.extracted_version == documents.c.version,
            _CELL.method,
        )
        .select_from(
            documents.outerjoin(extraction_state, _STATE.document == documents.c.id).outerjoin(
                field_cells, sa.and_(_CELL.document == documents.c.id, _CELL.field == field)
            )
        )
        .where(*_scope(visible, bucket))
        .order_by(documents.c.id)
    )
    places: dict[str, list[DocumentId]] = {}
    for id_, of, readable, kind, status, is_reviewed, again, is_current, method in connection.execute(
        statement
    ):
        document, is_ready = DocumentId(id_), readable == READY
        if not asking.asks(field, of, kind if is_ready else None):
            places.setdefault("not_asked", []).append(document)
        elif not is_ready and not (is_current and is_reviewed):
            places.setdefault("unreadable", []).append(document)
        elif is_current and not again:
            places.setdefault(status, []).append(document)
            if method == MODEL and not is_reviewed:
                places.setdefault("by_model", []).append(document)
        else:
            places.setdefault("check_again" if is_current else "pending", []).append(document)
            places.setdefault("uncertain", []).append(document)
    return FieldLedger(field, **{name: tuple(found) for name, found in places.items()})
