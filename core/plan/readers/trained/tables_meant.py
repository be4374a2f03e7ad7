"""The table that a question is about, by all that it says together, and the question over its rows."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from core.domain.fields import AMOUNTS, ORDERED, TEXTS, FieldType
from core.plan.catalogue import (
    Catalogue,
    ColumnEntry,
    DocumentEntry,
    FieldEntry,
    TableEntry,
    TablePart,
    column_key,
    once_for_each,
    sheets_of,
)
from core.plan.kinds import kind_names
from core.plan.readers.trained.condition_values import content_words, least_sure
from core.plan.readers.trained.reading import (
    LEAST_LINK,
    WITH_FIELDS,
    FieldLink,
    QuestionReading,
    ReadSpan,
    SpanRole,
)
from core.text.analyse import text_terms
from core.text.words import word_groups
from core.values.comparisons import currency_in

_ASKED = word_groups("checks", "asked")
_SURE = 0.95  # probability of a column that is called by the words, or of a cell that they are
_MOST_WORDS = 5  # of a cell or a column that is looked up
_CALLED = 0.5  # what a word is worth by which a table is called
_OF_TYPE = 0.7  # of the probability of amounts or days in documents, for the only column of such
_LEAST = 1.0  # of what speaks for a table beside other documents: more than one word
_FAR = 1e-6  # of a column that no link of a span is to
_OF_TEXTS = 0.3  # of the probability of texts of documents, that no column is meant
_BEFORE = 3  # times as probable as all columns, from which on amounts or days of documents are meant
_MENTIONED = ((AMOUNTS, ("amounts", "total")), ((FieldType.DATE,), ("dates", "document_date")))
_FIGURES = ("sum", "avg", "median", "min", "max")
_WORTH = {SpanRole.VALUE: 0.9, SpanRole.ASKED: 0.8}
Terms = frozenset[str]
Columns = dict[Terms, tuple[ColumnEntry, str]]
_LEAST_ALIKE = 2  # columns that are called as fields are, from which on rows are papers
_TELLING = (FieldType.DATE, FieldType.PARTY, FieldType.ENUM)


@dataclass(frozen=True, slots=True)
class Found:
    """Words question[start:end] that are a cell, all of it where is_whole, or are called as a column is."""

    start: int
    end: int
    role: SpanRole
    column: ColumnEntry
    text: str = ""
    is_whole: bool = False

    def touches(self, span: ReadSpan | Found) -> bool:
        """True where a span has some of the words."""
        return self.start < span.end and self.end > span.start


@dataclass(frozen=True, slots=True)
class TableWords:
    """Cells and names of columns of a table by their terms, and the terms that each of its parts is called.

    sheets: those by which its sheets are called, or its files where sheets have no names.
    """

    cells: Columns
    columns: Columns
    called: tuple[Terms, ...]
    sheets: Terms = frozenset()

    def find(self, question: str) -> list[Found]:
        """The longest words that are a column's name or a cell, from the left, none twice."""
        return list(_found(question, self.cells, self.columns))


@dataclass(frozen=True, slots=True)
class TableMeant:
    """A table with those of its parts that the question's words fit best. is_all: all are tables."""

    table: TableEntry
    parts: tuple[TablePart, ...]
    words: TableWords
    is_all: bool


class TableIndex:
    """The words of all tables, in their order. Immutable."""

    def __init__(self, catalogue: Catalogue) -> None:
        self.words: list[TableWords] = []
        documents = {each.id: each for each in catalogue.documents}
        self.sheets = sheets_of(catalogue)
        self.is_all = len(self.sheets) == len(documents)
        for table in catalogue.rows_by_sql:
            columns: Columns = {}
            cells: Columns = {}
            for column in reversed(table.columns):
                columns[name_terms(column)] = column, column.name
                for text in reversed(column.texts if column.type in TEXTS else ()):
                    cells[text_terms(text)] = column, text
            columns.pop(frozenset(), None)
            cells.pop(frozenset(), None)
            names: list[Terms] = []
            sheets: Terms = frozenset()
            for part in table.parts:
                own = documents.get(part.document)
                file = own.source.rsplit("/", 1)[-1].rsplit(".", 1)[0] if own is not None else ""
                sheet = _terms(part.sheet, part.caption)
                names.append(sheet | _terms(file, own.title if own is not None else ""))
                sheets |= sheet or names[-1]
            self.words.append(TableWords(cells, columns, tuple(names), sheets))


