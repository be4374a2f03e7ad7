"""Names of documents: an inverted index over file names, titles and first pages.

Built from records, kept up to date by the change sequence, held once per process; a pure in-memory index.
"""

from __future__ import annotations

import math
import re
import unicodedata
from array import array
from collections import Counter
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray
from rapidfuzz.distance import OSA
from rapidfuzz.process import extract

from core.domain.document import file_stem
from core.domain.ids import DocumentId
from core.store.database.visibility import Visibility
from core.store.documents.names import Opening
from core.text.analyse import STOP_WORDS

OPENING_CHARS = 1_500  # names on a first page beyond this are rarely the document's own
SAMPLED = 4_000  # documents that all count for how words are written; of more, every eighth
MIN_FUZZY = 6  # letters; shorter words are one edit from too many others
WORD = re.compile(r"[^\W_]+(?:[-'’.&][^\W_]+)*")
PART = re.compile(r"[^\W_]+")
HUMP = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|\d+")
GLUED = re.compile(r"^(.{4,}?)(?:holdings?|inc|corp|corporation|company|llc|ltd|plc|co|lp|group)+$")
SUFFIXES = (
    "inc",
    "corp",
    "corporation",
    "company",
    "llc",
    "ltd",
    "plc",
    "co",
    "lp",
    "group",
    "holdings",
    "holding",
)


@dataclass(frozen=True, slots=True)
class Posting:
    """The documents that one word may name: their row numbers and how strongly (1 title, .6 first page)."""

    rows: NDArray[np.int64]
    weights: NDArray[np.float32]


@lru_cache(maxsize=65_536)
def fold(word: str) -> str:
    """`word` in lower case without accents."""
    if word.isascii():
        return word.lower()
    plain = unicodedata.normalize("NFKD", word)
    return "".join(char for char in plain if not unicodedata.combining(char)).casefold()


@lru_cache(maxsize=65_536)
def word_forms(word: str) -> tuple[str, ...]:
    """The folded tokens that a written word counts as: `B-120's` gives b120 and 120, `Fee` gives fee."""
    if word.isalpha():
        return (fold(word),) if len(word) > 1 else ()
    parts = [part for part in PART.findall(word) if part not in ("s", "S")]
    whole = fold("".join(parts))
    is_code = len(parts) > 1 and (any(map(str.isdigit, whole)) or max(map(len, parts)) <= 2)
    forms = [whole] if is_code else []
    return tuple(forms + [fold(part) for part in parts if len(part) > 1])


def title_tokens(name: str) -> set[str]:
    """The tokens of a file name or title, with glued words split at capitals and company suffixes."""
    found: set[str] = set()
    for word in WORD.findall(name.replace("_", " ")):
        for form in word_forms(word):
            found.add(form)
            if form.endswith(SUFFIXES) and (match := GLUED.match(form)):
                found.add(match.group(1))
        humps = HUMP.findall(word) if word.isascii() else []
        if len(humps) > 1:
            found.update(fold(hump) for hump in humps if len(hump) > 1)
    return found - STOP_WORDS


class WordCounts:
    """How often one word stands in documents of each acl: a sum over some is one pass over two arrays."""

    __slots__ = ("_acls", "_times")

    def __init__(self) -> None:
        self._acls = array("I")
        self._times = array("i")

    def add(self, acl: int, times: int) -> None:
        """Count the word once more (or less) for the acl of this number."""
        if self._acls and self._acls[-1] == acl:
            self._times[-1] += times
        else:
            self._acls.append(acl)
            self._times.append(times)

    def times(self, admitted: NDArray[np.bool_]) -> int:
        """Sum over the acls that are admitted, by their numbers."""
        acls = np.frombuffer(self._acls, np.uint32)
        return int(np.frombuffer(self._times, np.int32)[admitted[acls]].sum())


