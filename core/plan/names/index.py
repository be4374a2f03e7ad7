"""Index of names: which documents have a word in their names, and where; made once for a catalogue."""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from core.cache import Cache
from core.plan.catalogue import Catalogue, DocumentEntry
from core.plan.names.profile import NamePlace, NameProfile, profile_of
from core.plan.names.spelling import NearWords

_NAMES = (
    NamePlace.PARTY | NamePlace.SHORT | NamePlace.FILE | NamePlace.TITLE | NamePlace.KIND | NamePlace.INITIALS
)
_OWNED = NamePlace.PARTY | NamePlace.SHORT | NamePlace.FILE
_BACKGROUND = 200  # documents that are thought beside those there are: names are rare in three documents, too
_RARE = 0.002  # share of them that have any word


class NameIndex:
    """Documents by the words of their names. Immutable, and safe to share between threads.

    vocabulary: the words by number; some may be nobody's. earlier: an index whose profiles of unchanged
    documents are used again.
    """

    def __init__(self, documents: Iterable[DocumentEntry], earlier: NameIndex | None = None) -> None:
        self.entries: tuple[DocumentEntry, ...] = tuple(documents)
        self._forward = forward = _Forward(self.entries, earlier)
        self.profiles: tuple[NameProfile, ...] = tuple(forward.profiles)
        self.vocabulary = forward.vocabulary
        order = np.argsort(forward.flat, kind="stable")
        holders = np.repeat(np.arange(len(self.entries), dtype=np.int32), np.diff(forward.starts))
        self._holders: NDArray[np.int32] = holders[order]
        self._places: NDArray[np.uint8] = forward.places[order]
        ends = np.bincount(forward.flat, minlength=len(self.vocabulary)).cumsum()
        self._starts: NDArray[np.int64] = np.concatenate([[0], ends])
        self._named = self._count(_NAMES)
        self._kinds = self._count(NamePlace.KIND)
        self._owned = self._count(_OWNED)
        counts = zip(self.vocabulary, self._named.tolist(), strict=True)
        self._named_words = [word for word, count in counts if count]
        self._near = NearWords(self._named_words)
        self._titles: dict[str, list[int]] = {}
        self._files: dict[str, list[int]] = {}
        for row, profile in enumerate(self.profiles):
            self._files.setdefault(profile.names[0], []).append(row)
            for name in profile.names:
                self._titles.setdefault(name, []).append(row)

        self._in_order = sorted(self._files)

    def _count(self, places: int) -> NDArray[np.int32]:
        which = self._forward.flat[(self._forward.places & places) > 0]
        return np.bincount(which, minlength=len(self.vocabulary)).astype(np.int32)

    @cached_property
    def _rows(self) -> dict[str, int]:
        return {entry.id: row for row, entry in enumerate(self.entries)}

    def __len__(self) -> int:
        return len(self.entries)

    def read_before(
        self, entry: DocumentEntry
    ) -> tuple[NameProfile, NDArray[np.int32], NDArray[np.uint8]] | None:
        """Profile, words and places of a document that is here just as it is; None for any other."""
        row = self._rows.get(entry.id)
        if row is None or self.entries[row] != entry:
            return None
        inside = slice(self._forward.starts[row], self._forward.starts[row + 1])
        return self.profiles[row], self._forward.flat[inside], self._forward.places[inside]

    def has(self, word: str) -> bool:
        """True where any document has the word."""
        return len(self.holders(word)[0]) > 0

    def holders(self, word: str) -> tuple[NDArray[np.int32], NDArray[np.uint8]]:
        """Rows of the documents that have a word, ascending, and its places there."""
        which = self.vocabulary.get(word)
        if which is None:
            return self._holders[:0], self._places[:0]
        start, end = self._starts[which], self._starts[which + 1]
        return self._holders[start:end], self._places[start:end]

    def holds(self, row: int, word: str) -> bool:
        """True where a document has a word."""
        return bool(self.places(row, word))

    def places(self, row: int, word: str) -> int:
        """The places of a word in a document, as bits of `NamePlace`; 0 where it is not there."""
        rows, places = self.holders(word)
        at = int(np.searchsorted(rows, row))
        return int(places[at]) if at < len(rows) and int(rows[at]) == row else 0

    def rarity(self, word: str) -> float:
        """Rarity of a word in names: near 1 where one document has it in its name, 0 where all have."""
        which = self.vocabulary.get(word)
        if which is None:
            return 1.0
        count = int(self._named[which]) or int(self._starts[which + 1] - self._starts[which])
        if not count:
            return 1.0
        total = len(self.entries) + _BACKGROUND
        return max(0.0, math.log(total / (count + _BACKGROUND * _RARE)) / math.log(total))

    def is_name(self, word: str) -> bool:
        """True where documents have the word in the names of parties or files, and few as their kind."""
        which = self.vocabulary.get(word)
        return which is not None and bool(0 < self._owned[which] >= self._kinds[which])

    def is_kind(self, word: str) -> bool:
        """True where documents call themselves by the word."""
        which = self.vocabulary.get(word)
        return which is not None and bool(0 < self._kinds[which] >= self._owned[which])

    def is_named(self, word: str) -> bool:
        """True where any document has the word in its name, and not only in its text."""
        which = self.vocabulary.get(word)
        return which is not None and bool(self._named[which])

    def near(self, word: str) -> list[tuple[str, float]]:
        """Words of names that a word may misspell, with their likeness, best first."""
        return [(self._named_words[row], likeness) for row, likeness in self._near.near(word)]

    def longer(self, word: str) -> list[tuple[str, float]]:
        """Words of names that begin with a word or hold it, with the share of them that it is, best first."""
        return [(self._named_words[row], share) for row, share in self._near.longer(word)]

    def beginning(self, name: str) -> Sequence[int]:
        """Rows of the documents whose file names, without blanks and signs, begin with a name."""
        first = bisect_left(self._in_order, name)
        last = bisect_left(self._in_order, name + "\uffff")
        return [row for each in self._in_order[first:last] for row in self._files[each]]

    def titled(self, name: str) -> Sequence[int]:
        """Rows of the documents with this title, heading or file name, without blanks and signs."""
        return self._titles.get(name, ())

    def filed(self, name: str) -> Sequence[int]:
        """Rows of the documents with this file name, without blanks, signs and ending."""
        return self._files.get(name, ())


