"""Index of names: which documents have a word in their names, and where; made once for a catalogue."""

from __future__ import annotations

import math
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice, takewhile
from threading import Lock
from typing import Final

import numpy as np
from numpy.typing import NDArray
from rapidfuzz.distance import OSA
from rapidfuzz.process import extract_iter

from core.cache import Cache
from core.domain.document import file_stem
from core.plan.catalogue import Catalogue, DocumentEntry
from core.text.analyse import STOP_WORDS
from core.values.names import role_of
from core.values.naming.file_name import FileName, parse_file_name
from core.values.naming.words import NameWord, folded, humps, initials, key_of, list_keys, name_words
from core.values.numbers import parse_ordinal

_MIN = 4  # letters: shorter words are one edit from too many others
_MOST = 6
_LONG = 8  # letters from which two edits are one word
_INSIDE = 5  # letters from which a word may stand inside of another
_WITHIN = 0.8  # of the likeness of a beginning
_MOST_SIDES = 14
_BACKGROUND = 200  # documents that are thought beside those there are: names are rare in three documents, too
_RARE = 0.002  # share of them that have any word


class NearWords:
    """Words by their length, and as one text: of 48,000, 4 ms find those near a word, .3 ms those with it."""

    def __init__(self, words: Iterable[str]) -> None:
        self._by_length: dict[int, list[str]] = defaultdict(list)
        for word in words:
            self._by_length[len(word)].append(word)
        self._text = "\n".join(("", *(word for alike in self._by_length.values() for word in alike), ""))

    def near(self, word: str) -> list[tuple[str, float]]:
        """Words within one edit, or two of longer ones, with their likeness 0 to 1, best first."""
        if len(word) < _MIN or word.isdigit():
            return []
        edits = 1 if len(word) < _LONG else 2
        found = {}
        for length in range(len(word) - edits, len(word) + edits + 1):
            alike = self._by_length.get(length, ())
            for other, edit, _ in extract_iter(word, alike, scorer=OSA.distance, score_cutoff=edits):
                if edit:
                    found[other] = 1.0 - edit / max(len(word), length)
        return _best(found)

    def longer(self, word: str) -> list[tuple[str, float]]:
        """Words that begin with a word or hold it, with the share of them that it is, best first."""
        if len(word) < _MIN or word.isdigit():
            return []
        found = {}
        end = 0
        while (at := self._text.find(word, end)) >= 0:
            start, end = self._text.rfind("\n", 0, at) + 1, self._text.find("\n", at)
            other = self._text[start:end]
            if other != word and (at == start or len(word) >= _INSIDE):
                found[other] = (1.0 if at == start else _WITHIN) * len(word) / len(other)
        return _best(found)


def _best(likeness: dict[str, float]) -> list[tuple[str, float]]:
    return sorted(likeness.items(), key=lambda each: (-each[1], each[0]))[:_MOST]


class NamePlace:
    """Places of a word in what is known of a document's name, as bits."""

    PARTY: Final = 1  # the name of a party or of somebody else in the opening
    SHORT: Final = 2  # what a party is called for short
    FILE: Final = 4  # the file's name, before its kind
    TITLE: Final = 8  # the title
    KIND: Final = 16  # what the document calls itself, or the file's kind
    CAPITAL: Final = 32  # another name in the opening
    WORD: Final = 64  # another telling word of the opening
    INITIALS: Final = 128  # first letters of a name or of the kind


@dataclass(frozen=True, slots=True)
class NameProfile:
    """Parts of a document's name.

    sides: the words of each name in it, blanks between words, `|` between sides. kind: the words of what it
    calls itself. days: ISO 8601, those of the opening; filed: those of the file name. changes: it amends
    another document; number: which amendment, 0 where nothing says. names: those of its file, title and
    heading without blanks and signs, that of the file first.
    """

    sides: str
    kind: str
    days: tuple[str, ...]
    filed: tuple[str, ...]
    changes: bool
    number: int
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ReadProfile:
    """A profile with the words that it was read from. places: by word, as bits of `NamePlace`."""

    profile: NameProfile
    places: dict[str, int]


HEADS = list_keys("papers")
"""What any document may be called."""

LEGAL_FORMS = list_keys("forms")


CHANGES = list_keys("amendments")


RESTATED = key_of("restated")
"""What is amended and restated is a whole document, and changes no other."""

