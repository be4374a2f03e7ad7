"""Vocabulary of tables: the words by which columns, values and titles are known, and which tables match."""

from __future__ import annotations

import threading
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from weakref import WeakKeyDictionary

from core.domain.document import file_stem
from core.domain.fields import AMOUNTS, FieldType
from core.plan.catalogue import Catalogue, DocumentEntry, TableEntry, TablePart
from core.plan.language.lexicon.lexicon import Lexicon
from core.plan.language.pieces import Token, singular, stem, stems
from core.plan.tables.abbreviation import abbreviates, spoken_codes
from core.plan.tables.header import NO, YES, ColumnKind, ColumnWords, columns_of, plain_words
from core.text.analyse import STOP_WORDS
from core.text.words import word_lines, word_list

MOST_WORDS = 8  # of a cell's text that may be said
UNKNOWN = -1  # number of a table of which only the document is known
_KEY_SHARE = 0.8  # of the values of one column that another one has, where both are of the same things
_MOST_KEYS = 2_000

Stems = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CellText:
    """A text of a column. is_total: it is what rows are called that add up others."""

    column: ColumnWords
    text: str
    is_total: bool = False


@dataclass(slots=True, eq=False)
class TableVocabulary:
    """The words of one table.

    names: by the stems of whole names columns; aliases: by the stem of a word of their names, with a weight
    below 1; synonyms: by a word as it is written, columns that are called like that elsewhere.
    cells: by the stems of a whole text; cell_words: by a word of one. flags: by stems a column, and whether
    it says yes. titles: by part the stems of what it is called.
    nouns: what its rows are called, here (called_rows) or elsewhere; heads: of these, those by their subject;
    rivals: what rows of other tables of its documents are called.
    """

    table: TableEntry
    columns: tuple[ColumnWords, ...]
    documents: tuple[DocumentEntry, ...]
    names: dict[Stems, list[ColumnWords]] = field(default_factory=lambda: defaultdict(list))
    aliases: dict[str, list[tuple[ColumnWords, float]]] = field(default_factory=lambda: defaultdict(list))
    synonyms: dict[str, list[tuple[ColumnWords, float]]] = field(default_factory=lambda: defaultdict(list))
    cells: dict[Stems, list[CellText]] = field(default_factory=lambda: defaultdict(list))
    cell_words: dict[str, list[CellText]] = field(default_factory=lambda: defaultdict(list))
    flags: dict[Stems, tuple[ColumnWords, bool]] = field(default_factory=dict)
    titles: dict[TablePart, frozenset[str]] = field(default_factory=dict)
    document_titles: dict[str, frozenset[str]] = field(default_factory=dict)
    parts: tuple[TablePart, ...] = ()
    nouns: frozenset[str] = frozenset()
    called_rows: frozenset[str] = frozenset()
    heads: frozenset[str] = frozenset()
    rivals: frozenset[str] = frozenset()

    def __repr__(self) -> str:
        return f"TableVocabulary({[column.entry.name for column in self.columns]})"

    def of_kind(self, *kinds: ColumnKind) -> list[ColumnWords]:
        """The columns of these kinds, in order."""
        return [column for column in self.columns if column.kind in kinds]

    def named_by(self, token: Token) -> list[tuple[ColumnWords, float]]:
        """The columns that a word of a question may stand for, with the weight of each."""
        return self.called(token.word, token.stem)

    def called(self, word: str, stemmed: str = "") -> list[tuple[ColumnWords, float]]:
        """The columns that a word may stand for."""
        known = [*self.aliases.get(stemmed or stem(word), ())]
        for form in dict.fromkeys((word, singular(word), f"{word}s")):
            known += self.synonyms.get(form, ())
        return known

    @property
    def subject(self) -> ColumnWords | None:
        """The column that says what each row is about: the first that names it, else the first of words."""
        named = [c for c in self.of_kind(ColumnKind.NAME) if len(c.entry.texts) > 1]
        coded = self.of_kind(ColumnKind.IDENTITY)
        texts = [c for c in self.columns if c.is_text and c.kind is not ColumnKind.FLAG]
        if named and texts and named[0].place <= texts[0].place + 2:
            return named[0]
        return next(iter(coded[:1] or texts or named), None)

    @property
    def stems(self) -> set[str]:
        """All words by which the table may be meant."""
        found = {each for names in self.names for each in names} | set(self.aliases) | set(self.cell_words)
        found |= {stem(word) for word in self.synonyms}
        found |= {each for names in self.cells for each in names} | {s for key in self.flags for s in key}
        return found | set(self.nouns)


