"""Contradictions in the records: statements of one thing gathered, and held against one another.

Documents are told by what their schemas name a subject, rows of tables by their first column. Each table is
read once and in groups, no two documents are compared that are not about one thing: of 100,000 documents only
those that share a subject have their values read.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import groupby
from pathlib import PurePath
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from core.cache import Cache
from core.config.fields import KIND, KeyValueExtractor, Schema
from core.domain.certainty.guess import guesses_of
from core.domain.contradiction import Contradiction, ContradictionState, Statement, StatingDocument
from core.domain.fields import TEXTS, CellStatus, FieldType
from core.domain.ids import DocumentId
from core.domain.wire.documents import identity_from_json
from core.fields.contradictions import judged
from core.store.cells.amendments import OF_ITS_OWN
from core.store.cells.field_rows import CELL_COLUMNS, cell_of, column_key, quote_of_row, value_of_row
from core.store.cells.status import READY
from core.store.database.changes import version_of
from core.store.database.db import Database, rows_among
from core.store.database.field_tables import (
    annotation_cells,
    annotation_columns,
    annotation_titles,
    extraction_state,
    field_cells,
    field_values,
)
from core.store.database.schema import documents
from core.store.database.visibility import Sight, Visibility
from core.values.canonical import family_key
from core.values.names import normal_name
from core.values.stated_years import written_years

MOST_CONTRADICTIONS, MOST_CELLS = 2_000, 400_000
_KEPT = 8  # visibilities
_NAME, _LINES = "document_name", -1
_LEAST_GUESS = 0.5
_CELL, _VALUE, _ROW = field_cells.c, field_values.c, annotation_cells.c
_STATES = list(ContradictionState)

Subject = tuple[str, ...]
"""What documents are about, as it is compared: equal for one thing."""


class ContradictionRecords:
    """Finds contradictions, once for a data version and a sight. Thread-safe.

    A document that may not be seen states nothing, and resolves nothing.
    """

    def __init__(self, database: Database) -> None:
        self._database = database
        self._kept: Cache[tuple[int, Sight, int], tuple[Contradiction, ...]] = Cache(_KEPT)

    def find(self, visible: Visibility, schemas: Sequence[Schema]) -> tuple[Contradiction, ...]:
        """Those among the documents that may be seen: open ones first, the resolved last; at most 2,000.

        schemas: by which subjects are told; visible: without copies of others.
        """
        with self._database.read() as connection:
            key = (
                version_of(connection, visible),
                visible.sight,
                hash(tuple(each.model_dump_json() for each in schemas)),
            )
            return self._kept.get_or_make(key, lambda: _find(connection, visible, _Schemas(schemas)))


@dataclass(frozen=True)
class _Schemas:
    """Schemas with what contradictions need of them."""

    schemas: Sequence[Schema]

    @cached_property
    def by_name(self) -> Mapping[str, Schema]:
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
        return {each.name: each.title for schema in self.schemas for each in schema.fields}

    def comparable(self, schema: str, name: str) -> bool:
        """True of a field of one value that is not what the subject is told by."""
        of = self.by_name.get(schema)
        definition = of.field(name) if of is not None else None
        if of is None or definition is None or definition.many or definition.type is FieldType.BOOLEAN:
            return False
        own = of.subject.fields if of.subject is not None else ()
        return name not in own and (
            name not in OF_ITS_OWN or (name != KIND and bool(of.subject and of.subject.once))
        )


@dataclass
class _Marked:
    """A document with what it is about, in words for people."""

    document: StatingDocument
    subjects: dict[Subject, str] = field(default_factory=dict)


@dataclass
class _Groups:
    """Statements by what they are of."""

    found: dict[tuple[Subject, str], list[Statement]] = field(default_factory=lambda: defaultdict(list))
    things: dict[Subject, str] = field(default_factory=dict)
    titles: dict[str, str] = field(default_factory=dict)

    def add(self, subject: Subject, thing: str, about: str, title: str, statement: Statement) -> None:
        self.found[subject, about].append(statement)
        self.things.setdefault(subject, thing)
        self.titles.setdefault(about, title)


def _find(connection: Connection, visible: Visibility, schemas: _Schemas) -> tuple[Contradiction, ...]:
    marked = _marked(connection, visible, schemas)
    sharing: dict[Subject, int] = defaultdict(int)
    for each in marked.values():
        for subject in each.subjects:
            sharing[subject] += 1
    shared = {id for id, each in marked.items() if any(sharing[subject] > 1 for subject in each.subjects)}
    groups = _Groups()
    _add_cells(connection, groups, marked, shared, schemas)
    _add_lines(connection, groups, marked, shared, schemas)
    _add_pairs(connection, groups, marked, visible)
    _add_rows(connection, groups, marked, visible)
    made = (
        judged(groups.things[subject], about, groups.titles[about], group)
        for (subject, about), group in groups.found.items()
        if len(group) > 1
    )
    found = sorted((each for each in made if each is not None), key=_order)
    return tuple(found[:MOST_CONTRADICTIONS])


def _order(each: Contradiction) -> tuple[int, str, str]:
    return _STATES.index(each.state), each.thing.casefold(), each.title


def _marked(connection: Connection, visible: Visibility, schemas: _Schemas) -> dict[str, _Marked]:
    """Every document that may be seen and was read, with its subjects."""
    state = extraction_state.c
    row = documents.c
    of = sa.select(
        row.id, row.name, row.title, row.source, row.version, row.bucket, state.schema, state.family
    )
    is_read = sa.and_(row.status == READY, state.version == row.version, visible.condition())
    rows = connection.execute(of.join(extraction_state, state.document == row.id).where(is_read)).all()
    stated = _stated(connection, visible, schemas.marks)
    lines = _subject_lines(connection, visible, schemas)
    bare = [
        each.id
        for each in rows
        if (schema := schemas.by_name.get(each.schema)) is None
        or schema.subject is None
        or any(name not in stated.get(each.id, {}) for name in schema.subject.fields)
        or not (schema.subject.once or any(name in stated.get(each.id, {}) for name in schema.subject.since))
    ]
    named = dict(rows_among(connection, sa.select(row.id, row.identity), row.id, bare))
    found = {
        each.id: _mark(each, stated.get(each.id, {}), lines.get(each.id, ()), named.get(each.id), schemas)
        for each in rows
    }
    _join_amendments(found)
    return found


def _stated(
    connection: Connection, visible: Visibility, fields: frozenset[str]
) -> dict[str, dict[str, list[tuple[str, str]]]]:
    """By document and field, key and text of each value of facts."""
    statement = (
        sa.select(_VALUE.document, _VALUE.field, _VALUE.key, _VALUE.text)
        .join(field_cells, sa.and_(_CELL.document == _VALUE.document, _CELL.field == _VALUE.field))
        .join(documents, documents.c.id == _VALUE.document)
        .where(_VALUE.field.in_(sorted(fields)), _VALUE.special == "", visible.condition(), _counts())
        .order_by(_VALUE.document, _VALUE.field, _VALUE.ordinal)
    )
    found: dict[str, dict[str, list[tuple[str, str]]]] = defaultdict(dict)
    for document, name, key, text in connection.execute(statement):
        found[document].setdefault(name, []).append((key, text))
    return found


def _counts() -> sa.ColumnElement[bool]:
    """True of a cell that states something of the current version."""
    return sa.and_(
        _CELL.status == CellStatus.PRESENT.value,
        _CELL.check_again.is_(False),
        _CELL.extracted_version == documents.c.version,
    )


def _subject_lines(connection: Connection, visible: Visibility, schemas: _Schemas) -> dict[str, list[str]]:
    """By document what labelled lines say it is of."""
    statement = (
        sa.select(_ROW.document, _ROW.text)
        .join(documents, documents.c.id == _ROW.document)
        .where(_ROW.table_no == _LINES, _ROW.column.in_(schemas.subject_labels), visible.condition())
        .order_by(_ROW.document, _ROW.ordinal)
    )
    found: dict[str, list[str]] = defaultdict(list)
    for document, text in connection.execute(statement):
        found[document].append(text)
    return found


def _mark(
    row: Any,
    stated: Mapping[str, list[tuple[str, str]]],
    lines: Sequence[str],
    named: Mapping[str, Any] | None,
    schemas: _Schemas,
) -> _Marked:
    """A document with its subjects: by its schema, and by lines that name one; and with when it holds."""
    schema = schemas.by_name.get(row.schema)
    subject = schema.subject if schema is not None else None
    identity = identity_from_json(named) if named else None
    day = identity.day.text if identity is not None else ""
    since = next((stated[name][0][1] for name in (subject.since if subject else ()) if name in stated), day)
    until = stated[subject.until][0][1] if subject and subject.until in stated else ""
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
    marked = _Marked(document if since else _in_years(document, f"{row.title} {PurePath(row.source).stem}"))
    marked.subjects = {(family_key(text),): text for text in lines if family_key(text)}
    if schema is None or subject is None:
        return marked
    parts: list[str] = []
    words: list[str] = []
    for name in subject.fields:
        definition, values = schema.field(name), stated.get(name, [])
        if definition is None:
            return marked
        if definition.type is FieldType.PARTY:
            texts = [text for _, text in values]
            if not values and identity is not None and definition.many:
                texts = [each.whole or each.text for each in identity.parties]
            keys = sorted({normal_name(each) for each in texts})
            parts.append("|".join(keys) if len(keys) > 1 or not definition.many else "")
            words.append(" / ".join(texts))
        elif name == _NAME:
            title = values[0][1] if values else row.title
            parts.append(row.family or family_key(title))
            words.insert(0, title)
        else:
            parts.append(" ".join(family_key(text) for _, text in values))
            words.append(" ".join(text for _, text in values))
    if all(parts):
        marked.subjects[tuple(parts)] = " \u00b7 ".join(words)
    return marked


def _join_amendments(marked: Mapping[str, _Marked]) -> None:
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


def _add_cells(
    connection: Connection,
    groups: _Groups,
    marked: Mapping[str, _Marked],
    shared: set[str],
    schemas: _Schemas,
) -> None:
    """The facts and best guesses of documents that share a subject."""
    statement = (
        sa.select(*CELL_COLUMNS)
        .join(documents, documents.c.id == _CELL.document)
        .where(
            _CELL.status.in_((CellStatus.PRESENT.value, CellStatus.UNCERTAIN.value)),
            _CELL.check_again.is_(False),
            _CELL.extracted_version == documents.c.version,
            _CELL.type.not_in(("", FieldType.BOOLEAN.value)),
        )
    )
    for row in rows_among(connection, statement, _CELL.document, shared):
        each = marked[row.document]
        if not schemas.comparable(each.document.schema, row.field):
            continue
        finding = cell_of(row).finding
        if finding.status is CellStatus.PRESENT and len(finding.values) == 1:
            quote = next(iter(finding.spans), None)
            made = Statement(each.document, finding.values[0], quote)
        elif (guess := next(iter(guesses_of(finding)), None)) and guess.probability >= _LEAST_GUESS:
            spans = finding.candidates[guess.candidate].spans if guess.candidate is not None else ()
            made = Statement(each.document, guess.value, next(iter(spans), None), is_fact=False)
        else:
            continue
        for subject, thing in each.subjects.items():
            groups.add(subject, thing, row.field, schemas.titles[row.field], made)


def _add_lines(
    connection: Connection,
    groups: _Groups,
    marked: Mapping[str, _Marked],
    shared: set[str],
    schemas: _Schemas,
) -> None:
    """Labelled lines of documents that share a subject, where their schema does not ask for the same."""
    statement = sa.select(annotation_cells).where(_ROW.table_no == _LINES, _ROW.special == "")
    for row in rows_among(connection, statement, _ROW.document, shared):
        each, name = marked[row.document], schemas.named(row.column)
        schema = schemas.by_name.get(each.document.schema)
        names = schemas.named_by.get(row.column, frozenset())
        is_asked = schema is not None and any(schema.field(name) is not None for name in names)
        if is_asked or names & schemas.marks or (not names and FieldType(row.type) in TEXTS):
            continue
        made = Statement(each.document, value_of_row(row), quote_of_row(row))
        for subject, thing in each.subjects.items():
            groups.add(subject, thing, name, schemas.titles.get(name, row.name), made)


def _tables(columns: sa.ColumnElement[bool]) -> sa.Subquery:
    """The tables of so many columns."""
    column = annotation_columns.c
    return (
        sa.select(column.document, column.table_no)
        .where(column.table_no > _LINES)
        .group_by(column.document, column.table_no)
        .having(columns)
        .subquery()
    )


def _add_pairs(
    connection: Connection, groups: _Groups, marked: Mapping[str, _Marked], visible: Visibility
) -> None:
    """Labels that stand once in several tables of two columns of one document."""
    tables = _tables(sa.func.count() == 2)
    several = sa.select(tables.c.document).group_by(tables.c.document).having(sa.func.count() > 1)
    statement = (
        sa.select(annotation_cells)
        .join(tables, sa.and_(tables.c.document == _ROW.document, tables.c.table_no == _ROW.table_no))
        .join(documents, documents.c.id == _ROW.document)
        .where(_ROW.document.in_(several), visible.condition(), documents.c.status == READY)
        .order_by(_ROW.document, _ROW.table_no, _ROW.row_no, _ROW.ordinal)
        .limit(MOST_CELLS)
    )
    known: dict[tuple[str, str], dict[int, list[Any]]] = {}
    for _, row in groupby(connection.execute(statement), lambda each: tuple(each[:3])):
        label, *values = row
        if len(values) == 1 and FieldType(label.type) in TEXTS and label.document in marked:
            of_table = known.setdefault((label.document, label.text), {})
            of_table.setdefault(label.table_no, []).append(values[0])
    for (document, label), by_table in known.items():
        cells = [some[0] for some in by_table.values() if len(some) == 1]
        statement_of = marked[document].document
        for cell in cells if len(cells) > 1 and len(cells) == len(by_table) else ():
            made = Statement(statement_of, value_of_row(cell), quote_of_row(cell))
            groups.add((document,), statement_of.name, column_key(label), label, made)


def _add_rows(
    connection: Connection, groups: _Groups, marked: Mapping[str, _Marked], visible: Visibility
) -> None:
    """Rows of wider tables that begin with one code or number: of each document and code the first."""
    tables = _tables(sa.func.count() > 2)
    first, title = annotation_cells.alias(), annotation_titles.c
    of_table = sa.and_(tables.c.document == first.c.document, tables.c.table_no == first.c.table_no)
    place = first.c.document + "|" + sa.cast(first.c.table_no, sa.Text)
    is_first = sa.and_(first.c.ordinal == 0, first.c.type == FieldType.TEXT.value, first.c.special == "")
    again = (
        sa.select(first.c.column, first.c.key)
        .join(tables, of_table)
        .join(documents, documents.c.id == first.c.document)
        .where(visible.condition(), documents.c.status == READY, is_first)
        .group_by(first.c.column, first.c.key)
        .having(sa.func.count() > 1, sa.func.count() == sa.func.count(sa.distinct(place)))
        .subquery()
    )
    same_row = (getattr(first.c, name) == getattr(_ROW, name) for name in ("document", "table_no", "row_no"))
    of_title = sa.and_(title.document == _ROW.document, title.table_no == _ROW.table_no)
    statement = (
        sa.select(
            annotation_cells,
            first.c.column.label("by"),
            first.c.text.label("code"),
            title.sheet,
            title.caption,
        )
        .join(first, sa.and_(*same_row, is_first))
        .join(tables, of_table)
        .join(again, sa.and_(again.c.column == first.c.column, again.c.key == first.c.key))
        .join(documents, documents.c.id == _ROW.document)
        .outerjoin(annotation_titles, of_title)
        .where(visible.condition(), documents.c.status == READY, _ROW.ordinal > 0, _ROW.special == "")
        .order_by(_ROW.document, _ROW.table_no, _ROW.row_no, _ROW.ordinal)
        .limit(MOST_CELLS)
    )
    seen: dict[tuple[str, str], tuple[int, int]] = {}
    for row in connection.execute(statement):
        is_code = any(map(str.isdigit, row.code)) and row.document in marked
        if not is_code or seen.setdefault((row.document, row.code), (row.table_no, row.row_no)) != (
            row.table_no,
            row.row_no,
        ):
            continue
        document = _in_years(marked[row.document].document, f"{row.sheet or ''} {row.caption or ''}")
        made = Statement(document, value_of_row(row), quote_of_row(row))
        groups.add((row.by, row.code.casefold()), row.code, row.column, row.name, made)


def _in_years(document: StatingDocument, text: str) -> StatingDocument:
    """The document as it holds in the years that a text names; as it is where it names none."""
    years = written_years(text)
    return replace(document, since=min(years), until=f"{max(years)}-12-31") if years else document