_TITLES = list_keys("titles")


_IDLE = frozenset(map(key_of, STOP_WORDS)) | {"by", "no"}


def profile_of(entry: DocumentEntry) -> ReadProfile:
    """The profile of a document."""
    opening = entry.opening
    parts = [*(part for name in opening.names for part in name), opening.heading]
    said = {word.key for part in parts for word in name_words(part)} - _IDLE
    said.update(opening.capitals.split(), opening.words.split())
    file = parse_file_name(entry.source, said)
    kinds = " ".join(file.kind)
    found = _Places()
    for party in entry.parties:
        found.add_side(party, NamePlace.PARTY)
    for name in opening.names:
        is_full = len(name) > 1 or " " in name[0]
        found.add_side(name[0], NamePlace.PARTY if is_full else NamePlace.SHORT)
        for short in name[1:]:
            found.add_side(short, NamePlace.SHORT)
    if file.owner:
        found.add_side(" ".join(file.owner), NamePlace.FILE)
    kind = _kind_of(entry, file)
    found.add(kind, NamePlace.KIND)
    found.add(_keys(name_words(entry.title)), NamePlace.TITLE)
    found.add(_keys(name_words(kinds)), NamePlace.TITLE)
    for text in (opening.heading, entry.title, kinds):
        found.add(_kind_initials(text), NamePlace.INITIALS)
    found.add((word.key for exhibit in file.numbers for word in name_words(exhibit)), NamePlace.TITLE)
    found.add(opening.capitals.split(), NamePlace.CAPITAL)
    found.add(opening.words.split(), NamePlace.WORD)
    number, changing = change_in(name_words(f"{opening.heading} | {entry.title} | {kinds}"))
    sides = "|".join(" ".join(side) for side in list(found.sides)[:_MOST_SIDES])
    names = dict.fromkeys(map(as_one, (file_stem(entry.source), entry.title, entry.name, opening.heading)))
    profile = NameProfile(
        sides, " ".join(sorted(kind)), opening.days, file.days, bool(changing), number, tuple(names)
    )
    return ReadProfile(profile, found.places)


def as_one(text: str) -> str:
    """A name without blanks and signs."""
    return "".join(word.key for word in name_words(text))


class _Places:
    """Words by their places, and the sides that they make up."""

    def __init__(self) -> None:
        self.places: dict[str, int] = {}
        self.sides: dict[tuple[str, ...], None] = {}

    def add(self, keys: Iterable[str], place: int) -> None:
        """Note that some words stand in a place."""
        for key in keys:
            self.places[key] = self.places.get(key, 0) | place

    def add_side(self, name: str, place: int) -> None:
        """Note the name of a party, of a file's owner or of somebody else."""
        words = [word for word in name_words(name) if word.key not in _IDLE]
        telling = [word for word in words if word.key not in LEGAL_FORMS] or words
        if not telling or role_of(name):
            return
        self.sides[tuple(sorted({word.key for word in telling}))] = None
        self.add((word.key for word in words), place)
        self.add((folded(word.written) for word in telling), place)
        self.add((key_of(part) for word in telling for part in humps(word.written) if len(part) > 2), place)
        self.add(_glued(telling), place)
        if len(words) > len(telling):
            self.add(_glued(words[:2]), place)
        if place == NamePlace.FILE:
            self.add(("".join(folded(word.written) for word in words),), place)
        if len(telling) > 1:
            groups = (telling, words, name_words(name))
            shorts = [initials([word.key for word in group]) for group in groups]
            shorts += [short[:size] for short in shorts[:1] for size in range(3, len(short))]
            self.add((short for short in shorts if 2 <= len(short) <= 6), NamePlace.INITIALS)


def _glued(words: Sequence[NameWord]) -> Iterator[str]:
    """Words written as one: the first two, and the whole name."""
    if len(words) > 1:
        yield folded(words[0].written) + folded(words[1].written)
    if len(words) > 2:
        yield "".join(folded(word.written) for word in words)


def _keys(words: Iterable[NameWord]) -> Iterator[str]:
    last = ""
    for word in words:
        if word.key not in _IDLE and word.key not in LEGAL_FORMS:
            yield word.key
            yield from (key_of(part) for part in humps(word.written) if len(part) > 2)
        if word.joined:
            yield key_of(last + folded(word.written))
        last = folded(word.written)