def vocabulary_of(table: TableEntry, catalogue: Catalogue) -> TableVocabulary:
    """The vocabulary of a table of a catalogue."""
    known = (catalogue.document(id) for id in table.documents)
    found = TableVocabulary(table, columns_of(table), tuple(each for each in known if each is not None))
    for column in found.columns:
        _add_names(found, column)
        if column.kind is ColumnKind.FLAG:
            _add_flag(found, column)
        elif column.kind is ColumnKind.DAY:
            _add_day_flags(found, column)
        else:
            _add_cells(found, column)
    found.document_titles = {each.id: _title_stems(each) for each in found.documents}
    found.parts = table.parts or tuple(TablePart(id, UNKNOWN) for id in table.documents)
    for part in found.parts:
        said = frozenset(stems(f"{part.sheet} {part.caption}".replace("_", " "))) - STOP_WORDS
        found.titles[part] = said | found.document_titles.get(part.document, frozenset())
    found.nouns = _nouns(found)
    _add_values(found)
    _add_pieces(found)
    return found


def is_nameless(column: ColumnWords) -> bool:
    """True of the values of a table that nothing names: "Value", made of columns that are months or years."""
    return column.words[:1] == ("value",)


def _add_values(found: TableVocabulary) -> None:
    """What a table is called names the values that have no name of their own."""
    nameless = [column for column in found.of_kind(ColumnKind.MEASURE) if is_nameless(column)]
    if len(nameless) != 1:
        return
    titled = {word for words in found.titles.values() for word in words}
    plain = {stem(word) for word in word_list("tables", "collections")}
    for word in titled | {stem("units"), stem("amount")}:
        if word.isdigit() or word in plain or any(word in names for names in found.names):
            continue
        found.aliases[word].append((nameless[0], 0.6))
        found.nouns -= {word}


def _title_stems(document: DocumentEntry) -> frozenset[str]:
    named = f"{document.title} {file_stem(document.source)}".replace("_", " ").replace("-", " ")
    return frozenset(stems(named)) - STOP_WORDS


def _add_names(found: TableVocabulary, column: ColumnWords) -> None:
    spelled = tuple(stem(w) for w in column.entry.name.replace("_", " ").replace("-", " ").split() if stem(w))
    for key in dict.fromkeys((column.stems, spelled)):
        if key:
            found.names[key].append(column)
    for place, word in enumerate(column.stems):
        if word in STOP_WORDS or len(word) < 2:
            continue
        is_head = place == _head_of(column.words)
        found.aliases[word].append((column, 0.9 if is_head else 0.75))
    words = set(column.words) - ({"number"} if column.kind is ColumnKind.IDENTITY else set())
    other = word_list("tables", "pieces_alone") if column.entry.type is FieldType.MONEY else frozenset()
    for group in _alike():
        if words & group:
            for word in group - words - other:
                found.synonyms[word].append((column, 0.6))
    if column.entry.type is FieldType.MONEY:
        for word in word_list("tables", "money"):
            found.synonyms[word].append((column, 0.4))