table_index = once_for_each(TableIndex)
"""The words of all tables of a catalogue."""


def _terms(*names: str) -> Terms:
    return text_terms(" ".join(names).replace("_", " ").replace("-", " "))


def name_terms(column: ColumnEntry) -> Terms:
    """The terms by which a column is called, without its unit."""
    own = text_terms(column.name.replace("_", " "))
    return own - text_terms(column.unit) or own


def table_meant(reading: QuestionReading, catalogue: Catalogue) -> TableMeant | None:
    """The table that the spans, cells, columns and names of a question speak for; None for documents."""
    if not catalogue.rows_by_sql:
        return None
    index = table_index(catalogue)
    said = text_terms(reading.question)
    best, most = None, 0.0
    for table, words in zip(catalogue.rows_by_sql, index.words, strict=True):
        if index.sheets.isdisjoint(table.documents):
            continue
        found = words.find(reading.question)
        taken = text_terms(" ".join(reading.question[each.start : each.end] for each in found))
        near = [len(said & each) for each in words.called]
        names = max(near, default=0)
        own = max((len((said & each) - taken) for each in words.called), default=0)
        worth = _worth(reading, table, found)
        score = worth + _CALLED * min(own, 3) + (_LEAST if index.is_all else 0.0)
        if score > most and (worth > 0 or index.is_all):
            parts = tuple(p for p, count in zip(table.parts, near, strict=True) if count == names)
            best, most = TableMeant(table, parts if names else table.parts, words, index.is_all), score
    if best is None:
        return None
    # Of registered files alone one cell or column is enough.
    is_enough = most >= _LEAST or (not catalogue.documents and best.words.find(reading.question))
    return best if is_enough and most > _of_documents(reading, index, catalogue) else None


def _worth(reading: QuestionReading, table: TableEntry, found: list[Found]) -> float:
    """How much of the question the columns and cells of a table can say."""
    names = {column.key: column for column in table.columns}
    score = sum(_WORTH[each.role] for each in found)
    for span in reading.spans:
        if span.role in WITH_FIELDS and not any(each.touches(span) for each in found):
            score += max(_near(span, names).values(), default=0.0)
    return score


def _of_documents(reading: QuestionReading, index: TableIndex, catalogue: Catalogue) -> float:
    """How much speaks for documents: fields of schemas that hold more than tables, and nouns for such."""
    if index.is_all:
        return 0.0
    held: dict[str, list[bool]] = defaultdict(list)
    for document in catalogue.documents:
        held[document.schema].append(document.id not in index.sheets)
    share = {name: sum(each) / len(each) for name, each in held.items()}
    votes: dict[str, float] = defaultdict(float)
    for span in reading.spans:
        if span.role in WITH_FIELDS:
            for name in {each.schema for each in span.links if each.schema}:
                best = max(each.probability for each in span.links if each.schema == name)
                votes[name] += best * share.get(name, 0.0)
    nouns = kind_names(catalogue).find(reading.question)
    of_kind = any(share.get(each.kind.schema or "", 0.0) for each in nouns)
    return max(votes.values(), default=0.0) + (2.0 if of_kind else 0.0)


@lru_cache(maxsize=8)
def _phrases(question: str) -> list[list[tuple[int, int, int, Terms, Terms]]]:
    """Phrases by their first word, the longest first: words, start, end, terms, those of a currency."""
    words = content_words(question)
    own = [text_terms(question[slice(*each)]) for each in words]
    return [
        [
            (size, start, start + len(said), text_terms(said), text_terms(currency_in(said)))
            for size in range(min(_MOST_WORDS, len(words) - at), 0, -1)
            if own[at] and own[at + size - 1] and (said := question[start : words[at + size - 1][1]])
        ]
        for at, (start, _) in enumerate(words)
    ]


def _found(question: str, cells: Columns, columns: Columns) -> Iterator[Found]:
    phrases, at = _phrases(question), 0
    while at < len(phrases):
        for size, start, end, terms, currency in phrases[at]:
            known, cell = columns.get(terms), cells.get(terms) or cells.get(currency)
            if known is not None:
                role = SpanRole.VALUE if known[0].affirmed else SpanRole.ASKED
                yield Found(start, end, role, known[0])
            elif cell is not None:
                is_whole = question[start : start + len(cell[1])].casefold() == cell[1].casefold()
                end = start + len(cell[1]) if is_whole else end
                yield Found(start, end, SpanRole.VALUE, *cell, is_whole)
            else:
                continue
            at += size
            break
        else:
            at += 1


