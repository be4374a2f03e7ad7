"""Status of a document in a field beyond its cell: it cannot be read, or is not asked for that field.

Nothing of this is stored: it follows from the document, from the schema by which it was extracted and from
which schemas ask for the field; so it holds of failed files, of fields added since, and of changed kinds.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from core.config.schema_store import GENERIC
from core.domain.document import DocumentStatus, DocumentSummary
from core.domain.fields import Cell, CellStatus, Finding
from core.domain.matrix import Asking, MatrixRow
from core.store.database.db import matches
from core.store.database.field_tables import extraction_state, field_cells
from core.store.database.schema import documents
from core.store.database.visibility import Visibility

EVERYBODY = Asking({}, {})
"""Every document is asked for every field."""

READY = DocumentStatus.READY.value


def cannot_be_read() -> sa.ColumnElement[bool]:
    """True where a document's file failed, or holds no text."""
    is_unreadable: sa.ColumnElement[bool] = documents.c.status != READY
    return is_unreadable


def is_unread_of(asking: Asking, schema: str) -> sa.ColumnElement[bool]:
    """True where a document cannot be read and is known to be of a schema all the same.

    Its bucket has this schema by choice, an earlier version was read by it, or a field that it alone has was
    decided by hand.
    """
    others = [name for name, kinds in asking.buckets.items() if kinds and schema not in kinds]
    by_bucket = documents.c.bucket.not_in(sorted({*others, *asking.recognised}))
    if not asking.recognised:
        return sa.and_(cannot_be_read(), by_bucket)
    own = [name for name, kinds in asking.fields.items() if kinds == {schema}]
    known = sa.or_(_read_by([schema] if schema != GENERIC else []), _is_decided(own))
    is_known = sa.and_(documents.c.bucket.in_(sorted(asking.recognised)), known)
    return sa.and_(cannot_be_read(), sa.or_(by_bucket, is_known))


def is_of_unknown_kind(asking: Asking) -> sa.ColumnElement[bool]:
    """True where a document cannot be read and nothing tells of which kind it is."""
    if not asking.recognised:
        return sa.false()
    kinds = sorted(set[str]().union(*asking.fields.values()) - {GENERIC})
    own = [name for name, kinds in asking.fields.items() if len(kinds) == 1]
    return sa.and_(
        cannot_be_read(),
        documents.c.bucket.in_(sorted(asking.recognised)),
        sa.not_(sa.or_(_read_by(kinds), _is_decided(own))),
    )


def _read_by(schemas: Sequence[str]) -> sa.ColumnElement[bool]:
    state = extraction_state.c
    return documents.c.id.in_(sa.select(state.document).where(state.schema.in_(schemas)))


def _is_decided(fields: Sequence[str]) -> sa.ColumnElement[bool]:
    """True where a person decided any of these fields of the current version."""
    cell = field_cells.c
    return (
        sa.select(sa.literal(1))
        .where(
            cell.document == documents.c.id,
            cell.field.in_(sorted(fields)),
            cell.is_reviewed.is_(True),
            cell.extracted_version == documents.c.version,
        )
        .correlate(documents)
        .exists()
    )


def is_not_asked(asking: Asking, name: str, bucket: str | None) -> sa.ColumnElement[bool] | None:
    """True where a document's kind has no such field; None where every document is asked for it."""
    buckets = sorted(asking.buckets) if bucket is None else [bucket]
    strange = [each for each in buckets if not asking.concerns(name, each)]
    ways: list[sa.ColumnElement[bool]] = [documents.c.bucket.in_(strange)] if strange else []
    for each in buckets:
        others = asking.strangers(name, each)
        if not others or each in strange:
            continue
        of_others = sa.select(extraction_state.c.document).where(
            extraction_state.c.schema.in_(sorted(others))
        )
        ways.append(
            sa.and_(documents.c.bucket == each, documents.c.status == READY, documents.c.id.in_(of_others))
        )
    return sa.or_(*ways) if ways else None


