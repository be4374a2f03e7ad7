"""The sentences of a document as candidates: their words, headings above them, and stored vectors."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from core.domain.evidence.sentence_vectors import SentenceVectors
from core.domain.passage import Matrix
from core.extract.base import DocumentText
from core.extract.clauses.segments import Segment, segment
from core.text.analyse import analyse
from core.text.headings import SMALL_WORDS
from core.text.patterns import any_case

MOST_UNITS = 20_000
"""Sentences of one document that are looked at: those of about 2,000 pages."""

_LONGEST_HEADING, _MOST_HEADING_WORDS = 100, 10
_NUMBERING_LETTERS = 10  # of "ARTICLE VII"
_NUMBERING = any_case(
    r"^(?:(?:article|section|part|chapter|schedule|exhibit|annex|appendix)\s+)?"
    r"(?:\d[\d.]*[.):]?|[ivxlc]{1,5}[.):]|\([a-z]{1,3}\)|[a-z][.)])?\s*[-\u2013\u2014:]?\s*"
)
_VALUE = re.compile(r"[\d:$\u20ac\u00a3@%]")

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Units:
    """Sentences in reading order.

    terms: of each its words with how often they stand there; headings: those of the headings above.
    is_heading: of each whether it is a heading alone, which points at sentences and states nothing.
    holding: of each word the units that hold it. first, last: rows of `vectors` that each overlaps,
    [first, last); first equals last where no vector is stored.
    """

    segments: tuple[Segment, ...]
    terms: tuple[Mapping[str, int], ...]
    headings: tuple[frozenset[str], ...]
    is_heading: NDArray[np.bool_]
    holding: Mapping[str, tuple[int, ...]]
    lengths: Floats
    vectors: Matrix
    first: NDArray[np.int64]
    last: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.segments)

    def likeness(self, asked: Matrix) -> Floats:
        """(units, asked): cosine of the nearest sentence of each unit; 0 where it has no vector."""
        found = np.zeros((len(self), len(asked)))
        if not len(self.vectors) or not len(asked) or asked.shape[1] != self.vectors.shape[1]:
            return found
        cosines = self.vectors @ asked.T
        for row in np.flatnonzero(self.last > self.first):
            found[row] = cosines[self.first[row] : self.last[row]].max(axis=0)
        return found

    def means(self, rows: NDArray[np.int64]) -> Matrix:
        """(rows, d) mean vectors of some units, of unit norm; rows of zeros where there is none."""
        size = self.vectors.shape[1]
        found = np.zeros((len(rows), size), np.float32)
        for at, row in enumerate(rows):
            own = self.vectors[self.first[row] : self.last[row]]
            total = own.sum(axis=0) if len(own) else np.zeros(size, np.float32)
            norm = float(np.linalg.norm(total))
            found[at] = total / norm if norm > 1e-6 else 0
        return found


def units_of(document: DocumentText, vectors: SentenceVectors | None) -> Units:
    """The units of a document; without its vectors they are told apart by their words alone."""
    segments, terms, headings = _read(document.text)
    holding: dict[str, list[int]] = {}
    for at, each in enumerate(terms):
        for term in each:
            holding.setdefault(term, []).append(at)
    matrix, first, last = _rows(document, segments, vectors)
    return Units(
        segments,
        terms,
        headings,
        np.array([is_bare_heading(each) for each in segments], bool),
        {term: tuple(found) for term, found in holding.items()},
        np.array([sum(each.values()) for each in terms], float),
        matrix,
        first,
        last,
    )


def is_bare_heading(of: Segment) -> bool:
    """True for a segment that is nothing but a heading: the last one above it, or a title in capitals.

    A line with a value ("Warranty: 12 months") is none.
    """
    if len(of.text) > _LONGEST_HEADING:
        return False
    own, title = _letters(of.text), _letters(of.section[-1]) if of.section else ""
    if title and own.endswith(title) and len(own) - len(title) <= _NUMBERING_LETTERS:
        return True
    words = _NUMBERING.sub("", of.text).rstrip(".: ").split()
    if not words or len(words) > _MOST_HEADING_WORDS or any(map(_VALUE.search, words)):
        return False
    long = [each for each in words if each.strip("\"'(").lower() not in SMALL_WORDS]
    return bool(long) and of.text[-1] not in ";," and all(each.strip("\"'(&-")[:1].isupper() for each in long)


def _letters(text: str) -> str:
    return "".join(filter(str.isalpha, text.casefold()))


@lru_cache(maxsize=2)
def _read(
    text: str,
) -> tuple[tuple[Segment, ...], tuple[Mapping[str, int], ...], tuple[frozenset[str], ...]]:
    segments = segment(text).segments[:MOST_UNITS]
    terms = tuple(Counter(analyse(each.text)) for each in segments)
    return segments, terms, tuple(_heading_terms(each.section) for each in segments)


@lru_cache(maxsize=4_000)
def _heading_terms(section: tuple[str, ...]) -> frozenset[str]:
    return frozenset(analyse(" ".join(section)))


def _rows(
    document: DocumentText, segments: tuple[Segment, ...], vectors: SentenceVectors | None
) -> tuple[Matrix, NDArray[np.int64], NDArray[np.int64]]:
    """The sentence vectors in reading order, and which of them each segment overlaps."""
    none = np.zeros(len(segments), np.int64)
    if vectors is None or not len(vectors.matrix):
        return np.zeros((0, 0), np.float32), none, none
    begins = {page.page_no: start for page, start in zip(document.pages, document.starts, strict=True)}
    pages = vectors.spans[:, 0]
    offset = np.array([begins.get(int(page), -1) for page in pages], np.int64)
    known = np.flatnonzero(offset >= 0)
    starts = offset[known] + vectors.spans[known, 1]
    ends = offset[known] + vectors.spans[known, 2]
    own_starts = np.array([each.start for each in segments], np.int64)
    own_ends = np.array([each.end for each in segments], np.int64)
    first = np.searchsorted(ends, own_starts, "right")
    last = np.maximum(first, np.searchsorted(starts, own_ends, "left"))
    return vectors.matrix[known], first, last
