"""Words of a question about rows of tables."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date

from core.domain.document import file_stem
from core.domain.fields import ORDERED, FieldType
from core.plan.catalogue import Catalogue, ColumnEntry, DocumentEntry, TableEntry
from core.plan.language.pieces import (
    Cells,
    FieldSenses,
    Filler,
    Flag,
    Piece,
    RowNoun,
    TableColumn,
    TableName,
    Token,
    UnknownWord,
    singular,
    stem,
    stems,
)
from core.plan.language.reading.composition import is_light_word
from core.plan.language.reading.read import MeaningProposal, ParsedQuestion, of_grammar, pieces_of
from core.text.analyse import STOP_WORDS
from core.text.words import word_list
from core.values.dates import MONTH

YES = frozenset(["yes", "y", "true", "x", "✓", "✔", "1", "ja"])
NO = frozenset(["no", "n", "false", "-", "0", "nein"])
_COLLECTIONS = (
    "register ledger log journal statement list sheet spreadsheet table book record index overview file csv"
    " workbook export"
)
COLLECTIONS = frozenset(stem(word) for word in _COLLECTIONS.split())
"""What documents that hold a table are called; by themselves they name none."""

_ROW_NOUNS = (
    "entry line row record position posting booking transaction purchase payment visit stop fill-up fillup"
    " fill tank tankful refill order refuelling refueling trip sale charge delivery shipment item"
    " movement time"
)
ROW_NOUNS = frozenset([*_ROW_NOUNS.split(), "line item"])
"""What a row of a table is called, whatever is in it."""

REGISTERS = ("", "register", "other")
"""Kinds of documents that are about their rows: an invoice or a receipt is about itself."""

_ALIKE = (
    "supplier vendor seller merchant payee provider shop contractor creditor dealer",
    "station store location site place branch shop outlet",
    "customer client buyer payer debtor purchaser",
    "category type class kind group heading",
    "employee person driver staff worker user member colleague",
    "department team division unit",
    "product item article description material part goods service",
    "country nation",
    "city town",
    "status state",
    "project job",
    "date day",
    "quantity count number qty pieces",
    "vehicle car",
)
_TOPICS = (
    "fuel gas gasoline petrol diesel fill-up fillup refuel tank tanked fuelled fueled refuelling refueling",
    "travel trip journey",
    "invoice bill",
    "receipt ticket",
    "purchase buy bought",
    "payroll salary wage",
    "expense cost",
    "sale sold",
)
_NAMED = frozenset(word for group in _ALIKE[:3] for word in group.split()) | {"name"}
_MONEY = (
    "amount total spend spent spending cost costs price value worth paid pay payment billed bill charged"
    " charge expense expenses money sum dear expensive net gross revenue turnover outlay expenditure"
)
_DOLLARS = {"USD": "dollars dollar usd", "EUR": "euros euro eur", "GBP": "pounds sterling gbp"}
_OPPOSITES = {"paid": "outstanding open owing unsettled due", "open": "closed done settled"}
_SAME_STATE = {"paid": "settled cleared", "delivered": "received", "approved": "signed-off authorised"}
_ID = frozenset(["id", "no", "number", "ref", "reference", "nr", "key", "code", "invoice", "receipt"])
MOST_WORDS = 6  # of one cell's text that may be said


@dataclass(slots=True)
class TableWords:
    """The vocabulary of one table. title_stems: all words of the names of its documents."""

    table: TableEntry
    documents: tuple[DocumentEntry, ...]
    columns: dict[tuple[str, ...], list[ColumnEntry]] = field(default_factory=lambda: defaultdict(list))
    cells: dict[tuple[str, ...], list[tuple[ColumnEntry, str]]] = field(
        default_factory=lambda: defaultdict(list)
    )
    cell_words: dict[str, list[tuple[ColumnEntry, str]]] = field(default_factory=lambda: defaultdict(list))
    flags: dict[tuple[str, ...], tuple[ColumnEntry, bool]] = field(default_factory=dict)
    titles: dict[str, frozenset[str]] = field(default_factory=dict)
    topics: frozenset[str] = frozenset()
    title_stems: frozenset[str] = frozenset()

    def of_type(self, *types: FieldType) -> tuple[ColumnEntry, ...]:
        """The columns that hold values of these types, but flags."""
        return tuple(c for c in self.table.columns if c.type in types and not is_flag(c))

    @property
    def date(self) -> ColumnEntry | None:
        """The column of the day that a row is of."""
        return next(iter(self.of_type(FieldType.DATE)), None)

    @property
    def amount(self) -> ColumnEntry | None:
        """The column of what a row costs: of several the one that says so."""
        money = self.of_type(FieldType.MONEY)
        named = [c for c in money if stems(_spaced(c)) and {"amount", "total", "sum"} & set(_words(c))]
        return next(iter(named or money), None)

    @property
    def quantities(self) -> tuple[ColumnEntry, ...]:
        """The columns of plain numbers."""
        return self.of_type(FieldType.NUMBER, FieldType.DURATION)


def is_flag(column: ColumnEntry) -> bool:
    """True where a column says yes or no of each row."""
    if column.type is FieldType.BOOLEAN:
        return True
    texts = {text.casefold().strip() for text in column.texts}
    return bool(texts) and column.is_whole and column.type is FieldType.TEXT and texts <= YES | NO


def is_identity(column: ColumnEntry) -> bool:
    """True where a column names each row: another text in each, and called like a number or a document."""
    is_text = column.type in (FieldType.TEXT, FieldType.NUMBER) and not is_flag(column)
    return is_text and len(column.texts) == column.rows and bool(_ID & set(_words(column)))


def is_name(column: ColumnEntry) -> bool:
    """True where a column holds the names of whom or where something is from."""
    return column.type is FieldType.PARTY or bool(_NAMED & set(_words(column)))


def is_of_rows(table: TableEntry) -> bool:
    """True where the rows of a table are things with amounts, numbers or days, and not facts of one thing."""
    return any(column.type in ORDERED for column in table.columns)


def words_of(table: TableEntry, catalogue: Catalogue) -> TableWords:
    """The vocabulary of a table of a catalogue."""
    known = (catalogue.document(id) for id in table.documents)
    found = TableWords(table, tuple(each for each in known if each is not None))
    for column in table.columns:
        for phrase, is_own in _phrases(column, catalogue, table.schema):
            key = stems(phrase)
            if key and column not in found.columns[key] and (is_own or not found.columns[key]):
                found.columns[key].append(column)
        if is_flag(column):
            _add_flag(found, column)
        elif column.type in (FieldType.TEXT, FieldType.ENUM, FieldType.PARTY, FieldType.NUMBER):
            _add_cells(found, column)
    for document in found.documents:
        if document.kind not in REGISTERS:
            continue  # "the total of invoice 7" is what it states, and no sum of its lines
        named = f"{document.title} {file_stem(document.source)}".replace("_", " ").replace("-", " ")
        found.titles[document.id] = frozenset(stems(named)) - STOP_WORDS
    found.title_stems = frozenset(word for words in found.titles.values() for word in words)
    own = {word for word in found.title_stems if not word.isdigit()}
    near = (set(stems(group)) - {"up"} for group in _TOPICS)
    found.topics = frozenset(own.union(*(group for group in near if group & own)))
    return found


def _phrases(column: ColumnEntry, catalogue: Catalogue, schema: str) -> list[tuple[str, bool]]:
    """Names of a column, its own first: (phrase, whether it is its own)."""
    own = _words(column)
    found = [(" ".join(own), True), (_spaced(column), True), *((word, True) for word in own[-1:])]
    if column.type is FieldType.MONEY:
        return [*found, *((word, False) for word in f"{_MONEY} {_DOLLARS.get(column.unit, '')}".split())]
    for group in _ALIKE:
        words = group.split()
        if set(own) & set(words):
            found += [(word, False) for word in words]
    entry = catalogue.schema(schema)
    for each in entry.fields if entry is not None else ():
        names = [each.title.casefold(), each.name, *each.synonyms]
        if " ".join(own) in names and each.type in (FieldType.TEXT, FieldType.PARTY, FieldType.ENUM):
            found += [(name, False) for name in names]
    return found


def _add_flag(found: TableWords, column: ColumnEntry) -> None:
    name = " ".join(_words(column))
    for word in (name, *_SAME_STATE.get(name, "").split()):
        found.flags[stems(word)] = (column, True)
        for opposite in (f"un{word}", f"non-{word}", f"not-{word}"):
            found.flags[stems(opposite)] = (column, False)
    for word in _OPPOSITES.get(name, "").split():
        found.flags.setdefault(stems(word), (column, False))


def _add_cells(found: TableWords, column: ColumnEntry) -> None:
    for text in column.texts:
        key = stems(text.replace("_", " "))
        if not key or len(key) > 3 * MOST_WORDS:
            continue
        found.cells[key].append((column, text))
        for size in range(1, min(len(key), MOST_WORDS)):
            found.cells[key[:size]].append((column, text))
        for word in set(key):
            if len(word) > 2 and word not in STOP_WORDS:
                found.cell_words[word].append((column, text))


def _spaced(column: ColumnEntry) -> str:
    return column.name.replace("_", " ").replace("-", " ").casefold()


def _words(column: ColumnEntry) -> list[str]:
    """The words of a header in the singular, without the unit or currency behind them."""
    words = [each.strip("().:#") for each in _spaced(column).split()]
    kept = [each for each in words if each and each != column.unit.casefold()]
    return [singular(each) for each in kept or words]


def texts_of(cells: Sequence[tuple[ColumnEntry, str]], column: ColumnEntry) -> tuple[str, ...]:
    """The different texts of one column among cells."""
    return tuple(dict.fromkeys(text for each, text in cells if each is column))


_JOINTS = frozenset(["of", "the", "for"])
_NOUNS = frozenset(tuple(name.replace("-", " ").split()) for name in ROW_NOUNS)
_IDLE = word_list("idle", "rows") | {"in all", "each time"}
_MONTH = re.compile(MONTH, re.IGNORECASE)
_HELPERS = frozenset(["did", "do", "does"])
_COMMON = frozenset(["amount of", "the amount of"])


@dataclass(frozen=True, slots=True)
class RowReading:
    """A question in pieces over one table. named: whether its document is called by its whole name.

    hits: how many of the words are the table's own; uncovered: what nothing took.
    """

    words: TableWords
    pieces: tuple[Piece, ...]
    named: bool
    hits: int
    uncovered: tuple[str, ...]
    stems: frozenset[str] = frozenset()


def spoken(reading: ParsedQuestion, today: date) -> tuple[MeaningProposal, ...]:
    """Meanings of the words whatever the table: made once for a question, for all tables."""
    tokens = reading.tokens
    found = of_grammar(reading.question, tokens, today)
    nouns = (each for at, token in enumerate(tokens) if token.is_word for each in _nouns(tokens, at))
    return (*(each for each in found if _said(tokens, each) not in _COMMON), *nouns)


def read_rows(reading: ParsedQuestion, words: TableWords, grammar: Sequence[MeaningProposal]) -> RowReading:
    """The question over a table; every piece that is not idle says something of its rows.

    grammar: what `spoken` gave for the question.
    """
    tokens = reading.tokens
    made = pieces_of(reading.question, tokens, (*grammar, *_proposals(tokens, words)))
    pieces = _without_verb(tuple(_idle(piece) for piece in made))
    said = frozenset(stem for p in pieces if isinstance(p.meaning, TableName) for stem in p.meaning.stems)
    own = (TableColumn, Cells, Flag, TableName)
    return RowReading(
        words,
        pieces,
        named=any(
            {word for word in title if not word.isdigit()} <= said for title in words.titles.values() if title
        ),
        hits=sum(p.end - p.first for p in pieces if isinstance(p.meaning, own))
        + sum(bool(set(stems(p.text)) & words.topics) for p in pieces if isinstance(p.meaning, RowNoun)),
        uncovered=tuple(p.text for p in pieces if isinstance(p.meaning, UnknownWord)),
        stems=said,
    )


def _without_verb(pieces: tuple[Piece, ...]) -> tuple[Piece, ...]:
    """Pieces without the verb behind "did": "how many kilometres did Ines drive"."""
    helped = False
    for at, piece in enumerate(pieces):
        helped = helped or piece.text.casefold().split()[-1] in _HELPERS
        word = piece.text
        if helped and isinstance(piece.meaning, UnknownWord) and word.islower() and word.isalpha():
            verb = Piece(piece.first, piece.end, word, Filler(), "is what is done")
            return (*pieces[:at], verb, *pieces[at + 1 :])
    return pieces


def _idle(piece: Piece) -> Piece:
    word = piece.text.casefold()
    is_idle = isinstance(piece.meaning, UnknownWord | FieldSenses) and word in _IDLE
    may_name = piece.first > 0 and not piece.text.islower()
    is_idle = is_idle or (isinstance(piece.meaning, UnknownWord) and not may_name and is_light_word(word))
    return Piece(piece.first, piece.end, piece.text, Filler(), "") if is_idle else piece


def _said(tokens: Sequence[Token], proposal: MeaningProposal) -> str:
    return " ".join(token.word for token in tokens[proposal.first : proposal.end])


def _proposals(tokens: Sequence[Token], words: TableWords) -> Iterator[MeaningProposal]:
    for at, token in enumerate(tokens):
        if token.is_word:
            yield from _columns(tokens, at, words)
            yield from _cells(tokens, at, words)
            yield from _source(tokens, at, words)


def _columns(tokens: Sequence[Token], at: int, words: TableWords) -> Iterator[MeaningProposal]:
    for end in range(min(len(tokens), at + 4), at, -1):
        key = tuple(token.stem for token in tokens[at:end])
        for column in words.columns.get(key, ())[:1]:
            if is_identity(column) and tokens[end - 1].word.endswith("s"):
                yield MeaningProposal(
                    at, end, RowNoun(is_plural=True), f"each row is of one {column.name}", 1.4
                )
            yield MeaningProposal(at, end, TableColumn(column), f"is the column {column.name}", 1.6)
        flag = words.flags.get(key)
        if flag is not None:
            yield MeaningProposal(at, end, Flag(*flag), f"is said by the column {flag[0].name}", 1.5)


def _cells(tokens: Sequence[Token], at: int, words: TableWords) -> Iterator[MeaningProposal]:
    for end in range(min(len(tokens), at + MOST_WORDS), at, -1):
        key = tuple(token.stem for token in tokens[at:end])
        found = words.cells.get(key, [])
        whole = [each for each in found if len(_key(each[1])) == len(key)]
        chosen = whole or found
        if chosen:
            column = chosen[0][0]
            meaning = Cells(column, texts_of(chosen, column), is_part=not whole)
            rank = -0.5 if whole and _is_identified(tokens, at, end, column, words) else 1.0 if whole else 2.9
            yield MeaningProposal(at, end, meaning, f"stands in the column {column.name}", rank)
    inside = words.cell_words.get(tokens[at].stem, [])
    if inside and tokens[at].word not in STOP_WORDS:
        column = inside[0][0]
        meaning = Cells(column, texts_of(inside, column), is_part=True)
        yield MeaningProposal(at, at + 1, meaning, f"is part of what stands in the column {column.name}", 3.3)


def _is_identified(
    tokens: Sequence[Token], at: int, end: int, column: ColumnEntry, words: TableWords
) -> bool:
    """True where digits are the number of a row: "invoice 10398", or long enough to be no amount."""
    before = (tokens[at - 1].stem,) if at else ()
    is_called = column in words.columns.get(before, ())
    return is_identity(column) and (is_called or sum(len(t.word) for t in tokens[at:end]) > 4)


def _key(text: str) -> tuple[str, ...]:
    return stems(text.replace("_", " "))


def _source(tokens: Sequence[Token], at: int, words: TableWords) -> Iterator[MeaningProposal]:
    """Words of the name of the document, with small ones between them: "register of invoices"."""
    if tokens[at].word.isdigit() and at and _MONTH.fullmatch(tokens[at - 1].word):
        return  # "the September 2024 fuel purchases": a time, which its rows tell
    titles, has_word, has_digits = words.title_stems, False, False
    found: list[str] = []
    for end in range(at, min(len(tokens), at + 7)):
        token = tokens[end]
        if found and token.word in _JOINTS:
            continue
        of_year = token.word.isdigit() and token.stem in titles
        if not (of_year or token.stem in words.topics or token.stem in COLLECTIONS):
            return
        found.append(token.stem)
        has_digits, has_word = has_digits or of_year, has_word or not of_year
        if has_word:
            meaning = TableName(frozenset(found))
            yield MeaningProposal(at, end + 1, meaning, "names the table", 2.6, bonus=4 if has_digits else 0)


def _nouns(tokens: Sequence[Token], at: int) -> Iterator[MeaningProposal]:
    for size in (2, 1):
        words = [token.word for token in tokens[at : at + size]]
        if len(words) == size and (*words[:-1], singular(words[-1])) in _NOUNS:
            plural = words[-1].endswith("s")
            yield MeaningProposal(at, at + size, RowNoun(plural), "is a row of the table", 2.7)