def over_table(reading: QuestionReading, meant: TableMeant) -> QuestionReading:
    """The reading with columns of one table for fields; words that are its cells or columns mean these."""
    found = meant.words.find(reading.question)
    called = frozenset(term for each in meant.words.called for term in each)
    spans: list[ReadSpan] = []
    for span in reading.spans:
        inside = [each for each in found if each.touches(span)]
        spans += _over_table(span, inside, meant.table, reading, called)
    lacks_measure = reading.function in _FIGURES and not any(each.role is SpanRole.ASKED for each in spans)
    for each in found:
        before = reading.question[: each.start].casefold().split()[-1:]
        is_measure = lacks_measure and each.column.type in AMOUNTS
        is_group = bool(_ASKED["each"].intersection(before)) and each.role is SpanRole.ASKED
        is_which = bool(_ASKED["which"].intersection(before)) and each.role is SpanRole.ASKED
        is_free = not any(each.touches(span) for span in spans)
        if is_free and (is_group or is_which or is_measure or each.role is SpanRole.VALUE):
            role = SpanRole.GROUP if is_group else each.role
            spans.append(_span(each, role))
    return _with_spans(reading, spans)


def _with_spans(reading: QuestionReading, spans: Sequence[ReadSpan]) -> QuestionReading:
    ordered = tuple(sorted(spans, key=lambda each: (each.start, each.end)))
    return replace(reading, spans=ordered, probability=max(reading.probability, least_sure(spans, reading)))


def _over_table(
    span: ReadSpan, inside: list[Found], table: TableEntry, reading: QuestionReading, called: Terms
) -> Iterator[ReadSpan]:
    """A span with columns of the table, and the cells in it; none where it only says what the rows are."""
    text = reading.text(span)
    cells = [each for each in inside if each.role is SpanRole.VALUE]
    named = [each for each in inside if each.role is SpanRole.ASKED]
    if span.role not in WITH_FIELDS:
        is_kind = span.role in (SpanRole.KIND, SpanRole.DOCUMENT)
        if cells and span.role in (SpanRole.PARTY, SpanRole.DOCUMENT, SpanRole.KIND):
            yield replace(span, role=SpanRole.VALUE, links=(_link(cells[0].column),), comparison="=")
        elif not is_kind or not (text_terms(text) & called or named):
            yield span
        return
    names = {column.key: column for column in table.columns}
    links = _of_columns(span, names)
    if span.role is SpanRole.ORDER:
        named = [each for each in named if each.column.type in ORDERED]
    is_name = span.role in (SpanRole.ASKED, SpanRole.GROUP, SpanRole.ORDER)
    if is_name and not named and (short := _abbreviated(text, table)) is not None:
        named = [Found(span.start, span.end, SpanRole.ASKED, short)]
    if named:
        odds = {column_key(each.field): each.probability for each in links}
        named.sort(key=lambda each: (odds.get(each.column.key, 0.0), each.start))
        links = [_link(named[-1].column)]
    is_value = span.role in (SpanRole.CONDITION, SpanRole.VALUE)
    is_of_text = not links or names[column_key(links[0].field)].type in TEXTS
    if cells and ((is_value and is_of_text) or (span.role is SpanRole.ASKED and not named)):
        start, end = min(span.start, cells[0].start), max(span.end, cells[0].end)
        more = [each for each in cells[1:] if each.column != cells[0].column and each.is_whole]
        more = [] if span.is_negated else more
        for each, after in zip((cells[0], *more), (*(e.start for e in more), end + 1), strict=True):
            link = _link(each.column)
            yield replace(
                span, start=start, end=after - 1, role=SpanRole.VALUE, links=(link,), comparison="="
            )
            start = after
        return
    if cells and not is_value:
        cell = cells[0]
        yield _span(cell, SpanRole.VALUE)
        is_behind = cell.start - span.start <= 1
        span = replace(span, start=cell.end + 1) if is_behind else replace(span, end=cell.start - 1)
        if span.start >= span.end:
            return
    if is_value and not inside and _only_calls(text, links, table, called):
        return
    if is_value and named and not span.is_negated and text_terms(text) <= name_terms(named[-1].column):
        span = replace(span, role=SpanRole.ASKED)
    if links or span.role is not SpanRole.ASKED or not text_terms(text) <= called:
        yield replace(span, links=tuple(links))


