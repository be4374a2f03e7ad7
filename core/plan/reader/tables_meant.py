"""The table that a question is about, by all that it says together, and the question over its rows."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from core.cache import Cache
from core.domain.fields import AMOUNTS, TEXTS, FieldType
from core.plan.catalogue import Catalogue, ColumnEntry, TableEntry, TablePart
from core.plan.compile.kinds import kind_names
from core.plan.reader.condition_values import content_words
from core.plan.reader.known_names import least_sure
from core.plan.reader.reading import FieldLink, QuestionReading, ReadSpan, SpanRole
from core.text.analyse import text_terms

_SURE = 0.95  # probability of a column that is called by the words, or of a cell that they are
_MOST_WORDS = 5  # of a cell or a column that is looked up
_CALLED = 0.5  # what a word is worth by which a table is called
_LEAST = 0.5  # of what speaks for a table, from which on it is meant
_WITH_FIELDS = (SpanRole.CONDITION, SpanRole.VALUE, SpanRole.ASKED, SpanRole.GROUP, SpanRole.ORDER)
_MENTIONED = (
    (FieldType.MONEY, ("amounts", "total")),
    (FieldType.DATE, ("dates", "document_date")),
)
_WORTH = {SpanRole.VALUE: 0.9, SpanRole.ASKED: 0.8}

Terms = frozenset[str]
Columns = dict[Terms, ColumnEntry]


@dataclass(frozen=True, slots=True)
class Found:
    """Words question[start:end] that are a cell, or are called as a column is."""

    start: int
    end: int
    role: SpanRole
    column: ColumnEntry


@dataclass(frozen=True, slots=True)
class TableMeant:
    """A table with those of its parts that the question's words fit best."""

    table: TableEntry
    parts: tuple[TablePart, ...]


class _Index:
    """Cells and names of columns by their terms, and the words by which tables are called. Immutable."""

    def __init__(self, catalogue: Catalogue) -> None:
        self.cells: list[dict[Terms, ColumnEntry]] = []
        self.columns: list[dict[Terms, ColumnEntry]] = []
        self.called: list[tuple[Terms, ...]] = []
        self.of_tables = {id for table in catalogue.tables for id in table.documents}
        self.is_all = all(each.id in self.of_tables for each in catalogue.documents)
        documents = {each.id: each for each in catalogue.documents}
        for table in catalogue.tables:
            columns, cells = {}, {}
            for column in reversed(table.columns):
                columns[name_terms(column)] = column
                for text in reversed(column.texts if column.type in TEXTS else ()):
                    cells[text_terms(text)] = column
            columns.pop(frozenset(), None)
            cells.pop(frozenset(), None)
            self.columns.append(columns)
            self.cells.append(cells)
            names = []
            for part in table.parts:
                own = documents.get(part.document)
                file = own.source.rsplit("/", 1)[-1].rsplit(".", 1)[0] if own is not None else ""
                title = own.title if own is not None else ""
                said = " ".join((part.sheet, part.caption, file, title))
                names.append(text_terms(said.replace("_", " ").replace("-", " ")))
            self.called.append(tuple(names))


_kept: Cache[tuple[str, int], _Index] = Cache(8)


def _index(catalogue: Catalogue) -> _Index:
    key = (catalogue.fingerprint, hash(tuple(catalogue.tables)))
    return _kept.get_or_make(key, lambda: _Index(catalogue)) if key[0] else _Index(catalogue)


def name_terms(column: ColumnEntry) -> Terms:
    """The terms by which a column is called, without its unit."""
    own = text_terms(column.name.replace("_", " "))
    return own - text_terms(column.unit) or own


def table_meant(reading: QuestionReading, catalogue: Catalogue) -> TableMeant | None:
    """The table that the spans, cells, columns and names of a question speak for; None for documents."""
    if not catalogue.tables:
        return None
    index = _index(catalogue)
    said = text_terms(reading.question)
    best, most = None, 0.0
    for at, table in enumerate(catalogue.tables):
        near = [len(said & each) for each in index.called[at]]
        names = max(near, default=0)
        worth = _worth(reading, table, index, at)
        score = worth + _CALLED * min(names, 3)
        if score > most and (worth > 0 or index.is_all):
            parts = tuple(p for p, count in zip(table.parts, near, strict=True) if count == names)
            best, most = TableMeant(table, parts if names else table.parts), score
    if best is None:
        return None
    return best if most >= _LEAST and most > _of_documents(reading, index, catalogue) else None


def _worth(reading: QuestionReading, table: TableEntry, index: _Index, at: int) -> float:
    """How much of the question the columns and cells of a table can say."""
    names = {column.key for column in table.columns}
    found = list(_found(reading.question, index.cells[at], index.columns[at]))
    score = sum(_WORTH[each.role] for each in found)
    for span in reading.spans:
        if span.role in _WITH_FIELDS and not any(e.start < span.end and e.end > span.start for e in found):
            own = (each.probability for each in span.links if not each.schema and _key(each.field) in names)
            score += max(own, default=0.0)
    return score


