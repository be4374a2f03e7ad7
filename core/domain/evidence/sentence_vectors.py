"""The stored sentence vectors of a document, by where the sentences stand on its pages."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.domain.passage import Matrix, Passage, Vector
from core.domain.span import PageSpan


@dataclass(frozen=True, slots=True)
class SentenceVectors:
    """Sentences with their vectors; a sentence that two passages share is there once.

    spans: (n, 3) page number, start and end, by page and place. matrix: (n, d), rows of unit norm.
    """

    spans: NDArray[np.int64]
    matrix: Matrix

    @classmethod
    def of(cls, passages: Sequence[Passage], matrices: Sequence[Matrix]) -> SentenceVectors:
        """Of the passages of one document and the sentence vectors of each."""
        found: dict[tuple[int, int, int], Vector] = {}
        for passage, matrix in zip(passages, matrices, strict=True):
            for (start, end), vector in zip(passage.sentences, matrix, strict=False):
                place = passage.locate(start, end)
                if place is not None:
                    found.setdefault((place.page_no, place.start, place.end), vector)
        keys = sorted(found)
        dimension = matrices[0].shape[1] if matrices else 0
        rows = np.array([found[key] for key in keys], np.float32).reshape(len(keys), dimension)
        return cls(np.array(keys, np.int64).reshape(len(keys), 3), rows)

    def overlapping(self, span: PageSpan) -> NDArray[np.int64]:
        """The places of the sentences that share a character with `span`."""
        pages, starts, ends = self.spans.T
        return np.flatnonzero((pages == span.page_no) & (starts < span.end) & (ends > span.start))

    def of_spans(self, spans: Iterable[PageSpan]) -> Vector | None:
        """The mean of the sentences that some spans overlap, of unit norm; None where they overlap none."""
        rows = [self.overlapping(span) for span in spans]
        return self.mean(np.unique(np.concatenate(rows))) if rows else None

    def mean(self, rows: NDArray[np.int64]) -> Vector | None:
        """The mean of some rows, of unit norm; None for no rows, or where they cancel out."""
        if len(rows) == 0:
            return None
        total = self.matrix[rows].sum(axis=0, dtype=np.float32)
        norm = float(np.linalg.norm(total))
        return None if norm < 1e-6 else np.asarray(total / norm, np.float32)