def _add_pieces(found: TableVocabulary) -> None:
    """ "Units" are what the only column of numbers of pieces says: "Sold"."""
    wanted = word_list("tables", "quantities")
    counted = [c for c in found.of_kind(ColumnKind.MEASURE) if set(c.words) & wanted]
    for word in ("unit", "piece", "quantity") if len(counted) == 1 else ():
        if stem(word) not in found.aliases and word not in found.synonyms:
            found.synonyms[word].append((counted[0], 0.6))


_JOINTS = frozenset(["of", "for", "by", "on", "in", "at", "to", "per", "until", "from"])


def _head_of(words: Sequence[str]) -> int:
    """The place of the word that says what a column holds: the last before "for", and behind "number of"."""
    joint = next((at for at, word in enumerate(words) if word in _JOINTS and at), len(words))
    counts = joint < len(words) - 1 and words[:joint] in (("number",), ("count",))
    return len(words) - 1 if counts else joint - 1


@lru_cache(maxsize=1)
def _alike() -> tuple[frozenset[str], ...]:
    return tuple(frozenset(line) for line in word_lines("tables", "alike"))


def _add_day_flags(found: TableVocabulary, column: ColumnWords) -> None:
    """ "Open" and "pending" of rows that have no day in "Closed"."""
    for line in word_lines("tables", "flags"):
        yes, no = line[: line.index("|")], line[line.index("|") + 1 :]
        is_done = bool(set(column.words) & set(yes))
        if is_done or set(column.words) & set(no):
            for word in no if is_done else yes:
                found.flags.setdefault(stems(word), (column, False))


def _add_flag(found: TableVocabulary, column: ColumnWords) -> None:
    name = " ".join(column.words)
    bare = " ".join(word for word in column.words if word not in ("is", "has", "was", "flag"))
    for word in dict.fromkeys((name, bare)):
        found.flags[stems(word)] = (column, True)
        for opposite in (f"un{word}", f"non-{word}", f"not-{word}", f"in{word}"):
            found.flags[stems(opposite)] = (column, False)
    for line in word_lines("tables", "flags"):
        yes, no = line[: line.index("|")], line[line.index("|") + 1 :]
        if bare in yes or any(abbreviates(bare, word) for word in yes):
            for word in yes:
                found.flags.setdefault(stems(word), (column, True))
            for word in no:
                found.flags.setdefault(stems(word), (column, False))


def _add_cells(found: TableVocabulary, column: ColumnWords) -> None:
    if column.entry.type is FieldType.DATE or column.entry.type in AMOUNTS:
        return
    for text, is_total in (
        *((text, False) for text in column.entry.texts),
        *((text, True) for text in column.entry.totals),
    ):
        key = stems(text.replace("_", " "))
        if not key:
            continue
        cell = CellText(column, text, is_total)
        if len(key) <= 2 * MOST_WORDS:
            found.cells[key].append(cell)
        for word in set(key):
            if word not in STOP_WORDS or len(key) == 1:
                found.cell_words[word].append(cell)
    for text, meanings in spoken_codes(column.entry.texts).items():
        for word in meanings:
            known = found.cells[stems(word)]
            if not any(cell.column is column for cell in known):
                known.append(CellText(column, text))


def _nouns(found: TableVocabulary) -> frozenset[str]:
    """Words for a row: what its sheet or document is called, and what each row names."""
    titled = list(found.document_titles.values())
    sheets = _of_all([part.sheet for part in found.parts])
    named = set(sheets)
    if not named and titled:
        named = set(titled[0]).intersection(*titled)  # of several documents what all are called
    captions = _of_all([part.caption for part in found.parts])
    plain = {stem(word) for word in word_list("tables", "collections")}
    own = {word for word in named | captions if not word.isdigit() and word not in STOP_WORDS} - plain
    subject = found.subject
    heads = {subject.stems[0], subject.stems[-1]} if subject is not None and subject.stems else set()
    ids = {stem(word) for word in word_list("tables", "identifiers")}
    nouns = own | (heads - ids - {"name"})
    found.called_rows = frozenset(nouns)
    named = (heads - ids) | sheets
    found.heads = frozenset(heads).union(
        *({stem(word) for word in group} for group in _alike() if heads & {stem(word) for word in group})
    )
    for group in _alike():
        stemmed = {stem(word) for word in group}
        if stemmed & named and not stemmed & set(found.aliases) - nouns:
            nouns |= stemmed
    return frozenset(nouns)


