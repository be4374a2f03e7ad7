"""Subjects of documents, as their schemas tell them, and when they hold: what statements are compared by."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import PurePath
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from core.config.fields import KIND, KeyValueExtractor, Schema
from core.domain.certainty.contradiction import StatingDocument
from core.domain.fields import CellStatus, FieldType
from core.domain.ids import DocumentId
from core.domain.wire.documents import identity_from_json
from core.store.cells.amendments import OF_ITS_OWN
from core.store.cells.field_rows import column_key
from core.store.cells.status import READY
from core.store.database.db import rows_among
from core.store.database.field_tables import (
    annotation_cells,
    extraction_state,
    field_cells,
    field_guesses,
    field_values,
)
from core.store.database.schema import documents
from core.store.database.visibility import Visibility
from core.values.canonical import family_key
from core.values.names import normal_name
from core.values.stated_years import written_years

LINES = -1
"""The table that labelled lines of a document are in."""

LEAST_GUESS = 0.5
"""From how likely on a best guess of an undecided cell makes a contradiction possible."""

_NAME = "document_name"
_CELL, _VALUE, _GUESS, _ROW = field_cells.c, field_values.c, field_guesses.c, annotation_cells.c

Subject = tuple[str, ...]
"""What documents are about, as it is compared: equal for one thing."""


@dataclass(frozen=True)
class SubjectSchemas:
    """Schemas with what contradictions need of them."""

    schemas: Sequence[Schema]

    @cached_property
    def by_name(self) -> Mapping[str, Schema]:
        """The schemas by their names."""
        return {each.name: each for each in self.schemas}

    @cached_property
    def marks(self) -> frozenset[str]:
        """Fields that tell of which thing documents are, and when they hold."""
        subjects = [each.subject for each in self.schemas if each.subject is not None]
        return frozenset(name for each in subjects for name in (*each.fields, *each.since, each.until))

    @cached_property
    def named_by(self) -> Mapping[str, frozenset[str]]:
        """By label of a line the fields that it may name."""
        found: dict[str, set[str]] = defaultdict(set)
        for each in (each for schema in self.schemas for each in schema.fields):
            keys = (key for by in each.extractors if isinstance(by, KeyValueExtractor) for key in by.keys)
            for label in (each.title, *each.synonyms, *keys):
                found[column_key(label)].add(each.name)
        return {label: frozenset(names) for label, names in found.items()}

    def named(self, label: str) -> str:
        """The one field that a label names; the label itself where none or several do."""
        names = self.named_by.get(label, frozenset())
        return next(iter(names)) if len(names) == 1 else label

    @property
    def subject_labels(self) -> list[str]:
        """Labels of the fields that tell alone of which thing a document is."""
        subjects = [each.subject.fields for each in self.schemas if each.subject is not None]
        alone = {fields[0] for fields in subjects if len(fields) == 1}
        return sorted(label for label, names in self.named_by.items() if names & alone)

    @cached_property
    def titles(self) -> Mapping[str, str]:
        """Titles of fields by their names."""
        return {each.name: each.title for schema in self.schemas for each in schema.fields}

    def comparable(self, schema: str, name: str) -> bool:
        """True of a field of one value that is not what the subject is told by."""
        of = self.by_name.get(schema)
        definition = of.field(name) if of is not None else None
        if of is None or of.subject is None or definition is None:
            return False
        is_told = name in of.subject.fields or (name in OF_ITS_OWN and (name == KIND or not of.subject.once))
        return not (is_told or definition.many or definition.type is FieldType.BOOLEAN)


@dataclass
class MarkedDocument:
    """A document with what it is about, in words for people. is_guessed: by a best guess of a cell."""

    document: StatingDocument
    subjects: dict[Subject, str] = field(default_factory=dict)
    is_guessed: bool = False


def marked_documents(
    connection: Connection, visible: Visibility, schemas: SubjectSchemas
) -> dict[str, MarkedDocument]:
    """Every document that may be seen and was read, with its subjects."""
    state = extraction_state.c
    row = documents.c
    of = sa.select(
        row.id, row.name, row.title, row.source, row.version, row.bucket, state.schema, state.family
    )
    is_read = sa.and_(row.status == READY, state.version == row.version, visible.condition())
    rows = connection.execute(of.join(extraction_state, state.document == row.id).where(is_read)).all()
    marks, labels = sorted(schemas.marks), schemas.subject_labels
    facts = (
        sa.select(_VALUE.document, _VALUE.field, _VALUE.text)
        .join(field_cells, sa.and_(_CELL.document == _VALUE.document, _CELL.field == _VALUE.field))
        .where(_VALUE.field.in_(marks), _VALUE.special == "", _CELL.extracted_version == documents.c.version)
        .where(_CELL.status == CellStatus.PRESENT.value, _CELL.check_again.is_(False))
        .order_by(_VALUE.document, _VALUE.field, _VALUE.ordinal)
    )
    guesses = sa.select(_GUESS.document, _GUESS.field, _GUESS.text).where(
        _GUESS.field.in_(marks), _GUESS.special == "", _GUESS.probability >= LEAST_GUESS
    )
    lines = sa.select(_ROW.document, sa.literal(_NAME), _ROW.text).where(
        _ROW.table_no == LINES, _ROW.column.in_(labels)
    )
    stated = _texts(connection, visible, facts, _VALUE.document)
    guessed = _texts(connection, visible, guesses, _GUESS.document)
    labelled = _texts(connection, visible, lines.order_by(_ROW.document, _ROW.ordinal), _ROW.document)
    bare = [
        each.id
        for each in rows
        if (schema := schemas.by_name.get(each.schema)) is None
        or schema.subject is None
        or any(name not in stated[each.id] for name in schema.subject.fields)
        or not (schema.subject.once or any(name in stated[each.id] for name in schema.subject.since))
    ]
    named = dict(rows_among(connection, sa.select(row.id, row.identity), row.id, bare))
    found: dict[str, MarkedDocument] = {}
    for each in rows:
        id = each.id
        found[id] = _mark(each, guessed[id], stated[id], labelled[id].get(_NAME, ()), named.get(id), schemas)
    _join_amendments(found)
    return found


def _texts(
    connection: Connection, visible: Visibility, of: sa.Select[Any], document: sa.ColumnElement[str]
) -> dict[str, dict[str, list[str]]]:
    """Texts by document and name, as a statement gives all three; {} for a document without any."""
    found: dict[str, dict[str, list[str]]] = defaultdict(dict)
    rows = of.join(documents, documents.c.id == document).where(visible.condition())
    for id, name, text in connection.execute(rows):
        found[id].setdefault(name, []).append(text)
    return found


def _mark(
    row: Any,
    guessed: Mapping[str, list[str]],
    stated: Mapping[str, list[str]],
    lines: Sequence[str],
    named: Mapping[str, Any] | None,
    schemas: SubjectSchemas,
) -> MarkedDocument:
    """A document with its subjects: by its schema, and by lines that name one; and with when it holds."""
    schema = schemas.by_name.get(row.schema)
    subject = schema.subject if schema is not None else None
    identity = identity_from_json(named) if named else None
    day = identity.day.text if identity is not None else ""
    since = next((stated[name][0] for name in (subject.since if subject else ()) if name in stated), day)
    until = stated[subject.until][0] if subject and subject.until in stated else ""
    document = StatingDocument(
        DocumentId(row.id),
        row.name,
        row.version,
        row.bucket,
        row.schema,
        since,
        until,
        amends=bool(row.family),
        once=bool(subject and subject.once),
    )
    marked = MarkedDocument(
        document if since else in_years(document, f"{row.title} {PurePath(row.source).stem}")
    )
    marked.subjects = {(family_key(text),): text for text in lines if family_key(text)}
    if schema is None or subject is None:
        return marked
    parts: list[str] = []
    words: list[str] = []
    for name in subject.fields:
        definition, values = schema.field(name), stated.get(name, [])
        if not values and name in guessed and not (definition and definition.many):
            values, marked.is_guessed = guessed[name][-1:], True
        if definition is None:
            return marked
        if definition.type is FieldType.PARTY:
            texts = values
            if not values and identity is not None and definition.many:
                texts = [each.whole or each.text for each in identity.parties]
            keys = sorted({normal_name(each) for each in texts})
            parts.append("|".join(keys) if len(keys) > 1 or not definition.many else "")
            words.append(" / ".join(texts))
        elif name == _NAME:
            title = values[0] if values else row.title
            parts.append(row.family or family_key(title))
            words.insert(0, title)
        else:
            parts.append(" ".join(map(family_key, values)))
            words.append(" ".join(values))
    if all(parts):
        marked.subjects[tuple(parts)] = " \u00b7 ".join(words)
    return marked


def _join_amendments(marked: Mapping[str, MarkedDocument]) -> None:
    """Have an amendment be about the one agreement of its parties whose name begins as it says."""
    names: dict[Subject, set[str]] = defaultdict(set)
    for each in marked.values():
        for *parties, name in each.subjects if not each.document.amends else ():
            names[tuple(parties)].add(name)
    for each in marked.values():
        for subject, words in list(each.subjects.items()) if each.document.amends else ():
            *parties, name = subject
            known = names.get(tuple(parties), set())
            fitting = [other for other in known if f"{other} ".startswith(f"{name} ")]
            if name not in known and len(fitting) == 1:
                each.subjects = {(*parties, fitting[0]): words}


def in_years(document: StatingDocument, text: str) -> StatingDocument:
    """The document as it holds in the years that a text names; as it is where it names none."""
    years = written_years(text)
    return replace(document, since=min(years), until=f"{max(years)}-12-31") if years else document
