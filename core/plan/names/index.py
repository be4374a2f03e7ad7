"""Index of names: which documents have a word in their names, and where; made once for a catalogue."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from core.cache import Cache
from core.plan.catalogue import Catalogue, DocumentEntry
from core.plan.names.profile import NamePlace, NameProfile, profile_of
from core.plan.names.spelling import NearWords

_NAMES = int(
    NamePlace.PARTY | NamePlace.SHORT | NamePlace.FILE | NamePlace.TITLE | NamePlace.KIND | NamePlace.INITIALS
)
_OWNED = int(NamePlace.PARTY | NamePlace.SHORT | NamePlace.FILE)
_BACKGROUND = 200  # documents that are thought beside those there are: names are rare in three documents, too
_RARE = 0.002  # share of them that have any word


class NameIndex:
    """Documents by the words of their names. Immutable, and safe to share between threads.

    earlier: an index whose profiles of unchanged documents are used again.
    """

    def __init__(self, documents: Iterable[DocumentEntry], earlier: NameIndex | None = None) -> None:
        self.entries: tuple[DocumentEntry, ...] = tuple(documents)
        known: Mapping[str, tuple[DocumentEntry, NameProfile]] = earlier.known if earlier is not None else {}
        profiles = []
        for entry in self.entries:
            before = known.get(entry.id)
            profiles.append(before[1] if before is not None and before[0] == entry else profile_of(entry))
        self.profiles: tuple[NameProfile, ...] = tuple(profiles)
        words = sorted(set(chain.from_iterable(profile.places for profile in profiles)))
        self._word_rows: dict[str, int] = {word: row for row, word in enumerate(words)}
        sizes = [len(profile.places) for profile in profiles]
        total = sum(sizes)
        rows = self._word_rows
        which = np.fromiter((rows[w] for p in profiles for w in p.places), dtype=np.int32, count=total)
        places = np.fromiter((v for p in profiles for v in p.places.values()), dtype=np.uint8, count=total)
        holders = np.repeat(np.arange(len(profiles), dtype=np.int32), sizes)
        order = np.argsort(which, kind="stable")
        self._holders: NDArray[np.int32] = holders[order]
        self._places: NDArray[np.uint8] = places[order]
        self._starts = np.searchsorted(which[order], np.arange(len(words) + 1)).astype(np.int64)
        self._count_words(len(words))
        named = [word for word in words if self._named[rows[word]] > 0]
        self._near_rows = named
        self._near = NearWords(named)
        self._whole: dict[str, list[int]] = {}
        for row, profile in enumerate(profiles):
            for name in profile.whole:
                self._whole.setdefault(name, []).append(row)

    def _count_words(self, words: int) -> None:
        which = np.repeat(np.arange(words), np.diff(self._starts))
        self._named = np.bincount(which[(self._places & _NAMES) > 0], minlength=words)
        self._kinds = np.bincount(which[(self._places & int(NamePlace.KIND)) > 0], minlength=words)
        self._owned = np.bincount(which[(self._places & _OWNED) > 0], minlength=words)

    @property
    def known(self) -> dict[str, tuple[DocumentEntry, NameProfile]]:
        """Documents with their profiles, by id."""
        return {
            entry.id: (entry, profile) for entry, profile in zip(self.entries, self.profiles, strict=True)
        }

    def __len__(self) -> int:
        return len(self.entries)

    def has(self, word: str) -> bool:
        """True where any document has the word."""
        return word in self._word_rows

    def holders(self, word: str) -> tuple[NDArray[np.int32], NDArray[np.uint8]]:
        """Rows of the documents that have a word, and its places there."""
        row = self._word_rows.get(word)
        if row is None:
            return self._holders[:0], self._places[:0]
        start, end = self._starts[row], self._starts[row + 1]
        return self._holders[start:end], self._places[start:end]

    def rarity(self, word: str) -> float:
        """How telling a word is: near 1 where one document has it in its name, 0 where all have."""
        row = self._word_rows.get(word)
        if row is None:
            return 1.0
        count = int(self._named[row]) or int(self._starts[row + 1] - self._starts[row])
        total = len(self.entries) + _BACKGROUND
        return max(0.0, math.log(total / (count + _BACKGROUND * _RARE)) / math.log(total))

    def is_name(self, word: str) -> bool:
        """True where documents have the word in the names of parties or files, and few as their kind."""
        row = self._word_rows.get(word)
        return row is not None and self._owned[row] > 0 and self._owned[row] >= self._kinds[row]

    def is_kind(self, word: str) -> bool:
        """True where documents call themselves by the word."""
        row = self._word_rows.get(word)
        return row is not None and self._kinds[row] > 0 and self._kinds[row] >= self._owned[row]

    def is_named(self, word: str) -> bool:
        """True where any document has the word in its name, and not only in its text."""
        row = self._word_rows.get(word)
        return row is not None and self._named[row] > 0

    def near(self, word: str) -> list[tuple[str, float]]:
        """Words of names that a word may misspell, with their likeness, best first."""
        return [(self._near_rows[row], likeness) for row, likeness in self._near.near(word)]

    def longer(self, word: str) -> list[tuple[str, float]]:
        """Words of names that begin with a word or hold it, with the share of them that it is, best first."""
        return [(self._near_rows[row], share) for row, share in self._near.longer(word)]

    def called(self, name: str) -> Sequence[int]:
        """Rows of the documents with this title or file name, without blanks and signs."""
        return self._whole.get(name, ())


_KEPT = 8  # indexes of catalogues: one for each visibility that asks
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
