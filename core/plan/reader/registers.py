"""Registers: documents whose tables list papers, so that what is asked of them is asked of their rows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from core.domain.fields import AMOUNTS, FieldType
from core.plan.catalogue import Catalogue, ColumnEntry, DocumentEntry, FieldEntry, TableEntry, column_key
from core.plan.reader.condition_values import content_words
from core.plan.reader.known_names import least_sure
from core.plan.reader.reading import FieldLink, QuestionReading, ReadSpan, SpanRole
from core.text.analyse import text_terms

_LEAST_ALIKE = 2  # columns that are called as fields are, from which on rows are papers
_TELLING = (FieldType.DATE, FieldType.PARTY, FieldType.ENUM)
_SURE = 0.95  # probability of a column that is called by the words, or is the only one of its type


def register_of(
    documents: Iterable[DocumentEntry], catalogue: Catalogue, *, is_any: bool = False
) -> TableEntry | None:
    """The table that lists papers in the one document that is named; None where there is none.

    is_any: whatever the rows of its only table are.
    """
    ids = {each.id for each in documents}
    if len(ids) != 1:
        return None
    tables = [each for each in catalogue.tables if ids & set(each.documents)]
    if is_any and len(tables) == 1 and tables[0].documents == tuple(ids):
        return tables[0]
    return next((each for each in tables if _lists_papers(each, catalogue)), None)


def is_unstated(span: ReadSpan, reading: QuestionReading, catalogue: Catalogue) -> bool:
    """True of a value of a field that no document of the collection states: "fuel", where none is of fuel."""
    entry = catalogue.field(span.links[0].field, span.links[0].schema) if span.links else None
    if span.role is not SpanRole.VALUE or entry is None or entry.type not in (FieldType.ENUM, FieldType.TEXT):
        return False
    said = text_terms(reading.text(span))
    stated = (each for each in catalogue.values if (each.schema, each.field) == (entry.schema, entry.name))
    return bool(said) and not any(said & text_terms(each.text.replace("_", " ")) for each in stated)


def over_rows(reading: QuestionReading, table: TableEntry, catalogue: Catalogue) -> QuestionReading:
    """The reading with columns of a register for fields, and with texts of its cells that no span took."""
    spans = [_over_rows(each, table, reading, catalogue) for each in reading.spans]
    spans += _cells(reading, spans, table)
    return replace(
        reading,
        spans=tuple(sorted(spans, key=lambda each: (each.start, each.end))),
        probability=max(reading.probability, least_sure(spans, reading)),
    )


def _lists_papers(table: TableEntry, catalogue: Catalogue) -> bool:
    schema = catalogue.schema(table.schema)
    fields = [each for each in schema.fields if each.type in _TELLING] if schema is not None else []
    alike = [column for column in table.columns if any(_is_called(column, each) for each in fields)]
    return len(alike) >= _LEAST_ALIKE


def _is_called(column: ColumnEntry, entry: FieldEntry) -> bool:
    """True where a column is called as a field is, and holds values of such a type."""
    names = (entry.name, entry.title, *entry.synonyms)
    terms = [text_terms(each.replace("_", " ")) for each in names]
    own = text_terms(column.name.replace("_", " ")) - text_terms(column.unit)
    is_text = entry.type not in (*AMOUNTS, FieldType.DATE)
    is_alike = column.type is entry.type or (is_text and column.type is FieldType.TEXT)
    return bool(own) and own in terms and is_alike


def _over_rows(span: ReadSpan, table: TableEntry, reading: QuestionReading, catalogue: Catalogue) -> ReadSpan:
    if not span.links:
        return span
    keys = {column.key for column in table.columns}
    own = [each for each in span.links if not each.schema and column_key(each.field) in keys]
    made = [_column(each, table, reading.text(span), catalogue) for each in span.links if each.schema]
    is_text = span.role in (SpanRole.ASKED, SpanRole.VALUE)
    if is_text and (cell := cell_in(reading.text(span), table)) is not None:
        return replace(span, role=SpanRole.VALUE, links=(cell,), comparison="=")
    found = {each.field: each for each in reversed((*filter(None, made[:1]), *own))}
    return replace(span, links=tuple(reversed(found.values())))


def _column(link: FieldLink, table: TableEntry, words: str, catalogue: Catalogue) -> FieldLink | None:
    """The column of a register that is a field of the papers that it lists; None where it has none."""
    entry = catalogue.field(link.field, link.schema)
    if entry is None:
        return None
    said = text_terms(words)
    alike = [each for each in table.columns if _is_called(each, entry)]
    alike += [each for each in table.columns if said and text_terms(each.name.replace("_", " ")) <= said]
    is_ordered = entry.type in (*AMOUNTS, FieldType.DATE)
    same = [each for each in table.columns if each.type is entry.type and is_ordered]
    found = next(iter(alike), same[0] if len(same) == 1 else None)
    return FieldLink("", found.name, max(link.probability, _SURE)) if found is not None else None


def _cells(reading: QuestionReading, spans: Iterable[ReadSpan], table: TableEntry) -> Iterator[ReadSpan]:
    """The words that are texts of a column, and that nothing took; also those that mean no column."""
    taken = [(each.start, each.end) for each in spans if each.links or each.role is not SpanRole.ASKED]
    for start, end in content_words(reading.question):
        if any(start < last and end > first for first, last in taken):
            continue
        cell = cell_in(reading.question[start:end], table)
        if cell is not None:
            yield ReadSpan(start, end, SpanRole.VALUE, False, (cell,), _SURE, comparison="=")


def cell_in(words: str, table: TableEntry) -> FieldLink | None:
    """The column of texts of which one is in the words; None where none is."""
    said = text_terms(words)
    for column in table.columns:
        texts = map(text_terms, column.texts if column.type is FieldType.TEXT else ())
        if any(each and each <= said for each in texts):
            return FieldLink("", column.name, _SURE)
    return None