def _of_documents(reading: QuestionReading, index: _Index, catalogue: Catalogue) -> float:
    """How much speaks for documents: fields of schemas that hold more than tables, and nouns for such."""
    if index.is_all:
        return 0.0
    held: dict[str, list[bool]] = defaultdict(list)
    for document in catalogue.documents:
        held[document.schema].append(document.id not in index.of_tables)
    share = {name: sum(each) / len(each) for name, each in held.items()}
    votes: dict[str, float] = defaultdict(float)
    for span in reading.spans:
        if span.role in _WITH_FIELDS:
            for name in {each.schema for each in span.links if each.schema}:
                best = max(each.probability for each in span.links if each.schema == name)
                votes[name] += best * share.get(name, 0.0)
    nouns = kind_names(catalogue).find(reading.question)
    of_kind = any(share.get(each.kind.schema or "", 0.0) for each in nouns)
    return max(votes.values(), default=0.0) + (2.0 if of_kind else 0.0)


def _found(
    question: str, cells: dict[Terms, ColumnEntry], columns: dict[Terms, ColumnEntry]
) -> Iterator[Found]:
    """The longest words that are a column's name or a cell, from the left, none twice."""
    words = content_words(question)
    at = 0
    while at < len(words):
        for size in range(min(_MOST_WORDS, len(words) - at), 0, -1):
            start, end = words[at][0], words[at + size - 1][1]
            terms = text_terms(question[start:end])
            if not terms or not text_terms(question[slice(*words[at])]):
                continue
            if not text_terms(question[slice(*words[at + size - 1])]):
                continue
            if (column := columns.get(terms)) is not None:
                yield Found(start, end, SpanRole.ASKED, column)
            elif (column := cells.get(terms)) is not None:
                yield Found(start, end, SpanRole.VALUE, column)
            else:
                continue
            at += size
            break
        else:
            at += 1


def over_table(reading: QuestionReading, meant: TableMeant, catalogue: Catalogue) -> QuestionReading:
    """The reading with columns of one table for fields; words that are its cells or columns mean these."""
    index = _index(catalogue)
    at = next(n for n, table in enumerate(catalogue.tables) if table is meant.table)
    found = list(_found(reading.question, index.cells[at], index.columns[at]))
    called = frozenset(term for each in index.called[at] for term in each)
    spans: list[ReadSpan] = []
    used: list[Found] = []
    for span in reading.spans:
        inside = [each for each in found if each.start < span.end and each.end > span.start]
        made = _over_table(span, inside, meant.table, reading.text(span), called)
        if made is not None:
            spans.append(made)
            used += inside
    is_asked = bool(reading.of(SpanRole.ASKED, SpanRole.GROUP))
    spans += [
        ReadSpan(each.start, each.end, each.role, False, (_link(each.column),), _SURE, comparison="=")
        for each in found
        if each not in used
        and (each.role is SpanRole.VALUE or not is_asked)
    ]
    return replace(
        reading,
        spans=tuple(sorted(spans, key=lambda each: (each.start, each.end))),
        probability=max(reading.probability, least_sure(spans, reading)),
    )


def _over_table(
    span: ReadSpan, inside: list[Found], table: TableEntry, text: str, called: Terms
) -> ReadSpan | None:
    """A span with columns of the table; None where its words only say what the rows are."""
    cells = [each for each in inside if each.role is SpanRole.VALUE]
    named = [each.column for each in inside if each.role is SpanRole.ASKED]
    if span.role not in _WITH_FIELDS:
        if cells and span.role in (SpanRole.PARTY, SpanRole.DOCUMENT, SpanRole.KIND):
            link = _link(cells[0].column)
            return replace(span, role=SpanRole.VALUE, links=(link,), comparison="=")
        is_kind = span.role in (SpanRole.KIND, SpanRole.DOCUMENT)
        return None if is_kind and (text_terms(text) & called or named) else span
    names = {column.key: column for column in table.columns}
    own = [each for each in span.links if not each.schema and _key(each.field) in names]
    total = sum(each.probability for each in own)
    whole = sum(each.probability for each in span.links) or 1.0
    own = [replace(each, probability=each.probability * whole / total) for each in own] if total else []
    if span.role in (SpanRole.CONDITION, SpanRole.VALUE, SpanRole.ASKED) and cells and not named:
        first = own[0] if own else None
        is_text = first is None or names[_key(first.field)].type in TEXTS
        if is_text or span.role is SpanRole.ASKED:
            return replace(span, role=SpanRole.VALUE, links=(_link(cells[0].column),), comparison="=")
    if named:
        kept = [_link(each) for each in named[:1]]
        return replace(span, links=(*kept, *own))
    if span.role is SpanRole.ASKED and not own and text_terms(text) <= called:
        return None
    if not own:
        own = list(_by_type(span, table))
    return replace(span, links=tuple(own))


def _by_type(span: ReadSpan, table: TableEntry) -> Iterator[FieldLink]:
    """The only column of amounts or days, where amounts or days of documents are meant."""
    for kind, names in (
        (FieldType.MONEY, ("amounts", "total")),
        (FieldType.DATE, ("dates", "document_date")),
    ):
        same = [each for each in table.columns if each.type is kind]
        said = next((each for each in span.links if each.field in names), None)
        if said is not None and len(same) == 1:
            yield FieldLink("", same[0].name, max(said.probability, 0.5))


def _link(column: ColumnEntry) -> FieldLink:
    return FieldLink("", column.name, _SURE)


def _key(name: str) -> str:
    return " ".join(name.split()).casefold()


def measures(table: TableEntry) -> Iterable[ColumnEntry]:
    """The columns that can be added up: those of money, or of other amounts where there are none."""
    money = [each for each in table.columns if each.type is FieldType.MONEY]
    return money or [each for each in table.columns if each.type in AMOUNTS]
