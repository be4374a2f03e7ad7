"""Near words of a vocabulary: misspelt ones, by pairs of letters that they share and then by edits.

Source: Navarro 2001, A guided tour to approximate string matching, section 8, filters by n-grams.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from rapidfuzz.distance import OSA

_MIN = 4  # letters: shorter words are one edit from too many others
_POOL = 60
_MOST = 6
_INSIDE = 5  # letters from which a word may stand inside of another
_WITHIN = 0.8  # of the likeness of a beginning
_LONG = 8  # letters from which two edits are one word


class NearWords:
    """Words by their pairs of letters. Immutable; made once for a vocabulary."""

    def __init__(self, words: Sequence[str]) -> None:
        self._words = words
        self._lengths = np.fromiter((len(word) for word in words), dtype=np.int16, count=len(words))
        grams: dict[str, int] = {}
        flat: list[int] = []
        rows: list[int] = []
        for row, word in enumerate(words):
            if len(word) < _MIN - 1 or word.isdigit():
                continue
            for gram in set(_pairs(word)):
                flat.append(grams.setdefault(gram, len(grams)))
                rows.append(row)
        which = np.array(flat, dtype=np.int32)
        order = np.argsort(which, kind="stable")
        self._rows: NDArray[np.int32] = np.array(rows, dtype=np.int32)[order]
        self._starts = np.searchsorted(which[order], np.arange(len(grams) + 1)).astype(np.int64)
        self._grams = grams

    def longer(self, word: str) -> list[tuple[int, float]]:
        """Rows of words that begin with a word or hold it, with the share of them that it is, best first."""
        if len(word) < _MIN or word.isdigit():
            return []
        grams = _pairs(word)[1:-1]
        if any(gram not in self._grams for gram in grams):
            return []
        pool = self._rows_of(grams[0])
        for gram in grams[1:]:
            pool = np.intersect1d(pool, self._rows_of(gram), assume_unique=True)
        found = []
        for row in pool.tolist():
            other = self._words[row]
            at = other.find(word)
            if at == 0 or (at > 0 and len(word) >= _INSIDE):
                found.append((row, (1.0 if at == 0 else _WITHIN) * len(word) / len(other)))
        return sorted((each for each in found if each[1] < 1.0), key=lambda each: (-each[1], self._words[each[0]]))[:_MOST]

    def _rows_of(self, gram: str) -> NDArray[np.int32]:
        which = self._grams[gram]
        return self._rows[self._starts[which] : self._starts[which + 1]]

    def near(self, word: str) -> list[tuple[int, float]]:
        """Rows of words within one edit, or two of longer ones, with their likeness 0 to 1, best first."""
        if len(word) < _MIN or word.isdigit() or not self._grams:
            return []
        edits = 1 if len(word) < _LONG else 2
        known = [self._grams[gram] for gram in set(_pairs(word)) if gram in self._grams]
        if not known:
            return []
        hits = np.concatenate([self._rows[self._starts[gram] : self._starts[gram + 1]] for gram in known])
        counts = np.bincount(hits, minlength=len(self._words))
        # An edit touches at most two pairs, a swap of neighbours three.
        least = max(1, len(word) + 1 - 3 * edits)
        pool = np.flatnonzero((counts >= least) & (np.abs(self._lengths - len(word)) <= edits))
        if len(pool) > _POOL:
            pool = pool[np.argsort(-counts[pool], kind="stable")[:_POOL]]
        found = []
        for row in pool.tolist():
            distance = OSA.distance(word, self._words[row], score_cutoff=edits)
            if 0 < distance <= edits:
                found.append((row, 1.0 - distance / max(len(word), len(self._words[row]))))
        return sorted(found, key=lambda each: (-each[1], self._words[each[0]]))[:_MOST]


def _pairs(word: str) -> list[str]:
    padded = f"^{word}$"
    return [padded[at : at + 2] for at in range(len(padded) - 1)]
