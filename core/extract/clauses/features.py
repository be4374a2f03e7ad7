"""Features of a segment for a linear head: words, those of its neighbours, headings, patterns, place, length.

Words are hashed (CRC-32), so that the artefact holds no vocabulary and training and use cannot differ in it;
inverse document frequencies are kept per hash value in one byte.
Source of the weighting: sublinear TF-IDF with unit rows (Manning, Raghavan, Schuetze 2008, section 6.4).

Patterns are a few hundred weighted ones, never rules. RE2 runs them all in one pass over the literals that
each needs and then those that may match: linear in the text whatever the patterns are, and a tenth of the
time that `re` takes (30 ms instead of 400 for a contract of 19 pages).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from core.extract.clauses.segments import Segmented

_MEMORY_BYTES = 4 << 20  # a pattern; measured: a matrix of contracts stays far below it


@dataclass(frozen=True, slots=True)
class ClausePattern:
    """One pattern on lower-cased text. unless: it does not count where this matches too.

    type: the title of the clause type that it speaks for, or "_signals".
    """

    type: str
    pattern: str
    unless: str = ""


class PatternBits:
    """Compiled patterns; thread-safe once made."""

    def __init__(self, patterns: Sequence[ClausePattern]) -> None:
        import re2

        options = re2.Options()
        options.max_mem = _MEMORY_BYTES
        options.never_capture = True
        options.log_errors = False
        self.patterns = tuple(patterns)
        self._filter = re2.Filter()
        for each in self.patterns:
            self._filter.Add(each.pattern, options)
        if self.patterns:
            self._filter.Compile()
        self._unless = {
            index: re2.compile(each.unless, options)
            for index, each in enumerate(self.patterns)
            if each.unless
        }

    def of(self, texts: Sequence[str]) -> NDArray[np.uint8]:
        """(n, patterns) of 0 and 1: which pattern matches anywhere in which text."""
        bits = np.zeros((len(texts), len(self.patterns)), np.uint8)
        if not self.patterns:
            return bits
        for row, text in enumerate(texts):
            lowered = text.lower().encode("utf-8", "replace")
            found = self._filter.Match(lowered)
            if found:
                bits[row, found] = 1
                for index, pattern in self._unless.items():
                    if bits[row, index] and pattern.search(lowered):
                        bits[row, index] = 0
        return bits


WORDS = 1 << 16
"""Hash values of single words; pairs have four times as many, words and pairs of headings half as many."""
PAIRS = 1 << 18
HEADINGS = 1 << 15

OWN_WORDS = 0
OWN_PAIRS = WORDS
NEAR_WORDS = OWN_PAIRS + PAIRS
HEADING = NEAR_WORDS + WORDS
BITS = HEADING + HEADINGS

FIRST_SEGMENTS = 15
"""The title, the parties and the recitals: where a contract says what kind it is."""

CONTEXT_WEIGHT = 0.5
HEADING_WEIGHT = 0.5
BIT_WEIGHT = 0.25
NEAR_BIT_WEIGHT = 0.12
PLACE_WEIGHT = 0.5

UNSEEN = 255
"""The byte of a hash value that too few training documents hold: it carries no weight."""
STEPS = 20.0

_TOKEN = re.compile(r"[^\W\d_]+|\d+|[$%\u20ac\u00a3]")

Floats = NDArray[np.float32]
Ints = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class SparseRows:
    """Sparse rows: row i holds data[starts[i]:starts[i + 1]] at those columns, which are unique."""

    starts: Ints
    columns: Ints
    data: Floats

    def __len__(self) -> int:
        return len(self.starts) - 1

    def row_of(self) -> Ints:
        """The row of every entry."""
        return np.repeat(np.arange(len(self)), np.diff(self.starts))


@dataclass(frozen=True, slots=True)
class UnitFeatures:
    """Counts and bits of a document's segments, or of its paragraphs, before any weighting.

    words: columns from OWN_WORDS and OWN_PAIRS, sublinear counts. headings: columns from 0, sublinear counts.
    bits: (n, patterns) of 0 and 1. place: (n, 4) float32: where in the document (0 to 1), length, whether
    mostly capitals, whether under a heading.
    """

    words: SparseRows
    headings: SparseRows
    bits: NDArray[np.uint8]
    place: Floats

    def __len__(self) -> int:
        return len(self.place)


@dataclass(frozen=True, slots=True)
class Frequencies:
    """Inverse document frequencies in bytes, by hash value: words then pairs, headings, whole documents."""

    words: NDArray[np.uint8]
    headings: NDArray[np.uint8]
    documents: NDArray[np.uint8]


def segment_features(document: Segmented, patterns: PatternBits) -> UnitFeatures:
    """Of a document's segments, in their order."""
    texts = [each.text for each in document.segments]
    return _features(
        texts,
        [each.section for each in document.segments],
        patterns.of(texts),
        np.array([each.start for each in document.segments]) / max(1, document.length),
    )


