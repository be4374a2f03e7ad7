"""Linear heads: how much every segment looks like every clause type, and a document as a whole.

Of the whole: one model over (document, type): gradient-boosted trees and a logistic regression, their
logits averaged. Both are trained elsewhere and evaluated here from arrays. Source of the trees: Ke et al.
2017, LightGBM; a row goes left where feature <= threshold.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.extract.clauses.features import (
    Frequencies,
    PatternBits,
    SparseRows,
    UnitFeatures,
    assemble,
    document_row,
    paragraph_features,
    segment_features,
)
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


@dataclass(frozen=True, slots=True)
class Calibration:
    """probability = sigmoid(slope x logit + bias + offset of the type)."""

    slope: float
    bias: float
    offsets: NDArray[np.float64] = field(repr=False)

    def probabilities(self, logits: NDArray[np.float64]) -> NDArray[np.float64]:
        """Same shape as `logits`, whose last axis is the heads."""
        return sigmoid(self.slope * logits + self.bias + self.offsets)


def sigmoid(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """1 / (1 + e^-x), without overflow."""
    return np.asarray(1 / (1 + np.exp(-np.clip(values, -40, 40))))


Floats = NDArray[np.float64]

_FEATURES = (
    "top_1 top_2 top_3 mean_of_5 soft_sum hits_at_top hits_most segments_with_2 segments_with_3 length "
    "position rival margin top_of_paragraphs spread prior"
)
FEATURES = tuple(_FEATURES.split())
"""What is measured of a document for each type, before it is compared with documents without the type."""


def measure(scored: DocumentScores, pattern_groups: Sequence[NDArray[np.int64]]) -> Floats:
    """(heads, FEATURES) of one document.

    pattern_groups: for each head the columns of `scored.bits` that speak for it; may be empty.
    """
    scores = scored.scores
    rows, heads = scores.shape
    found = np.zeros((heads, len(FEATURES)))
    found[:, 15] = scored.prior[:heads]
    if not rows:
        found[:, :5] = found[:, 11] = found[:, 13] = -2.0
        return found
    best = np.argsort(-scores, axis=0, kind="stable")[:5]
    top = np.take_along_axis(scores, best, axis=0)
    padded = np.vstack([top, np.full((5 - len(top), heads), -2.0)])
    found[:, 0:3] = padded[:3].T
    found[:, 3] = padded.mean(axis=0)
    found[:, 4] = np.log(np.exp(4.0 * scores).sum(axis=0)) / 4.0
    found[:, 9] = np.log(rows)
    found[:, 10] = best[0] / rows
    order = np.sort(scores[best[0]], axis=1)
    own = scores[best[0], np.arange(heads)]
    highest, second = order[:, -1], order[:, -2] if heads > 1 else order[:, -1]
    found[:, 11] = np.where(own >= highest, second, highest)
    found[:, 12] = own - found[:, 11]
    found[:, 13] = _second_paragraph(scored, scores)
    found[:, 14] = scores.mean(axis=0)
    for head, columns in enumerate(pattern_groups):
        if len(columns):
            hits = scored.bits[:, columns].sum(axis=1, dtype=np.int64)
            found[head, 5] = hits[best[0, head]] / len(columns)
            found[head, 6] = hits.max() / len(columns)
            found[head, 7] = np.log1p((hits >= 2).sum())
            found[head, 8] = np.log1p((hits >= 3).sum())
    return found


def _second_paragraph(scored: DocumentScores, scores: NDArray[np.float32]) -> NDArray[np.float32]:
    """The best score outside the paragraph of the best segment; -2 where there is no other paragraph."""
    firsts = [each.first for each in scored.document.paragraphs]
    by_paragraph = np.maximum.reduceat(scores, firsts, axis=0)
    if len(by_paragraph) < 2:
        return np.full(scores.shape[1], -2.0, np.float32)
    return np.asarray(np.partition(by_paragraph, -2, axis=0)[-2])


@dataclass(frozen=True, slots=True)
class Trees:
    """Boosted trees as (trees, nodes) arrays. feature: -1 at a leaf, whose `value` counts."""

    feature: NDArray[np.int16]
    threshold: NDArray[np.float32]
    left: NDArray[np.int16]
    right: NDArray[np.int16]
    value: NDArray[np.float32]
    depth: int

    @classmethod
    def of(cls, arrays: Mapping[str, NDArray[Any]], prefix: str, depth: int) -> Trees:
        """Trees of the arrays of a file whose names begin so."""
        left, right = (arrays[f"{prefix}tree_{side}"].astype(np.int16) for side in ("left", "right"))
        feature, threshold = (
            arrays[f"{prefix}tree_feature"].astype(np.int16),
            arrays[f"{prefix}tree_threshold"],
        )
        return cls(feature, threshold, left, right, arrays[f"{prefix}tree_value"], depth)

    def predict(self, rows: Floats) -> Floats:
        """(n,) sums of the leaves that each row falls into, divided by nothing."""
        number = np.arange(self.feature.shape[0])[None, :]
        node = np.zeros((len(rows), self.feature.shape[0]), np.int64)
        which = np.arange(len(rows))[:, None]
        for _ in range(self.depth):
            feature = self.feature[number, node]
            inner = feature >= 0
            goes_left = rows[which, np.maximum(feature, 0)] <= self.threshold[number, node]
            following = np.where(goes_left, self.left[number, node], self.right[number, node])
            node = np.where(inner, following, node)
        return np.asarray(self.value[number, node].sum(axis=1, dtype=np.float64))


@dataclass(frozen=True, slots=True)
class DocumentStage:
    """The document-level model.

    mean, deviation: (heads, FEATURES) over documents without the type; base: (heads,) logit of how many
    contracts have it. weights: (heads, columns) of the logistic regression over the columns of `rows`, with
    `bias`. runs: how many boosted models `trees` holds, whose sums are averaged.
    """

    mean: Floats
    deviation: Floats
    base: Floats
    weights: Floats
    bias: float
    trees: Trees
    runs: int

    def rows(self, measured: Floats) -> Floats:
        """(heads, columns) from (heads, FEATURES): deviations from documents without the type, base rate."""
        return np.concatenate([(measured - self.mean) / self.deviation, self.base[:, None]], axis=1)

    def logits(self, measured: Floats) -> Floats:
        """(heads,) of one document, not yet calibrated."""
        rows = self.rows(measured)
        linear = (rows * self.weights).sum(axis=1) + self.bias
        return np.asarray((linear + self.trees.predict(rows) / self.runs) / 2)


def groups_by_type(
    names: Sequence[str], titles: Mapping[str, str], pattern_types: Sequence[str]
) -> list[NDArray[np.int64]]:
    """For each head the indices of the patterns whose type is its title."""
    return [
        np.array([index for index, kind in enumerate(pattern_types) if kind == titles.get(name)], np.int64)
        for name in names
    ]