def _kind_of(entry: DocumentEntry, file: FileName) -> frozenset[str]:
    heading = entry.opening.heading
    owners = {key_of(word) for word in file.owner}
    words = set(_keys(name_words(heading)))
    if file.kind != file.owner:
        words.update(_keys(name_words(" ".join(file.kind))))
    title = name_words(entry.title)
    ends = [at for at, word in enumerate(title) if word.key in _TITLES]
    if ends and not heading:
        words.update(_keys(title[max(0, ends[0] - 4) : ends[-1] + 1]))
    named = {key for side in entry.parties for key in _keys(name_words(side))}
    return frozenset(
        key for key in words if key not in HEADS and key not in owners | named and not key.isdigit()
    )


def _kind_initials(text: str) -> Iterator[str]:
    """JVA and JV of "Joint Venture Agreement"."""
    words = [word.key for word in name_words(text) if word.key not in _IDLE]
    ends = [at for at, word in enumerate(words) if word in _TITLES]
    if ends:
        for first in range(max(0, ends[-1] - 4), ends[-1]):
            for last in (ends[-1] + 1, ends[-1]):
                short = initials(words[first:last])
                if 2 <= len(short) <= 5:
                    yield short


def change_in(words: Sequence[NameWord]) -> tuple[int, frozenset[int]]:
    """The number of the amendment that a name says, 0 for none, with the places of the words that say so.

    No places of a name that amends nothing.
    """
    at = next((at for at, word in enumerate(words) if word.key in CHANGES), None)
    if at is None or any(word.key == RESTATED for word in words):
        return 0, frozenset()
    if at and (number := parse_ordinal(words[at - 1].written)):
        return number, frozenset((at - 1, at))
    behind = range(at + 1, min(at + 3, len(words)))
    for place in behind:
        if words[place].written.isdecimal() and len(words[place].written) < 3:
            return int(words[place].written), frozenset((at, place))
    return 0, frozenset((at,))


_OWNED = NamePlace.PARTY | NamePlace.SHORT | NamePlace.FILE


_NAMES = _OWNED | NamePlace.TITLE | NamePlace.KIND | NamePlace.INITIALS


_Read = tuple[NameProfile, NDArray[np.int32], NDArray[np.uint8]]


"""A document's profile, its words by number, and the places of each."""


