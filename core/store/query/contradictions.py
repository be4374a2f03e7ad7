"""Contradictions in the records: statements of one thing gathered, and held against one another.

Documents are told by what their schemas name a subject, rows of tables by their first column. Each table is
read once and in groups, no two documents are compared that are not about one thing: of 100,000 documents only
those that share a subject have their values read.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from core.cache import Cache
from core.config.fields import Schema
from core.domain.certainty.contradiction import (
    ContradictionReport,
    ContradictionState,
    ValueContradiction,
    ValueStatement,
)
from core.domain.certainty.guess import guesses_of
from core.domain.fields import TEXTS, CellStatus, FieldType
from core.fields.contradictions import judged
from core.store.cells.field_rows import CELL_COLUMNS, cell_of, column_key, quote_of_row, value_of_row
from core.store.cells.status import READY
from core.store.database.changes import version_of
from core.store.database.db import Database, rows_among
from core.store.database.field_tables import (
    annotation_cells,
    annotation_columns,
    annotation_titles,
    field_cells,
)
from core.store.database.schema import documents
from core.store.database.visibility import Sight, Visibility
from core.store.query.subjects import (
    LEAST_GUESS,
    LINES,
    MarkedDocument,
    Subject,
    SubjectSchemas,
    in_years,
    marked_documents,
)

MOST_CONTRADICTIONS, MOST_CELLS = 2_000, 400_000
_KEPT = 8  # visibilities
_CELL, _ROW = field_cells.c, annotation_cells.c
_STATES = list(ContradictionState)


class ContradictionRecords:
    """Finds contradictions, once for a data version and a sight. Thread-safe.

    A document that may not be seen states nothing, and resolves nothing.
    """

    def __init__(self, database: Database) -> None:
        self._database = database
        self._kept: Cache[tuple[int, Sight, int], ContradictionReport] = Cache(_KEPT)

    def find(self, visible: Visibility, schemas: Sequence[Schema]) -> ContradictionReport:
        """Those among the documents that may be seen: open ones first, the resolved last; at most 2,000.

        schemas: by which subjects are told; visible: without copies of others.
        """
        with self._database.read() as connection:
            key = (
                version_of(connection, visible),
                visible.sight,
                hash(tuple(each.model_dump_json() for each in schemas)),
            )
            return self._kept.get_or_make(key, lambda: _find(connection, visible, SubjectSchemas(schemas)))


@dataclass
class _Groups:
    """Statements by what they are of. cells: most cells of tables that were read at once."""

    found: dict[tuple[Subject, str], list[ValueStatement]] = field(default_factory=lambda: defaultdict(list))
    things: dict[Subject, str] = field(default_factory=dict)
    titles: dict[str, str] = field(default_factory=dict)
    cells: int = 0

    def add(self, subject: Subject, thing: str, about: str, title: str, statement: ValueStatement) -> None:
        self.found[subject, about].append(statement)
        self.things.setdefault(subject, thing)
        self.titles.setdefault(about, title)


def _find(connection: Connection, visible: Visibility, schemas: SubjectSchemas) -> ContradictionReport:
    marked = marked_documents(connection, visible, schemas)
    sharing: dict[Subject, int] = defaultdict(int)
    for each in marked.values():
        for subject in each.subjects:
            sharing[subject] += 1
    shared = {id for id, each in marked.items() if any(sharing[subject] > 1 for subject in each.subjects)}
    groups = _Groups()
    _add_cells(connection, groups, marked, shared, schemas)
    _add_lines(connection, groups, marked, shared, schemas)
    _add_pairs(connection, groups, marked, visible, schemas)
    _add_rows(connection, groups, marked, visible)
    made = (
        judged(groups.things[subject], about, groups.titles[about], group)
        for (subject, about), group in groups.found.items()
        if len(group) > 1
    )
    found = sorted((each for each in made if each is not None), key=_order)
    is_whole = groups.cells < MOST_CELLS and len(found) <= MOST_CONTRADICTIONS
    return ContradictionReport(tuple(found[:MOST_CONTRADICTIONS]), is_whole)


def _order(each: ValueContradiction) -> tuple[int, str, str]:
    return _STATES.index(each.state), each.thing.casefold(), each.title


def _add_cells(
    connection: Connection,
    groups: _Groups,
    marked: Mapping[str, MarkedDocument],
    shared: set[str],
    schemas: SubjectSchemas,
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
            made = ValueStatement(each.document, finding.values[0], quote, not each.is_guessed)
        elif (guess := next(iter(guesses_of(finding)), None)) and guess.probability >= LEAST_GUESS:
            spans = finding.candidates[guess.candidate].spans if guess.candidate is not None else ()
            made = ValueStatement(each.document, guess.value, next(iter(spans), None), is_fact=False)
        else:
            continue
        for subject, thing in each.subjects.items():
            groups.add(subject, thing, row.field, schemas.titles[row.field], made)


def _add_lines(
    connection: Connection,
    groups: _Groups,
    marked: Mapping[str, MarkedDocument],
    shared: set[str],
    schemas: SubjectSchemas,
) -> None:
    """Labelled lines of documents that share a subject, where their schema does not ask for the same."""
    statement = sa.select(annotation_cells).where(_ROW.table_no == LINES, _ROW.special == "")
    for row in rows_among(connection, statement, _ROW.document, shared):
        each, name = marked[row.document], schemas.named(row.column)
        schema = schemas.by_name.get(each.document.schema)
        names = schemas.named_by.get(row.column, frozenset())
        is_asked = schema is not None and any(schema.field(name) is not None for name in names)
        if is_asked or names & schemas.marks or (not names and FieldType(row.type) in TEXTS):
            continue
        made = ValueStatement(each.document, value_of_row(row), quote_of_row(row), not each.is_guessed)
        for subject, thing in each.subjects.items():
            groups.add(subject, thing, name, schemas.titles.get(name, row.name), made)


def _tables(columns: sa.ColumnElement[bool]) -> sa.Subquery:
    """The tables of so many columns."""
    column = annotation_columns.c
    return (
        sa.select(column.document, column.table_no)
        .where(column.table_no > LINES)
        .group_by(column.document, column.table_no)
        .having(columns)
        .subquery()
    )


def _add_pairs(
    connection: Connection,
    groups: _Groups,
    marked: Mapping[str, MarkedDocument],
    visible: Visibility,
    schemas: SubjectSchemas,
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
    rows = connection.execute(statement).all()
    groups.cells = len(rows)
    for _, row in groupby(rows, lambda each: (each.document, each.table_no, each.row_no)):
        first, *values = row
        if len(values) == 1 and FieldType(first.type) in TEXTS and first.document in marked:
            about = schemas.named(column_key(first.text))
            of_table = known.setdefault((first.document, about), {})
            of_table.setdefault(first.table_no, []).append((first.text, values[0]))
    for (id, about), by_table in known.items():
        cells = [some[0] for some in by_table.values() if len(some) == 1]
        document = marked[id].document
        for label, cell in cells if len(cells) > 1 and len(cells) == len(by_table) else ():
            made = ValueStatement(document, value_of_row(cell), quote_of_row(cell))
            groups.add((id,), document.name, about, schemas.titles.get(about, label), made)


def _add_rows(
    connection: Connection, groups: _Groups, marked: Mapping[str, MarkedDocument], visible: Visibility
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
    rows = connection.execute(statement).all()
    groups.cells = max(groups.cells, len(rows))
    for each in rows:
        is_code = any(map(str.isdigit, each.code)) and each.document in marked
        if not is_code or seen.setdefault((each.document, each.code), (each.table_no, each.row_no)) != (
            each.table_no,
            each.row_no,
        ):
            continue
        document = in_years(marked[each.document].document, f"{each.sheet or ''} {each.caption or ''}")
        made = ValueStatement(document, value_of_row(each), quote_of_row(each))
        groups.add((each.by, each.code.casefold()), each.code, each.column, each.name, made)