def _abbreviated(text: str, table: TableEntry) -> ColumnEntry | None:
    """The one column whose name is short for a word of a span; None where there is none, or are several."""
    words = [text[start:end] for start, end in content_words(text)]
    found = [
        column
        for column in table.columns
        if any(abbreviates(column.name.rstrip("?"), word) for word in words if text_terms(word))
    ]
    return found[0] if len(found) == 1 else None


def _only_calls(text: str, links: list[FieldLink], table: TableEntry, called: Terms) -> bool:
    """True of words by which the table is called, and which no cell of their column says: "2024 trip log"."""
    said = _terms(text)
    column = next((each for each in table.columns if links and each.key == column_key(links[0].field)), None)
    if not said or not said <= called or column is None or column.type is FieldType.DATE:
        return False
    if column.type in TEXTS:
        return not any(said <= _terms(each) for each in column.texts)
    return len(said) > 1


def _of_columns(span: ReadSpan, columns: dict[str, ColumnEntry]) -> list[FieldLink]:
    """The columns of a table that a span may mean, best first."""
    near = _near(span, columns)
    known = [each for each in span.links if not each.schema and column_key(each.field) not in columns]
    whole = sum(near.values()) + sum(e.probability for e in known if e.probability >= LEAST_LINK)
    names = {name for _, own in _MENTIONED for name in own}
    texts = sum(each.probability for each in span.links if each.schema and each.field not in names)
    is_value = span.role in (SpanRole.VALUE, SpanRole.CONDITION)  # cells bear these out
    whole = whole + (0.0 if is_value else _OF_TEXTS * texts) or 1.0
    made = [FieldLink("", columns[key].name, share / whole) for key, share in near.items() if share]
    return sorted(made, key=lambda each: -each.probability)


def _near(span: ReadSpan, columns: dict[str, ColumnEntry]) -> dict[str, float]:
    """How probable it is of the columns of a table that a span means them.

    Where amounts or days of documents are meant before all columns, it is those of the table, by how near
    the span is to it.
    """
    odds = {column_key(each.field): each.probability for each in span.links if not each.schema}
    near = {key: odds[key] for key in columns if odds.get(key, 0.0) >= LEAST_LINK}
    for types, names in _MENTIONED:
        same = {key: max(odds.get(key, 0.0), _FAR) for key, each in columns.items() if each.type in types}
        said = sum(each.probability for each in span.links if each.schema and each.field in names)
        for key, share in same.items() if said > _BEFORE * sum(odds.values()) else ():
            near[key] = near.get(key, 0.0) + _OF_TYPE * said * share / sum(same.values())
    return near


def _span(found: Found, role: SpanRole) -> ReadSpan:
    link = _link(found.column)
    return ReadSpan(found.start, found.end, role, False, (link,), _SURE, comparison="=")


def _link(column: ColumnEntry) -> FieldLink:
    return FieldLink("", column.name, _SURE)


def measures(table: TableEntry) -> list[ColumnEntry]:
    """The columns that can be added up: those of money, or of other amounts where there are none."""
    amounts = [each for each in table.columns if each.type in AMOUNTS]
    return [each for each in amounts if each.type is FieldType.MONEY] or amounts


def abbreviates(short: str, word: str) -> bool:
    """True where a word of a header is a shorter form of a word: "Qty" of quantity, "Cust." of customer."""
    cut = short.casefold().rstrip(".")
    letters, own = [each for each in cut if each.isalpha()], word.casefold()
    if not 2 <= len(letters) < len(own) or letters[0] != own[:1]:
        return False
    if short.endswith(".") and own.startswith(cut):
        return True
    rest = iter(own)
    is_cut = short.endswith(".") or "'" in short or not set(letters[1:]) & set("aeiou")
    return is_cut and all(each in rest for each in letters)


def register_of(
    documents: Iterable[DocumentEntry], catalogue: Catalogue, *, is_any: bool = False
) -> TableEntry | None:
    """The table that lists papers in the one document that is named; None where there is none.

    is_any: whatever the rows of its only table are.
    """
    ids = {each.id for each in documents}
    if len(ids) != 1:
        return None
    tables = [each for each in catalogue.rows_by_sql if ids & set(each.documents)]
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
    return _with_spans(reading, spans)


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