class NameIndex:
    """Documents by the words of their names. Immutable, and safe to share between threads.

    earlier: an index whose profiles of unchanged documents are used again.
    """

    def __init__(self, documents: Iterable[DocumentEntry], earlier: NameIndex | None = None) -> None:
        self.entries = tuple(documents)
        if earlier is not None and 2 * len(self.entries) < len(earlier):
            earlier = None  # whose words would mostly be nobody's
        self._vocabulary: dict[str, int] = {} if earlier is None else dict(earlier._vocabulary)
        read = [(earlier and earlier._known(entry)) or self._read(entry) for entry in self.entries]
        self.profiles = tuple(profile for profile, _, _ in read)
        self._words = np.concatenate([np.zeros(0, dtype=np.int32), *(words for _, words, _ in read)])
        self._in_words = np.concatenate([np.zeros(0, dtype=np.uint8), *(places for *_, places in read)])
        sizes = [len(words) for _, words, _ in read]
        self._firsts = np.cumsum([0, *sizes])  # of each document's words
        order = np.argsort(self._words, kind="stable")
        self._holders = np.repeat(np.arange(len(read), dtype=np.int32), sizes)[order]
        self._places: NDArray[np.uint8] = self._in_words[order]
        self._starts = np.concatenate([[0], self._count(255).cumsum()])  # of each word's holders
        self._named, self._owned = self._count(_NAMES), self._count(_OWNED)
        self._kinds = self._count(NamePlace.KIND)
        counts = zip(self._vocabulary, self._named.tolist(), strict=True)
        self._near = NearWords(word for word, count in counts if count)
        self._files = sorted((profile.names[0], row) for row, profile in enumerate(self.profiles))
        self._titles: dict[str, list[int]] = defaultdict(list)
        for row, profile in enumerate(self.profiles):
            for name in profile.names:
                self._titles[name].append(row)

    def _read(self, entry: DocumentEntry) -> _Read:
        read, known = profile_of(entry), self._vocabulary
        words = np.array([known.setdefault(word, len(known)) for word in read.places], dtype=np.int32)
        return read.profile, words, np.fromiter(read.places.values(), np.uint8)

    def _known(self, entry: DocumentEntry) -> _Read | None:
        """A document that is here just as it is; None for any other."""
        row = self._rows.get(entry.id)
        if row is None or self.entries[row] != entry:
            return None
        own = slice(self._firsts[row], self._firsts[row + 1])
        return self.profiles[row], self._words[own], self._in_words[own]

    def _count(self, places: int) -> NDArray[np.int64]:
        return np.bincount(self._words[(self._in_words & places) > 0], minlength=len(self._vocabulary))

    @cached_property
    def _rows(self) -> dict[str, int]:
        return {entry.id: row for row, entry in enumerate(self.entries)}

    def __len__(self) -> int:
        return len(self.entries)

    def has(self, word: str) -> bool:
        """True where any document has the word."""
        return len(self.holders(word)[0]) > 0

    def holders(self, word: str) -> tuple[NDArray[np.int32], NDArray[np.uint8]]:
        """Rows of the documents that have a word, ascending, and its places there."""
        which = self._vocabulary.get(word)
        own = slice(0) if which is None else slice(self._starts[which], self._starts[which + 1])
        return self._holders[own], self._places[own]

    def places(self, asked: Sequence[int] | NDArray[np.int32], word: str) -> NDArray[np.uint8]:
        """The places of a word in some documents, as bits of `NamePlace`; 0 where it is not there."""
        rows, places = self.holders(word)
        if not len(rows):
            return np.zeros(len(asked), dtype=np.uint8)
        at = np.minimum(np.searchsorted(rows, asked), len(rows) - 1)
        return np.where(rows[at] == asked, places[at], np.uint8(0))

    def rarity(self, word: str) -> float:
        """Rarity of a word in names: near 1 where one document has it in its name, 0 where all have."""
        which = self._vocabulary.get(word)
        count = 0 if which is None else int(self._named[which]) or len(self.holders(word)[0])
        if not count:
            return 1.0
        total = len(self.entries) + _BACKGROUND
        return max(0.0, math.log(total / (count + _BACKGROUND * _RARE)) / math.log(total))

    def is_name(self, word: str) -> bool:
        """True where documents have the word in the names of parties or files, and few as their kind."""
        which = self._vocabulary.get(word)
        return which is not None and bool(0 < self._owned[which] >= self._kinds[which])

    def is_kind(self, word: str) -> bool:
        """True where documents call themselves by the word."""
        which = self._vocabulary.get(word)
        return which is not None and bool(0 < self._kinds[which] >= self._owned[which])

    def is_named(self, word: str) -> bool:
        """True where any document has the word in its name, and not only in its text."""
        which = self._vocabulary.get(word)
        return which is not None and bool(self._named[which])

    def near(self, word: str) -> list[tuple[str, float]]:
        """Words of names that a word may misspell, with their likeness, best first."""
        return self._near.near(word)

    def longer(self, word: str) -> list[tuple[str, float]]:
        """Words of names that begin with a word or hold it, with the share of them that it is, best first."""
        return self._near.longer(word)

    def titled(self, name: str) -> Sequence[int]:
        """Rows of the documents with this title, heading or file name, without blanks and signs."""
        return self._titles.get(name, ())

    def beginning(self, name: str) -> list[int]:
        """Rows of the documents whose file names, without blanks and signs, begin with a name."""
        behind = islice(self._files, bisect_left(self._files, (name,)), None)
        return [row for _, row in takewhile(lambda each: each[0].startswith(name), behind)]


_indexes: Cache[str, NameIndex] = Cache(4)  # one for each visibility that asks


_latest: Cache[str, NameIndex] = Cache(1)
_making = Lock()  # a question that comes while a server warms up waits, and does not make the same beside it


def names_of(catalogue: Catalogue) -> NameIndex:
    """The index of a catalogue's names, made once for each fingerprint.

    What did not change since the index before is not read again.
    """
    with _making:
        known = _indexes.get(catalogue.fingerprint)
        if known is not None and catalogue.fingerprint and known.entries == catalogue.documents:
            return known
        made = _latest.put("", NameIndex(catalogue.documents, _latest.get("")))
        return _indexes.put(catalogue.fingerprint, made)
