"""Index of names: which documents have a word in their names, and where; made once for a catalogue."""

from __future__ import annotations

import math
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Sequence
from functools import cached_property
from itertools import islice, takewhile

import numpy as np
from numpy.typing import NDArray

from core.cache import Cache
from core.plan.catalogue import Catalogue, DocumentEntry
from core.plan.names.profile import NamePlace, NameProfile, profile_of
from core.plan.names.spelling import NearWords

_OWNED = NamePlace.PARTY | NamePlace.SHORT | NamePlace.FILE
_NAMES = _OWNED | NamePlace.TITLE | NamePlace.KIND | NamePlace.INITIALS
_BACKGROUND = 200  # documents that are thought beside those there are: names are rare in three documents, too
_RARE = 0.002  # share of them that have any word

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


def names_of(catalogue: Catalogue) -> NameIndex:
    """The index of a catalogue's names, made once for each fingerprint.

    What did not change since the index before is not read again.
    """
    known = _indexes.get(catalogue.fingerprint)
    if known is not None and catalogue.fingerprint and known.entries == catalogue.documents:
        return known
    made = _latest.put("", NameIndex(catalogue.documents, _latest.get("")))
    return _indexes.put(catalogue.fingerprint, made)