def derived(connection: Connection, visible: Visibility, bucket: str | None, fields: Iterable[str]) -> Asking:
    """Asked fields by the cells: a schema asks for a field where a document of it has such a cell.

    A field that was added to a schema and is in no cell yet is asked of nobody; who knows the schemas says it
    better.
    """
    statement = (
        sa.select(documents.c.bucket, extraction_state.c.schema)
        .join(extraction_state, extraction_state.c.document == documents.c.id)
        .where(documents.c.status == READY, visible.condition())
        .distinct()
        .where(matches(documents.c.bucket, bucket))
    )
    kinds: dict[str, set[str]] = {}
    for of, schema in connection.execute(statement):
        kinds.setdefault(of, set()).add(schema)
    every = sorted(set().union(*kinds.values()))
    cell = field_cells.c
    asked: dict[str, frozenset[str]] = {}
    for name in fields:
        found = every
        if len(every) > 1:
            of_field = sa.select(sa.literal(1)).where(
                cell.field == name, is_of_visible(visible), matches(cell.bucket, bucket)
            )
            found = [
                kind
                for kind in every
                if connection.execute(of_field.where(cell.schema == kind).limit(1)).first() is not None
            ]
        asked[name] = frozenset(found)
    return Asking(asked, {name: frozenset(found) for name, found in kinds.items()})


def is_of_visible(visible: Visibility) -> sa.ColumnElement[bool]:
    """True of a cell whose document may be seen; costs nothing for who sees everything."""
    if visible.groups is None and not visible.without:
        return sa.true() if visible.buckets is None else field_cells.c.bucket.in_(sorted(visible.buckets))
    return sa.exists().where(documents.c.id == field_cells.c.document, visible.condition())


def field_names(connection: Connection, visible: Visibility, bucket: str | None) -> list[str]:
    """The names of fields with cells in a bucket: from one to the next in an index, not through all cells.

    A name that only cells have which may not be seen is none: each is asked for one that may be.
    """
    found: list[str] = []
    names = sa.select(sa.func.min(field_cells.c.field)).where(matches(field_cells.c.bucket, bucket))
    name = connection.execute(names).scalar()
    while name is not None:
        found.append(name)
        name = connection.execute(names.where(field_cells.c.field > name)).scalar()
    if visible.is_whole:
        return found
    of_bucket = sa.true() if bucket is None else field_cells.c.bucket == bucket
    seen = sa.select(sa.literal(1)).where(of_bucket, is_of_visible(visible)).limit(1)
    return [each for each in found if connection.execute(seen.where(field_cells.c.field == each)).first()]


def settled(
    document: DocumentSummary,
    kind: str | None,
    fields: Iterable[str],
    cells: Mapping[str, tuple[Cell, int]],
    asking: Asking,
) -> MatrixRow:
    """A row of the matrix. kind: the schema of the last extraction. cells: with the version extracted."""
    is_ready = document.status is DocumentStatus.READY
    found: dict[str, Cell] = {}
    pending, not_asked = [], []
    for name in fields:
        cell, extracted = cells.get(name, (None, 0))
        is_current = cell is not None and extracted == document.version
        if not asking.asks(name, document.bucket, kind if is_ready else None):
            not_asked.append(name)
        elif not is_ready and not (is_current and cell is not None and cell.review is not None):
            found[name] = unreadable_cell(document, name)
        elif is_current and cell is not None:
            found[name] = cell
        else:
            pending.append(name)
    return MatrixRow(document, found, frozenset(pending), frozenset(not_asked))


def unreadable_cell(document: DocumentSummary, field: str, event: int = 0) -> Cell:
    """The cell of a document that cannot be read: it says why."""
    finding = Finding(CellStatus.UNREADABLE, note=document.reason)
    return Cell(document.id, document.version, field, finding, None, finding, event)
