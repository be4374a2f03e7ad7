"""Statements by which documents are connected, as the records have them: parties, values, labels, families.

Each is one statement over the documents that may be seen; nothing about two documents is kept.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
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
from core.store.database.field_tables import (
    annotation_cells,
    extraction_state,
    family_marks,
    field_cells,
    parties,
)
from core.store.database.schema import documents
from core.store.database.visibility import Visibility
from core.store.documents.family import relatives
from core.store.query.subjects import LINES, SubjectSchemas
from core.values.canonical import family_key
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
class StatedThing:
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
class StatedAmendment:
    """A document that says it amends one of that title, as `family_key` gives it."""

    place: StatedPlace
    title: str


@dataclass(frozen=True, slots=True)
class StatedConnections:
    """All that connects documents. is_whole: False where there were more statements than are read.

    titles: by document what it is called, as an amendment would give it.
    """

    documents: Mapping[DocumentId, MappedDocument]
    statements: Sequence[StatedThing]
    kinships: Sequence[StatedKinship] = ()
    amendments: Sequence[StatedAmendment] = ()
    titles: Mapping[DocumentId, str] = field(default_factory=dict)
    is_whole: bool = True


class ConnectionRecords(Repository):
    """Reads what connects documents. Thread-safe; what may not be seen states and is named nothing."""

    def version(self, visible: Visibility) -> int:
        """The data version by which what is read may be kept."""
        with self._database.read() as connection:
            return version_of(connection, visible)

    def documents(self, visible: Visibility) -> frozenset[DocumentId]:
        """The documents that may be on a map."""
        with self._database.read() as connection:
            return frozenset(_documents(connection, visible))

    def read(self, visible: Visibility, schemas: Sequence[Schema]) -> StatedConnections:
        """The statements of all documents that may be seen."""
        known = SubjectSchemas(schemas)
        with self._database.read() as connection:
            read = _documents(connection, visible)
            found = [
                *_parties(connection, visible),
                *_cells(connection, visible, known),
                *_named(connection, visible),
                *_labels(connection, visible, known),
            ]
            inside = [each for each in found if each.place.document in read]
            return StatedConnections(
                read,
                inside[:MOST_STATEMENTS],
                [
                    each
                    for each in _families(connection, visible)
                    if {each.place.document, each.base} <= read.keys()
                ],
                [each for each in _amended(connection, visible) if each.place.document in read],
                _titles(connection, visible),
                len(inside) <= MOST_STATEMENTS,
            )


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


def _parties(connection: Connection, visible: Visibility) -> list[StatedThing]:
    statement = _of_now(sa.select(parties), _PARTY.document, _PARTY.version, visible)
    return [
        StatedThing(_place(row, quote_of_row(row)), "party", row.name, row.normal, row.role, _FACT)
        for row in connection.execute(statement.limit(MOST_STATEMENTS))
        if row.quote
    ]


def _named(connection: Connection, visible: Visibility) -> list[StatedThing]:
    """The parties by which documents are called, on the words that name them."""
    columns = (documents.c.id.label("document"), documents.c.version, documents.c.identity)
    state = extraction_state.c
    statement = (
        sa.select(*columns)
        .join(
            extraction_state, sa.and_(state.document == documents.c.id, state.version == documents.c.version)
        )
        .where(visible.condition(), documents.c.identity.is_not(None))
        .order_by(documents.c.id)
        .limit(MOST_STATEMENTS)
    )
    return [
        StatedThing(_place(row, quotes_of(each["spans"])[0]), "party", name, normal_name(name), "party", sure)
        for row in connection.execute(statement)
        for each in (row.identity or {}).get("parties", ())
        if each["spans"]
        and (name := each["whole"] or each["text"])
        and (sure := max(_CALLED, float(each["confidence"])))
    ]


_CALLED = 0.85  # of 37 read by eye 33 were right, whatever their confidence
_FACT = 0.95
"""Probability of what extraction decided where it says no other."""


def _cells(connection: Connection, visible: Visibility, schemas: SubjectSchemas) -> list[StatedThing]:
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
                found.append(StatedThing(_place(row, quote), connects, value.text, key, title, sure))
    return found


def _words_of(text: str, quotes: Sequence[Quote]) -> Quote | None:
    """The words that state a value of several; None where none of them holds it."""
    plain = "".join(text.split()).casefold()
    holding = (each for each in quotes if plain in "".join(each.quote.split()).casefold())
    return next(holding, None) or next((each for each in quotes if same_party(text, each.quote)), None)


def _labels(connection: Connection, visible: Visibility, schemas: SubjectSchemas) -> list[StatedThing]:
    """Texts of labelled lines, and of columns of tables whose head names something that connects."""
    kinds = _connecting(schemas)
    telling = [label for label, kind in kinds.items() if kind]
    statement = (
        sa.select(annotation_cells, documents.c.version)
        .join(documents, documents.c.id == _ROW.document)
        .where(
            visible.condition(),
            _ROW.type == FieldType.TEXT.value,
            _ROW.special == "",
            sa.func.length(_ROW.text) <= LONGEST_VALUE,
            sa.or_(_ROW.table_no == LINES, _ROW.column.in_(telling)),
        )
        .order_by(_ROW.document, _ROW.table_no, _ROW.row_no, _ROW.ordinal)
        .limit(MOST_STATEMENTS)
    )
    return [
        StatedThing(
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


def _amended(connection: Connection, visible: Visibility) -> list[StatedAmendment]:
    statement = _of_now(sa.select(field_cells), _CELL.document, _CELL.extracted_version, visible).where(
        _CELL.field == _BASE, _CELL.status == CellStatus.PRESENT.value
    )
    return [
        StatedAmendment(_place(row, quote), family_key(value.text))
        for row in connection.execute(statement)
        for value, quote in zip(values_of(row.value)[:1], quotes_of(row.spans), strict=False)
    ]


def _titles(connection: Connection, visible: Visibility) -> dict[DocumentId, str]:
    statement = sa.select(family_marks.c.document, family_marks.c.title).join(
        documents, documents.c.id == family_marks.c.document
    )
    return {DocumentId(id): title for id, title in connection.execute(statement.where(visible.condition()))}


def _place(row: Any, quote: Quote) -> StatedPlace:
    return StatedPlace(DocumentId(row.document), row.version, quote)
