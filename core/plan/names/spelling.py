"""Near words of a vocabulary: misspelt ones and parts, by pairs of letters that they share and then by edits.

Source: Navarro 2001, A guided tour to approximate string matching, section 8, filters by n-grams.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray
from rapidfuzz.distance import OSA

_MIN = 4  # letters: shorter words are one edit from too many others
_POOL = 60
_MOST = 6
_LONG = 8  # letters from which two edits are one word
_INSIDE = 5  # letters from which a word may stand inside of another
_WITHIN = 0.8  # of the likeness of a beginning
_LETTERS = 512  # kinds of letters that pairs tell apart; others count as one of them


class NearWords:
    """Words by their pairs of letters. Immutable; made once for a vocabulary."""

    def __init__(self, words: Sequence[str]) -> None:
        self._words = words
        self._lengths = np.fromiter((len(word) for word in words), dtype=np.int32, count=len(words))
        pairs, rows = _pairs_of(words, self._lengths)
        order = np.argsort(pairs, kind="stable")
        self._rows: NDArray[np.int32] = rows[order]
        self._starts = np.searchsorted(pairs[order], np.arange(_LETTERS * _LETTERS + 1)).astype(np.int64)

    def near(self, word: str) -> list[tuple[int, float]]:
        """Rows of words within one edit, or two of longer ones, with their likeness 0 to 1, best first."""
        if len(word) < _MIN or word.isdigit() or not self._words:
            return []
        edits = 1 if len(word) < _LONG else 2
        pairs = _pairs(f"^{word}$")
        hits = np.concatenate([self._holders(pair) for pair in pairs])
        counts = np.bincount(hits, minlength=len(self._words))
        # An edit touches at most two pairs, a swap of neighbours three.
        least = max(1, len(pairs) - 3 * edits)
        pool = np.flatnonzero((counts >= least) & (np.abs(self._lengths - len(word)) <= edits))
        if len(pool) > _POOL:
            pool = pool[np.argsort(-counts[pool], kind="stable")[:_POOL]]
        found = []
        for row in pool.tolist():
            distance = OSA.distance(word, self._words[row], score_cutoff=edits)
            if 0 < distance <= edits:
                found.append((row, 1.0 - distance / max(len(word), len(self._words[row]))))
        return sorted(found, key=lambda each: (-each[1], self._words[each[0]]))[:_MOST]

    def longer(self, word: str) -> list[tuple[int, float]]:
        """Rows of words that begin with a word or hold it, with the share of them that it is, best first."""
        if len(word) < _MIN or word.isdigit() or not self._words:
            return []
        first = [self._holders(pair) for pair in _pairs(f"^{word[:2]}")]
        inner = [self._holders(pair) for pair in _pairs(word)]
        pools = [min((*first, *inner), key=len)]
        if len(word) >= _INSIDE:
            pools = [min(inner, key=len)]
        found = []
        for row in pools[0].tolist():
            other = self._words[row]
            at = other.find(word)
            if len(other) > len(word) and (at == 0 or (at > 0 and len(word) >= _INSIDE)):
                found.append((row, (1.0 if at == 0 else _WITHIN) * len(word) / len(other)))
        return sorted(found, key=lambda each: (-each[1], self._words[each[0]]))[:_MOST]

    def _holders(self, pair: int) -> NDArray[np.int32]:
        return self._rows[self._starts[pair] : self._starts[pair + 1]]


def _pairs_of(
    words: Sequence[str], lengths: NDArray[np.int32]
) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Every pair of letters of every word, its ends included, with the row of the word; each once."""
    if not words:
        return np.zeros(0, dtype=np.int32), np.zeros(0, dtype=np.int32)
    text = "".join(f"^{word}$" for word in words)
    letters = np.frombuffer(text.encode("utf-32-le"), dtype=np.uint32).astype(np.int64) % _LETTERS
    rows = np.repeat(np.arange(len(words), dtype=np.int64), lengths + 2)
    inside = rows[1:] == rows[:-1]
    codes = (letters[:-1] * _LETTERS + letters[1:])[inside]
    both = np.unique(codes * len(words) + rows[:-1][inside])
    return (both // len(words)).astype(np.int32), (both % len(words)).astype(np.int32)


def _pairs(text: str) -> list[int]:
    codes = [ord(letter) % _LETTERS for letter in text]
    return sorted({one * _LETTERS + other for one, other in pairwise(codes)})