def paragraph_features(document: Segmented, bits: NDArray[np.uint8]) -> UnitFeatures:
    """Of a document's paragraphs; a paragraph has the bits of its segments."""
    paragraphs = document.paragraphs
    texts = [" ".join(s.text for s in document.segments[p.first : p.last]) for p in paragraphs]
    firsts = [paragraph.first for paragraph in paragraphs]
    joined = np.maximum.reduceat(bits, firsts, axis=0) if firsts else bits
    places = np.array([each.start for each in paragraphs]) / max(1, document.length)
    return _features(texts, [each.section for each in paragraphs], joined, places)


def _features(
    texts: Sequence[str],
    sections: Sequence[tuple[str, ...]],
    bits: NDArray[np.uint8],
    places: NDArray[np.float64],
) -> UnitFeatures:
    lengths = np.array([len(text) for text in texts], np.float32)
    capitals = np.array([sum(map(str.isupper, text[:200])) for text in texts], np.float32)
    place = np.zeros((len(texts), 4), np.float32)
    place[:, 0] = places
    place[:, 1] = np.log1p(lengths) / 7
    place[:, 2] = capitals > 0.5 * np.minimum(lengths, 200)
    place[:, 3] = [bool(section) for section in sections]
    titles = [" / ".join(section) for section in sections]
    return UnitFeatures(_count(map(_hashed, texts), len(texts)), _heading_rows(titles), bits, place)


def _heading_rows(titles: Sequence[str]) -> SparseRows:
    return _count(map(_hashed_heading, titles), len(titles))


@lru_cache(maxsize=60_000)
def _word(token: str) -> int:
    return crc32(token.encode())


def _tokens(text: str) -> list[int]:
    """CRC-32 of the words, numbers all alike."""
    return [_word("0" if token[0].isdigit() else token) for token in _TOKEN.findall(text.lower())]


def _hashed(text: str) -> list[int]:
    values = _tokens(text)
    found = [OWN_WORDS + (value & (WORDS - 1)) for value in values]
    found += [OWN_PAIRS + (_mix(left, right) & (PAIRS - 1)) for left, right in pairwise(values)]
    return found


@lru_cache(maxsize=4_000)
def _hashed_heading(text: str) -> list[int]:
    values = _tokens(text)
    pairs = [_mix(left, right) for left, right in pairwise(values)]
    return [value & (HEADINGS - 1) for value in values + pairs]


def _mix(left: int, right: int) -> int:
    mixed = (left * 0x9E3779B1 + right) & 0xFFFFFFFF
    return mixed ^ (mixed >> 15)


def _count(hashed: Iterable[list[int]], rows: int) -> SparseRows:
    """Sublinear counts: 1 + ln(times)."""
    values = list(hashed)
    lengths = np.array([len(each) for each in values], np.int64)
    flat = np.array([value for each in values for value in each], np.int64)
    keys = np.repeat(np.arange(rows, dtype=np.int64), lengths) << 32 | flat
    unique, times = np.unique(keys, return_counts=True)
    starts = np.searchsorted(unique, np.arange(rows + 1, dtype=np.int64) << 32)
    return SparseRows(starts, unique & 0xFFFFFFFF, (1 + np.log(times)).astype(np.float32))


def document_counts(words: SparseRows) -> SparseRows:
    """One row from a document's segments: ln(1 + times) of its words, then of those of its first segments."""
    row, columns = words.row_of(), words.columns
    single = columns < OWN_PAIRS
    whole = np.bincount(columns[single], minlength=WORDS)
    first = np.bincount(columns[single & (row < FIRST_SEGMENTS)], minlength=WORDS)
    counts = np.concatenate([whole, first])
    held = np.flatnonzero(counts)
    return SparseRows(np.array([0, len(held)]), held, np.log1p(counts[held]).astype(np.float32))