class NamesIndex:
    """Words to documents. Not thread-safe while `add` or `remove` runs; lookups may run side by side."""

    def __init__(self) -> None:
        self._rows: list[Opening | None] = []
        self._row_of: dict[DocumentId, int] = {}
        self._postings: dict[str, array[int]] = {}
        self._cased: Counter[str] = Counter()
        self._written: dict[str, WordCounts] = {}  # the same by acl
        self._by_length: dict[int, list[str]] | None = None
        self._acls: dict[tuple[str, ...], int] = {}
        self._acl_of_row = array("I")  # by its number in _acls
        self._texts: dict[DocumentId, tuple[tuple[str, ...], int]] = {}  # acl and hash of what was counted

    def __len__(self) -> int:
        return len(self._row_of)

    @property
    def rows(self) -> int:
        """Number of rows, those of removed documents included."""
        return len(self._rows)

    @property
    def dead_rows(self) -> int:
        """Rows of documents since removed or replaced; rebuild when they prevail."""
        return len(self._rows) - len(self._row_of)

    @property
    def acls(self) -> Collection[tuple[str, ...]]:
        """Every acl that a document has, or had."""
        return self._acls.keys()

    def rows_with(self, acls: Collection[tuple[str, ...]]) -> NDArray[np.bool_]:
        """(rows,) True for the documents of these acls that were not removed."""
        wanted = self.admitted(acls)
        if not len(self._acl_of_row):
            return np.zeros(0, np.bool_)
        chosen: NDArray[np.bool_] = wanted[np.frombuffer(self._acl_of_row, np.uint32)]
        alive = np.zeros(len(self._rows), np.bool_)
        alive[list(self._row_of.values())] = True
        return chosen & alive

    def rows_in(self, buckets: Collection[str]) -> NDArray[np.bool_]:
        """(rows,) True for the documents of these buckets that were not removed."""
        return np.array([each is not None and each.bucket in buckets for each in self._rows], np.bool_)

    def rows_of(self, some: Collection[str]) -> list[int]:
        """The rows of those of some documents that are there."""
        return [row for id in some if (row := self._row_of.get(DocumentId(id))) is not None]

    def admitted(self, acls: Collection[tuple[str, ...]]) -> NDArray[np.bool_]:
        """By the number of each acl, whether it is one of these."""
        return np.array([acl in acls for acl in self._acls], np.bool_)

    def times_written(self, word: str, admitted: NDArray[np.bool_]) -> int:
        """How often a word stands, written as it is, on the first pages of documents of the admitted acls."""
        found = self._written.get(word)
        return 0 if found is None else found.times(admitted)

    def add(self, documents: Iterable[Opening]) -> None:
        """Index these documents, replacing those of the same id.

        Names are read from the first OPENING_CHARS of a text; the rest shows what is written with capitals.
        """
        for document in documents:
            self.remove(document.id)
            row = len(self._rows)
            self._rows.append(replace(document, text=""))  # which is read here and not kept
            self._row_of[document.id] = row
            self._acl_of_row.append(self._acls.setdefault(document.acl, len(self._acls)))
            if row < SAMPLED or row % 8 == 0:
                self._count_words(document)
            own = title_tokens(file_stem(document.source)) | title_tokens(document.title)
            self._append(own, row << 1 | 1)
            self._append(_capitalised(document.text[:OPENING_CHARS]) - own, row << 1)
        self._by_length = None

    def _count_words(self, document: Opening) -> None:
        """Count how words are written; once for a text, whatever else of its document changes."""
        # Split at blanks: misses a word beside a comma, in either case alike, at a third of the time.
        words = Counter(document.text.split())
        before = self._texts.get(document.id)
        self._texts[document.id] = (document.acl, hash(document.text))
        if before is not None and before[1] == hash(document.text):
            self._write(words, before[0], -1)
        else:
            self._cased.update(words)
        self._write(words, document.acl, 1)

    def _write(self, words: Counter[str], acl: tuple[str, ...], sign: int) -> None:
        number = self._acls[acl]
        for word, times in words.items():
            found = self._written.get(word)
            if found is None:
                found = self._written[word] = WordCounts()
            found.add(number, sign * times)

    def remove(self, document: DocumentId) -> None:
        """Forget a document; unknown ids are ignored."""
        row = self._row_of.pop(document, None)
        if row is not None:
            self._rows[row] = None

    def document(self, row: int) -> Opening | None:
        """The document of a row; None where it was removed."""
        return self._rows[row]

    def posting(self, token: str) -> Posting | None:
        """The rows that `token` may name, removed documents included; None for an unknown token."""
        packed = self._postings.get(token)
        if packed is None:
            return None
        values = np.frombuffer(packed, dtype=np.uint32).astype(np.int64)
        return Posting(values >> 1, np.where(values & 1, 1.0, 0.6).astype(np.float32))

    def frequency(self, token: str) -> int:
        """Number of rows that `token` may name."""
        return len(self._postings.get(token, ()))

    def rarity(self, token: str) -> float:
        """idf scaled to 0..1: 1 for a token of one document, 0 for one of all."""
        return rarity(self.frequency(token), len(self))

    def capitalised_share(self, token: str) -> float:
        """Share of `token` with a capital on the first pages, 0 to 1; .5 where they do not have it."""
        return capitalised_share(token, self._cased.__getitem__)

    def is_known(self, token: str) -> bool:
        """True where any name or first page has this token."""
        return token in self._postings or bool(self._cased[token])

    def near(self, token: str, frequency: Callable[[str], int] | None = None) -> tuple[str, float] | None:
        """The token that `token` seems to misspell, with a similarity 0..1; None where there is none or two.

        One edit (a swap of neighbours counts as one) in 6 to 9 letters, two in 10 or more. frequency: tokens
        for which it is 0 do not count; None: all count.
        """
        if len(token) < MIN_FUZZY or not token.isalpha():
            return None
        if self._by_length is None:
            lengths: dict[int, list[str]] = {}
            for known in self._postings:
                lengths.setdefault(len(known), []).append(known)
            self._by_length = lengths
        edits = 1 if len(token) < 10 else 2
        pool = [
            w for n in range(len(token) - edits, len(token) + edits + 1) for w in self._by_length.get(n, ())
        ]
        limit = 2 if frequency is None else None
        found = extract(token, pool, scorer=OSA.distance, score_cutoff=edits, limit=limit)
        if frequency is not None:
            found = [each for each in found if frequency(each[0])]
        if not found or (len(found) > 1 and found[0][1] == found[1][1]):
            return None
        return found[0][0], 1.0 - found[0][1] / len(token)

    def _append(self, tokens: Iterable[str], packed: int) -> None:
        for token in tokens:
            posting = self._postings.get(token)
            if posting is None:
                self._postings[token] = array("I", (packed,))
            else:
                posting.append(packed)


