"""Linear heads: how much every segment of a document looks like every clause type."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.extract.clauses.features import (
    BITS,
    Frequencies,
    SparseRows,
    UnitFeatures,
    assemble,
    document_row,
    paragraph_features,
    segment_features,
)
from core.extract.clauses.patterns import PatternBits
from core.extract.clauses.segments import Segmented

PARAGRAPH_WEIGHT = 0.3
_CHUNK = 40_000  # entries of a sparse product at a time: bounds the memory, 8 MB at 55 heads


@dataclass(frozen=True, slots=True)
class Weights:
    """Heads over one kind of unit. columns: (k,) of features, sorted; values: (k, heads); bias: (heads,)."""

    columns: NDArray[np.int64]
    values: NDArray[np.float32]
    bias: NDArray[np.float32]

    def score(self, rows: SparseRows) -> NDArray[np.float32]:
        """(n, heads) decision values."""
        scores = np.zeros((len(rows), self.values.shape[1]), np.float32)
        if not len(rows) or not len(self.columns):
            return scores + self.bias
        at = np.searchsorted(self.columns, rows.columns)
        at[at == len(self.columns)] = 0
        known = self.columns[at] == rows.columns
        row, at, data = rows.row_of()[known], at[known], rows.data[known]
        for start in range(0, len(row), _CHUNK):
            part = slice(start, start + _CHUNK)
            product = self.values[at[part]] * data[part, None]
            changes = np.flatnonzero(np.diff(row[part], prepend=-1))
            scores[row[part][changes]] += np.add.reduceat(product, changes, axis=0)
        return scores + self.bias


@dataclass(frozen=True, slots=True)
class DocumentScores:
    """Scores of a document: (segments, heads) with the paragraphs' part in it, and the pattern bits.

    prior: (heads,) how likely documents of this kind hold such a clause at all, about 0 to 1.
    """

    document: Segmented
    scores: NDArray[np.float32]
    bits: NDArray[np.uint8]
    prior: NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class LinearHeads:
    """Heads of segments, of paragraphs and of whole documents, over the same names."""

    names: tuple[str, ...]
    segments: Weights
    paragraphs: Weights
    documents: Weights
    frequencies: Frequencies

    def score(self, document: Segmented, patterns: PatternBits) -> DocumentScores:
        """Every head's score of every segment, in reading order."""
        of_segments = segment_features(document, patterns)
        of_paragraphs = paragraph_features(document, of_segments.bits)
        scores = self.score_features(of_segments, of_paragraphs, [s.paragraph for s in document.segments])
        return DocumentScores(document, scores, of_segments.bits, self.prior(of_segments))

    def prior(self, segments: UnitFeatures) -> NDArray[np.float32]:
        """(heads,) of a document, by its words as a whole."""
        return np.asarray(self.documents.score(document_row(segments.words, self.frequencies))[0])

    def score_features(
        self, segments: UnitFeatures, paragraphs: UnitFeatures, paragraph_of: Sequence[int]
    ) -> NDArray[np.float32]:
        """(segments, heads): the segment's own score + PARAGRAPH_WEIGHT of its paragraph's."""
        if not len(segments):
            return np.zeros((0, len(self.names)), np.float32)
        own = self.segments.score(assemble(segments, self.frequencies))
        whole = self.paragraphs.score(assemble(paragraphs, self.frequencies))
        return np.asarray(own + np.float32(PARAGRAPH_WEIGHT) * whole[np.asarray(paragraph_of)])


def column_count(patterns: int) -> int:
    """Number of feature columns with so many patterns."""
    return BITS + 2 * patterns + 4