def document_row(words: SparseRows, frequencies: Frequencies) -> SparseRows:
    """Features of the document's kind, as one row: its words and its first words, both of unit length."""
    counts = document_counts(words)
    steps = frequencies.documents[counts.columns]
    kept = (steps != UNSEEN) & (steps > 0)
    columns, data = counts.columns[kept], counts.data[kept] * (steps[kept] / STEPS)
    half = (columns >= WORDS).astype(np.int64)
    norms = np.sqrt(np.bincount(half, data * data, minlength=2))
    scaled = data / np.maximum(norms[half], 1e-9) / np.sqrt(2)
    return SparseRows(np.array([0, len(columns)]), columns, scaled.astype(np.float32))


def assemble(units: UnitFeatures, frequencies: Frequencies) -> SparseRows:
    """(n rows) of everything a head weighs; columns up to BITS + 2 x patterns + 4."""
    own = _weighted(units.words, frequencies.words)
    heads = _scaled(_weighted(units.headings, frequencies.headings), HEADING, HEADING_WEIGHT)
    near = _neighbours(units.words, frequencies.words, len(units))
    return _stack([own, near, heads, _bit_rows(units)], len(units))


def _weighted(rows: SparseRows, frequency: NDArray[np.uint8]) -> SparseRows:
    """TF-IDF with unit rows; what is unseen falls out."""
    steps = frequency[rows.columns]
    kept = steps != UNSEEN
    row = rows.row_of()[kept]
    columns = rows.columns[kept]
    data = rows.data[kept] * (1 + steps[kept] / STEPS)
    return _unit(row, columns, data, len(rows))


def _unit(row: Ints, columns: Ints, data: NDArray[np.floating], count: int) -> SparseRows:
    norms = np.sqrt(np.bincount(row, data * data, minlength=count))
    norms[norms == 0] = 1
    starts = np.searchsorted(row, np.arange(count + 1))
    return SparseRows(starts, columns, (data / norms[row]).astype(np.float32))


def _scaled(rows: SparseRows, shift: int, weight: float) -> SparseRows:
    return SparseRows(rows.starts, rows.columns + shift, rows.data * np.float32(weight))


def _neighbours(rows: SparseRows, frequency: NDArray[np.uint8], count: int) -> SparseRows:
    """The words of the unit before and of the one after, together as one unit row, weighed down."""
    row, columns, data = rows.row_of(), rows.columns, rows.data
    words = columns < OWN_PAIRS
    row, columns, data = row[words], columns[words], data[words]
    both = np.concatenate([row + 1, row - 1])
    inside = (both >= 0) & (both < count)
    keys = (both << 32 | np.concatenate([columns, columns]))[inside]
    unique, index = np.unique(keys, return_inverse=True)
    summed = np.bincount(index, np.concatenate([data, data])[inside], minlength=len(unique))
    starts = np.searchsorted(unique, np.arange(count + 1, dtype=np.int64) << 32)
    joined = SparseRows(starts, unique & 0xFFFFFFFF, summed.astype(np.float32))
    return _scaled(_weighted(joined, frequency), NEAR_WORDS, CONTEXT_WEIGHT)


def _bit_rows(units: UnitFeatures) -> SparseRows:
    """Patterns, the neighbours' patterns, and the place; columns from BITS."""
    bits = units.bits.astype(np.float32)
    near = np.zeros_like(bits)
    near[1:] = bits[:-1]
    near[:-1] = np.maximum(near[:-1], bits[1:])
    dense = np.concatenate([bits * BIT_WEIGHT, near * NEAR_BIT_WEIGHT, units.place * PLACE_WEIGHT], axis=1)
    row, column = np.nonzero(dense)
    starts = np.searchsorted(row, np.arange(len(units) + 1))
    return SparseRows(starts, column + BITS, dense[row, column])


def _stack(parts: Sequence[SparseRows], count: int) -> SparseRows:
    row = np.concatenate([part.row_of() for part in parts])
    order = np.argsort(row, kind="stable")
    columns = np.concatenate([part.columns for part in parts])[order]
    data = np.concatenate([part.data for part in parts])[order]
    return SparseRows(np.searchsorted(row[order], np.arange(count + 1)), columns, data)