def rarity(frequency: int, total: int) -> float:
    """idf scaled to 0..1 of what stands in `frequency` of `total` documents."""
    total = max(total, 2)
    return math.log(total / min(max(frequency, 1), total)) / math.log(total)


def capitalised_share(token: str, times: Callable[[str], int]) -> float:
    """Share of `token` with a capital, 0 to 1; .5 where it stands nowhere. times: how often a word stands."""
    upper, lower = times(token.capitalize()), times(token)
    if not upper and not lower:  # whole headings are in capitals: they count only for want of better
        upper = times(token.upper())
    return (upper + 0.5) / (upper + lower + 1.0)


def _capitalised(opening: str) -> set[str]:
    return set().union(*[_name_forms(word) for word in set(opening.split()) if not word.islower()])


@lru_cache(maxsize=65_536)
def _name_forms(run: str) -> tuple[str, ...]:
    """The tokens of a run without blanks that may name a document: those not in lower case."""
    words = [word for word in WORD.findall(run) if not word.islower()]
    forms = (form for word in words for form in word_forms(word))
    return tuple(form for form in forms if not form.isdigit() and form not in STOP_WORDS)


class VisibleNames:
    """A NamesIndex with the documents of one visibility; valid until the index changes."""

    def __init__(self, names: NamesIndex, visible: Visibility) -> None:
        self._names = names
        acls = frozenset(acl for acl in names.acls if visible.may_see(acl))
        self._admitted = names.admitted(acls)
        self._is_seen: NDArray[np.bool_] = names.rows_with(acls)
        if visible.buckets is not None:
            self._is_seen = self._is_seen & names.rows_in(visible.buckets)
        self._is_seen[names.rows_of(visible.without)] = False
        self._found: dict[str, Posting | None] = {}

    @property
    def rows(self) -> int:
        """Number of rows of the index, whoever may see them."""
        return self._names.rows

    @cached_property
    def _total(self) -> int:
        return int(self._is_seen.sum())

    def document(self, row: int) -> Opening | None:
        """The document of a row; None where it was removed or may not be seen."""
        return self._names.document(row) if self._is_seen[row] else None

    def posting(self, token: str) -> Posting | None:
        """The rows that may be seen and that `token` may name; None where there is none."""
        if token not in self._found:
            whole = self._names.posting(token)
            if whole is not None:
                mask = self._is_seen[whole.rows]
                whole = Posting(whole.rows[mask], whole.weights[mask]) if mask.any() else None
            self._found[token] = whole
        return self._found[token]

    def frequency(self, token: str) -> int:
        """Number of such rows."""
        found = self.posting(token)
        return 0 if found is None else len(found.rows)

    def rarity(self, token: str) -> float:
        """See NamesIndex."""
        return rarity(self.frequency(token), self._total)

    def capitalised_share(self, token: str) -> float:
        """See NamesIndex."""
        return capitalised_share(token, self._times)

    def is_known(self, token: str) -> bool:
        """True where any name or first page that may be seen has this token."""
        return self.posting(token) is not None or self._times(token) > 0

    def _times(self, word: str) -> int:
        return self._names.times_written(word, self._admitted)

    def near(self, token: str) -> tuple[str, float] | None:
        """See NamesIndex; of the names that may be seen."""
        return self._names.near(token, self.frequency)
