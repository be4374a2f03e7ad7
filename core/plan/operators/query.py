"""Query: SQL over rows, each result with words of the rows that it rests on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import date, datetime
from decimal import Decimal

from core.datasets.base import RowSources
from core.datasets.engine import Asked, CitedRow, RowEngine
from core.datasets.remarks import labels_of, query_notes, undecided
from core.domain.answer import Citation
from core.domain.document import DocumentSummary
from core.domain.ids import DocumentId
from core.domain.results import Documents, QueryColumn, QueryRow, QueryTable, Result, Unknown
from core.domain.rows.place import RowPlace, TablePlace
from core.errors import UsageError
from core.plan.ir.nodes import Query
from core.plan.operators.base import OperatorParts, cited, runs, sets_of

MOST_ROWS = 1_000
_MOST_CITED = 5  # source rows of a row that are cited by their words
_MOST_CITING = 200  # rows of a result that cite
_MONEY_PLACES = Decimal("0.0001")


@runs(Query)
def query(node: Query, inputs: Mapping[str, Result], parts: OperatorParts) -> QueryTable:
    """The rows that the SQL gives. Raises UsageError, QueryRefusedError, QueryFailedError."""
    engine = parts.engine
    if engine is None:
        raise UsageError("SQL cannot be run here.", next_step="Ask the home that holds the tables.")
    within = sets_of(inputs.values())
    places = {each.name: _within(each.places, within) for each in node.tables}
    if not all(places.values()):  # none of these documents has such a table
        return QueryTable(columns=(), documents=(within or Documents()).keeping(frozenset()))
    asked = engine.ask(node.sql, places, parts.visible, parts.deadline_s)
    own = _own_first([_names(each, asked) for each in asked.rows.sources[:MOST_ROWS]])
    quotes = _cited(own, asked, engine, parts)
    units = (money or unit for money, unit in zip(asked.query.units, asked.query.measures, strict=True))
    columns = tuple(_column(*each) for each in zip(asked.rows.columns, units, strict=True))
    rows = tuple(
        QueryRow(
            values=tuple(_text(value, column) for value, column in zip(row, columns, strict=True)),
            sources=tuple(str(name) for name in names),
            total=sources.total,
            cited=sum(name in quotes for name in names[:_MOST_CITED]),
            citations=tuple(each for name in names[:_MOST_CITED] for each in quotes.get(name, ())),
        )
        for row, names, sources in zip(asked.rows.rows, own, asked.rows.sources, strict=False)
    )
    total, is_cut = len(asked.rows.rows), asked.rows.is_cut
    documents = _documents(own, asked) if within is None else within.keeping(_rested_on(own))
    excluded = engine.words_among_numbers(asked, places, parts.visible, parts.deadline_s)
    return QueryTable(
        columns=columns,
        rows=rows,
        total=total,
        documents=documents,
        is_cut=is_cut,
        excluded=excluded,
        notes=query_notes(asked),
    )


def _within(places: Sequence[str], documents: Documents | None) -> tuple[str, ...]:
    """Those of some tables that stand in documents of a set."""
    return tuple(
        each for each in places if documents is None or TablePlace.of(each).document in documents.present
    )


def _rested_on(own: Sequence[Sequence[RowPlace]]) -> frozenset[str]:
    return frozenset(name.document for names in own for name in names)


def _documents(own: Sequence[Sequence[RowPlace]], asked: Asked) -> Documents:
    """Those that a row rests on, those of which a field that was asked is not decided, and the others."""
    present = _rested_on(own)
    every = {part.document for mount in asked.mounts.values() for part in mount.parts}
    unknown = {
        mount.parts[at].document: Unknown(field=field, reason=status)
        for mount in asked.mounts.values()
        for field, status, places in undecided(mount, asked.query)
        for at in places
        if mount.parts[at].document not in present
    }
    unreadable = frozenset(id for id, each in unknown.items() if each.reason == "unreadable")
    uncertain = frozenset(unknown) - unreadable
    absent = frozenset(every) - present - unknown.keys()
    return Documents(
        present=present, absent=absent, uncertain=uncertain, unreadable=unreadable, unknown=unknown
    )


def _names(sources: RowSources, asked: Asked) -> list[RowPlace]:
    return [asked.mounts[table].key(row) for table, row in sources.rows]


def _own_first(sources: Sequence[Sequence[RowPlace]]) -> list[list[RowPlace]]:
    """For each row of a result its source rows, those first that fewer of the others rest on."""
    shared = Counter(name for names in sources for name in names)
    return [sorted(names, key=lambda name: shared[name]) for names in sources]


def _cited(
    own: Sequence[Sequence[RowPlace]], asked: Asked, engine: RowEngine, parts: OperatorParts
) -> dict[RowPlace, list[Citation]]:
    """Words of the first source rows, in the columns that the SQL names."""
    keys = list(dict.fromkeys(name for names in own[:_MOST_CITING] for name in names[:_MOST_CITED]))
    found = engine.cite(keys, labels_of(asked), parts.visible)
    known = parts.summaries({key[0] for key in keys})
    titles = {place.document: name for each in asked.mounts.values() for place, name in each.alike.items()}
    return {key: _citations(row, known.get(row.document), titles) for key, row in found.items()}


def _citations(row: CitedRow, document: DocumentSummary | None, titles: Mapping[str, str]) -> list[Citation]:
    """titles: of datasets, whose documents are in no list."""
    title = document.name if document is not None else titles.get(row.document, row.document)
    source = document.source if document is not None else title
    id = DocumentId(row.document)
    return [cited(0, id, row.version, quote, title, source) for quote in row.quotes]


def _column(said: tuple[str, str], unit: str) -> QueryColumn:
    return QueryColumn(name=said[0], kind=said[1], unit="" if unit == "several" else unit)


def _text(value: object, column: QueryColumn) -> str | None:
    """A value as text: numbers without zeros at their end, days as ISO 8601."""
    if value is None:
        return None
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, Decimal):
        exact = value.quantize(_MONEY_PLACES) if column.kind == "money" else value
        return f"{exact.normalize():f}" if exact else "0"
    if isinstance(value, datetime):
        return value.isoformat(sep=" ") if value.time() != datetime.min.time() else value.date().isoformat()
    return value.isoformat() if isinstance(value, date) else str(value)