def _of_all(names: Sequence[str]) -> set[str]:
    """The stems that all of some names have: "Jan" and "Feb" call no row, and tell the sheets apart."""
    said = [set(stems(name)) for name in names]
    return said[0].intersection(*said) if said else set()


@dataclass(frozen=True, slots=True, eq=False)
class TableKey:
    """A column whose values are those of a column of another table, which has each of them once."""

    left: ColumnWords
    right: ColumnWords
    share: float


class TablesVocabulary:
    """The vocabularies of the tables of a catalogue, made once and then only read. Thread-safe."""

    def __init__(self, catalogue: Catalogue) -> None:
        self.tables = [vocabulary_of(each, catalogue) for each in catalogue.tables if each.columns]
        _set_rivals(self.tables)
        _share_captions(self.tables)
        self.unique_titles = _unique_titles(self.tables)
        self._by_stem: dict[str, set[int]] = defaultdict(set)
        for at, words in enumerate(self.tables):
            titled = {word for said in words.titles.values() for word in said}
            for word in words.stems | titled:
                self._by_stem[word].add(at)
        self._keys: dict[int, list[tuple[TableKey, TableVocabulary]]] | None = None
        self._lock = threading.Lock()  # guards _keys

    def likeliest(self, said: Iterable[str], buckets: tuple[str, ...], most: int) -> list[TableVocabulary]:
        """The tables of these buckets that have most of some words; a word that few have counts more."""
        hits: dict[int, float] = defaultdict(float)
        for word in set(said) - STOP_WORDS:
            places = self._by_stem.get(word, ())
            for at in places:
                hits[at] += 1 / (1 + 0.1 * len(places))
        within = [
            at
            for at, words in enumerate(self.tables)
            if not buckets or any(each.bucket in buckets for each in words.documents)
        ]
        ranked = sorted((at for at in within if at in hits), key=lambda at: (-hits[at], at))
        if not ranked and len(within) <= most:
            ranked = within
        return [self.tables[at] for at in ranked[:most]]

    def keys_of(self, words: TableVocabulary) -> list[tuple[TableKey, TableVocabulary]]:
        """Keys between a table and others, with the other table; those of its own values first."""
        with self._lock:
            if self._keys is None:
                self._keys = _keys(self.tables)
        return self._keys.get(id(words), [])


def _unique_titles(tables: Sequence[TableVocabulary]) -> frozenset[str]:
    """Words such as "register" that the name of one document with tables has, and no other."""
    plain = {stem(word) for word in word_list("tables", "collections")}
    documents: dict[str, set[str]] = defaultdict(set)
    for words in tables:
        for id, title in words.document_titles.items():
            for word in title & plain:
                documents[word].add(id)
    return frozenset(word for word, ids in documents.items() if len(ids) == 1)


def _set_rivals(tables: Sequence[TableVocabulary]) -> None:
    of_document: dict[str, set[str]] = defaultdict(set)
    sheets = {id(words): {s for part in words.parts for s in stems(part.sheet)} for words in tables}
    for words in tables:
        for document in words.documents:
            of_document[document.id] |= sheets[id(words)]
    for words in tables:
        others = {word for document in words.documents for word in of_document[document.id]}
        words.rivals = frozenset(others - sheets[id(words)] - words.nouns - set(words.aliases))


def _share_captions(tables: Sequence[TableVocabulary]) -> None:
    """The lines above one table of a workbook name the others, too: "Harbour Trust, budget and cash"."""
    of_document: dict[str, set[str]] = defaultdict(set)
    for words in tables:
        for part in words.parts:
            of_document[part.document] |= set(stems(part.caption)) - STOP_WORDS
    for words in tables:
        for part in words.parts:
            words.titles[part] = words.titles[part] | frozenset(of_document[part.document])


