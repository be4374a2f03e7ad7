"""Statements by which documents are connected, as the records have them: parties, values, labels, families.

Each is one statement over the documents that may be seen; nothing about two documents is kept.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from core.config.fields import Schema
from core.domain.evidence.connection import MapEdgeKind, StatedPlace
from core.domain.fields import CellStatus, FieldType, Fit, Quote
from core.domain.ids import DocumentId
from core.store.cells.field_rows import quote_of_row, quotes_of, values_of
from core.store.cells.status import READY
from core.store.database.changes import version_of
from core.store.database.db import Repository
from core.store.database.field_tables import annotation_cells, field_cells, parties
from core.store.database.schema import documents
from core.store.database.visibility import Visibility
from core.store.documents.family import relatives
from core.store.query.subjects import LINES, SubjectSchemas
from core.values.names import normal_name, same_party

MOST_STATEMENTS = 400_000
LONGEST_VALUE = 80  # characters: longer ones are sentences
_BASE = "amendment_of"
_CELL, _ROW, _PARTY = field_cells.c, annotation_cells.c, parties.c


@dataclass(frozen=True, slots=True)
class MappedDocument:
    """A document that may be on the map."""

    id: DocumentId
    name: str
    bucket: str
    version: int


@dataclass(frozen=True, slots=True)
class Statement:
    """A value that a document states. connects: as fields have it, "party" for one, "" for a label.

    key: by what it is compared; about: title of the field, role or label.
    """

    place: StatedPlace
    connects: str
    text: str
    key: str
    about: str
    probability: float


@dataclass(frozen=True, slots=True)
class StatedKinship:
    """A document that says what it amends or stands under."""

    place: StatedPlace
    base: DocumentId
    kind: MapEdgeKind
    probability: float


@dataclass(frozen=True, slots=True)
class StatedConnections:
    """All that connects documents. is_whole: False where there were more statements than are read."""

    documents: Mapping[DocumentId, MappedDocument]
    statements: Sequence[Statement]
    kinships: Sequence[StatedKinship]
    is_whole: bool


class ConnectionRecords(Repository):
    """Reads what connects documents. Thread-safe; what may not be seen states and is named nothing."""

    def version(self, visible: Visibility) -> int:
        """The data version by which what is read may be kept."""
        with self._database.read() as connection:
            return version_of(connection, visible)

    def read(
        self, visible: Visibility, schemas: Sequence[Schema], bases: Mapping[str, str]
    ) -> StatedConnections:
        """The statements of all documents that may be seen.

        bases: by amendment the document that it amends, among those that may be seen.
        """
        known = SubjectSchemas(schemas)
        with self._database.read() as connection:
            read = _documents(connection, visible)
            found = [
                *_parties(connection, visible),
                *_cells(connection, visible, known),
                *_labels(connection, visible, known),
            ]
            kinships = [*_families(connection, visible), *_amended(connection, visible, bases)]
        inside = [each for each in found if each.place.document in read]
        whole = len(inside) <= MOST_STATEMENTS
        own = [each for each in kinships if each.place.document in read and each.base in read]
        return StatedConnections(read, inside[:MOST_STATEMENTS], own, whole)


def _documents(connection: Connection, visible: Visibility) -> dict[DocumentId, MappedDocument]:
    row = documents.c
    statement = sa.select(row.id, row.name, row.bucket, row.version).where(
        row.status == READY, visible.condition()
    )
    return {each.id: MappedDocument(*each) for each in connection.execute(statement.order_by(row.id))}


def _of_now(
    statement: sa.Select[Any], document: sa.Column[str], version: sa.Column[int], visible: Visibility
) -> sa.Select[Any]:
    """The statement over documents that may be seen, as they are now."""
    is_now = sa.and_(documents.c.id == document, documents.c.version == version)
    return statement.join(documents, is_now).where(visible.condition()).order_by(document)


def _parties(connection: Connection, visible: Visibility) -> list[Statement]:
    statement = _of_now(sa.select(parties), _PARTY.document, _PARTY.version, visible)
    return [
        Statement(_place(row, quote_of_row(row)), "party", row.name, row.normal, row.role, _FACT)
        for row in connection.execute(statement.limit(MOST_STATEMENTS))
        if row.quote
    ]


_FACT = 0.95
"""Probability of what extraction decided where it says no other."""


def _cells(connection: Connection, visible: Visibility, schemas: SubjectSchemas) -> list[Statement]:
    """Values of the fields that connect, each with the words that state it."""
    named = {
        (schema.name, each.name): (
            "party" if each.type is FieldType.PARTY else each.connects,
            each.title,
        )
        for schema in schemas.schemas
        for each in schema.fields
        if each.connects or each.type is FieldType.PARTY
    }
    statement = _of_now(sa.select(field_cells), _CELL.document, _CELL.extracted_version, visible).where(
        _CELL.field.in_(sorted({name for _, name in named})),
        _CELL.status == CellStatus.PRESENT.value,
        _CELL.check_again.is_(False),
    )
    found = []
    for row in connection.execute(statement.limit(MOST_STATEMENTS)):
        connects, title = named.get((row.schema, row.field), ("", ""))
        quotes = quotes_of(row.spans)
        sure = 1.0 if row.is_reviewed else max(0.5, float(row.confidence))
        for value in values_of(row.value) if connects else ():
            quote = _words_of(value.text, quotes)
            if quote is not None and not value.special and len(value.text) <= LONGEST_VALUE:
                key = value.normal or normal_name(value.text) if connects == "party" else value.text
                found.append(Statement(_place(row, quote), connects, value.text, key, title, sure))
    return found


def _words_of(text: str, quotes: Sequence[Quote]) -> Quote | None:
    """The words that state a value of several; None where none of them holds it."""
    plain = "".join(text.split()).casefold()
    holding = (each for each in quotes if plain in "".join(each.quote.split()).casefold())
    return next(holding, None) or next((each for each in quotes if same_party(text, each.quote)), None)


def _labels(connection: Connection, visible: Visibility, schemas: SubjectSchemas) -> list[Statement]:
    """Texts of labelled lines, and of columns where several documents have the same below one head."""
    is_text = sa.and_(
        _ROW.type == FieldType.TEXT.value, _ROW.special == "", sa.func.length(_ROW.text) <= LONGEST_VALUE
    )
    again = (
        sa.select(_ROW.column, _ROW.key)
        .join(documents, documents.c.id == _ROW.document)
        .where(visible.condition(), is_text, _ROW.table_no > LINES)
        .group_by(_ROW.column, _ROW.key)
        .having(sa.func.count(sa.distinct(_ROW.document)) > 1)
        .subquery()
    )
    on_again = sa.and_(again.c.column == _ROW.column, again.c.key == _ROW.key)
    statement = (
        sa.select(annotation_cells, documents.c.version)
        .join(documents, documents.c.id == _ROW.document)
        .outerjoin(again, on_again)
        .where(visible.condition(), is_text, sa.or_(_ROW.table_no == LINES, again.c.key.is_not(None)))
        .order_by(_ROW.document, _ROW.table_no, _ROW.row_no, _ROW.ordinal)
        .limit(MOST_STATEMENTS)
    )
    kinds = _connecting(schemas)
    return [
        Statement(
            _place(row, quote_of_row(row)), kinds.get(row.column, ""), row.text, row.key, row.name, _FACT
        )
        for row in connection.execute(statement)
        if row.quote
    ]


def _connecting(schemas: SubjectSchemas) -> dict[str, str]:
    """By label the kind of thing that all fields which it may name connect by."""
    kinds = {each.name: each.connects for schema in schemas.schemas for each in schema.fields}
    named = {label: {kinds[name] for name in names} for label, names in schemas.named_by.items()}
    return {label: min(some) for label, some in named.items() if len(some) == 1}


def _families(connection: Connection, visible: Visibility) -> list[StatedKinship]:
    sure = {Fit.STATED: 0.98, Fit.LIKELY: 0.8}
    return [
        StatedKinship(
            StatedPlace(below, version, each.quote),
            each.id,
            MapEdgeKind(each.kinship),
            sure.get(each.fit, 0.6),
        )
        for below, version, each in relatives(connection, visible)
    ]


def _amended(connection: Connection, visible: Visibility, bases: Mapping[str, str]) -> list[StatedKinship]:
    """The documents that state by a field which other one they amend."""
    statement = _of_now(sa.select(field_cells), _CELL.document, _CELL.extracted_version, visible).where(
        _CELL.field == _BASE, _CELL.status == CellStatus.PRESENT.value
    )
    return [
        StatedKinship(_place(row, quote), DocumentId(bases[row.document]), MapEdgeKind.AMENDS, 0.9)
        for row in connection.execute(statement)
        if row.document in bases
        for quote in quotes_of(row.spans)[:1]
    ]


def _place(row: Any, quote: Quote) -> StatedPlace:
    return StatedPlace(DocumentId(row.document), row.version, quote)
