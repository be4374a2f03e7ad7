"""What the words of a table mean: what its columns hold, what its cells say, what its rows are called.

Roles follow from header words and the types of the values, whatever the table: an amount is money, a flag is
a column of yes and no, an identity has another text in every row.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field

from core.domain.document import file_stem
from core.domain.fields import FieldType
from core.plan.catalogue import Catalogue, ColumnEntry, DocumentEntry, TableEntry
from core.plan.language.pieces import singular, stem, stems
from core.text.analyse import STOP_WORDS

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
    """Whether a column says yes or no of each row."""
    if column.type is FieldType.BOOLEAN:
        return True
    texts = {text.casefold().strip() for text in column.texts}
    return bool(texts) and column.is_whole and column.type is FieldType.TEXT and texts <= YES | NO


def is_identity(column: ColumnEntry) -> bool:
    """Whether a column names each row: another text in each, and called like a number or a document."""
    is_text = column.type in (FieldType.TEXT, FieldType.NUMBER) and not is_flag(column)
    return is_text and len(column.texts) == column.rows and bool(_ID & set(_words(column)))


def is_name(column: ColumnEntry) -> bool:
    """Whether a column holds the names of whom or where something is from."""
    return column.type is FieldType.PARTY or bool(_NAMED & set(_words(column)))


def is_of_rows(table: TableEntry) -> bool:
    """Whether the rows of a table are things with amounts, numbers or days, and not facts of one thing."""
    kinds = (FieldType.MONEY, FieldType.NUMBER, FieldType.DURATION, FieldType.DATE)
    return any(column.type in kinds for column in table.columns)


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
    """What a column is called, its own name first: (phrase, whether it is its own)."""
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