def _keys(tables: Sequence[TableVocabulary]) -> dict[int, list[tuple[TableKey, TableVocabulary]]]:
    """Keys between tables of one document, or of one bucket."""
    uniques: list[tuple[TableVocabulary, ColumnWords, frozenset[str]]] = []
    for words in tables:
        for column in words.columns:
            values = _values(column)
            if 2 <= len(values) <= _MOST_KEYS and len(values) >= 0.95 * words.table.rows:
                uniques.append((words, column, values))
    found: dict[int, list[tuple[TableKey, TableVocabulary]]] = {}
    backwards: dict[int, list[tuple[TableKey, TableVocabulary]]] = {}
    for words in tables:
        best: dict[int, tuple[TableKey, TableVocabulary]] = {}
        for key, other in _keys_into(words, uniques):
            known = best.get(id(other))
            if known is None or _likeness(key) > _likeness(known[0]):
                best[id(other)] = (key, other)
        found[id(words)] = sorted(best.values(), key=lambda each: (-_likeness(each[0]), -each[0].share))
        for key, other in best.values():
            backwards.setdefault(id(other), []).append((key, words))
    for own, pairs in backwards.items():
        found[own] = [*found.get(own, []), *pairs]
    return found


def _keys_into(
    words: TableVocabulary, uniques: Sequence[tuple[TableVocabulary, ColumnWords, frozenset[str]]]
) -> Iterator[tuple[TableKey, TableVocabulary]]:
    """Columns of a table whose values are those of a column of another that has each of them once."""
    for column in words.columns:
        values = _values(column)
        if len(values) < 2 or column.kind in (ColumnKind.FLAG, ColumnKind.MEASURE, ColumnKind.DAY):
            continue
        for other, key, keys in uniques:
            if other is words or not _are_near(words, other) or not _may_match(column, key):
                continue
            share = len(values & keys) / len(values)
            if share >= _KEY_SHARE and len(values & keys) >= 2:
                yield TableKey(column, key, share), other


def _values(column: ColumnWords) -> frozenset[str]:
    texts = column.entry.numbers if column.is_number else column.entry.texts
    return frozenset(text.casefold().strip() for text in texts)


def _are_near(one: TableVocabulary, other: TableVocabulary) -> bool:
    mine = {each.id for each in one.documents}
    if mine & {each.id for each in other.documents}:
        return True
    return bool({each.bucket for each in one.documents} & {each.bucket for each in other.documents})


def _may_match(column: ColumnWords, key: ColumnWords) -> bool:
    """True where values that are the same mean the same: small numbers are alike by chance."""
    if column.is_number or key.is_number:
        return bool(set(column.stems) & set(key.stems)) and key.kind is not ColumnKind.MEASURE
    return key.kind in (ColumnKind.IDENTITY, ColumnKind.NAME, ColumnKind.CATEGORY)


def _likeness(key: TableKey) -> float:
    same = len(set(key.left.stems) & set(key.right.stems))
    return same + (1.0 if key.right.kind is ColumnKind.IDENTITY else 0.0)


_kept: WeakKeyDictionary[Lexicon, TablesVocabulary] = WeakKeyDictionary()
_lock = threading.Lock()  # guards _kept


def tables_vocabulary(lexicon: Lexicon) -> TablesVocabulary:
    """The vocabularies of the tables of a lexicon's catalogue."""
    with _lock:
        known = _kept.get(lexicon)
        if known is None:
            known = _kept[lexicon] = TablesVocabulary(lexicon.catalogue)
        return known


__all__ = ["NO", "YES", "CellText", "TableKey", "TableVocabulary", "TablesVocabulary", "plain_words",
           "tables_vocabulary", "vocabulary_of"]  # fmt: skip