class _Forward:
    """Words and places of each document, one document after another."""

    def __init__(self, entries: Sequence[DocumentEntry], earlier: NameIndex | None) -> None:
        if earlier is not None and 2 * len(entries) < len(earlier):
            earlier = None  # whose words would mostly be nobody's
        self.vocabulary: dict[str, int] = dict(earlier.vocabulary) if earlier is not None else {}
        self.profiles: list[NameProfile] = []
        flat: list[NDArray[np.int32]] = []
        places: list[NDArray[np.uint8]] = []
        for entry in entries:
            before = earlier.read_before(entry) if earlier is not None else None
            if before is None:
                read = profile_of(entry)
                before = read.profile, self._ids(read.places), np.fromiter(read.places.values(), np.uint8)
            self.profiles.append(before[0])
            flat.append(before[1])
            places.append(before[2])
        self.flat: NDArray[np.int32] = np.concatenate([np.zeros(0, dtype=np.int32), *flat])
        self.places: NDArray[np.uint8] = np.concatenate([np.zeros(0, dtype=np.uint8), *places])
        self.starts: NDArray[np.int64] = np.cumsum([0, *map(len, flat)])

    def _ids(self, words: Iterable[str]) -> NDArray[np.int32]:
        known = self.vocabulary
        return np.array([known.setdefault(word, len(known)) for word in words], dtype=np.int32)


_KEPT = 4  # indexes of catalogues: one for each visibility that asks
_indexes: Cache[str, NameIndex] = Cache(_KEPT)
_latest: Cache[str, NameIndex] = Cache(1)


def names_of(catalogue: Catalogue) -> NameIndex:
    """The index of a catalogue's names, made once for each fingerprint.

    What did not change since the index before is not read again.
    """
    known = _indexes.get(catalogue.fingerprint)
    if known is not None and catalogue.fingerprint and known.entries == tuple(catalogue.documents):
        return known
    made = NameIndex(catalogue.documents, _latest.get(""))
    _latest.put("", made)
    return _indexes.put(catalogue.fingerprint, made)
