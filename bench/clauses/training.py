"""Fitting linear heads to documents: TF-IDF of these alone, LinearSVC on segments and on paragraphs."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix, vstack
from sklearn.svm import LinearSVC

from core.ingest.extract.features import (
    HEADINGS,
    NEAR_WORDS,
    Frequencies,
    Rows,
    UnitFeatures,
    assemble,
    count_documents,
    paragraph_features,
    segment_features,
    to_bytes,
)
from core.ingest.extract.heads import LinearHeads, Weights, column_count
from core.ingest.extract.patterns_clause import PatternBits
from core.ingest.extract.segments import Segmented, segment

STRENGTH = 0.2
UNLABELLED_SHARE = 0.3
UNLABELLED_WEIGHT = 3.0


@dataclass(frozen=True, slots=True)
class Prepared:
    """A document ready for training. labels: (segments, heads) of 0 and 1, of its paragraphs likewise.

    known: which heads have labels in this document, since a source need not speak of all.
    """

    document: Segmented
    segments: UnitFeatures
    paragraphs: UnitFeatures
    labels: NDArray[np.uint8]
    paragraph_labels: NDArray[np.uint8]
    known: NDArray[np.bool_]

    @property
    def paragraph_of(self) -> list[int]:
        """The paragraph of every segment."""
        return [each.paragraph for each in self.document.segments]


def prepare(
    text: str,
    spans: Sequence[Sequence[tuple[int, int]]],
    patterns: PatternBits,
    known: NDArray[np.bool_] | None = None,
) -> Prepared:
    """A text with the gold spans of every head."""
    document = segment(text)
    units = segment_features(document, patterns)
    labels = np.zeros((len(document.segments), len(spans)), np.uint8)
    begins = np.array([each.start for each in document.segments])
    ends = np.array([each.end for each in document.segments])
    for head, quotes in enumerate(spans):
        for start, end in quotes:
            both = np.minimum(ends, end) - np.maximum(begins, start)
            labels[both >= 0.5 * np.minimum(ends - begins, end - start), head] = 1
    firsts = [each.first for each in document.paragraphs]
    of_paragraphs = np.maximum.reduceat(labels, firsts, axis=0) if firsts else labels
    everything = np.ones(len(spans), bool) if known is None else known
    return Prepared(
        document, units, paragraph_features(document, units.bits), labels, of_paragraphs, everything
    )


def fit(training: Sequence[Prepared], names: Sequence[str], seed: int = 0, threads: int = 2) -> LinearHeads:
    """Heads from these documents; nothing else is looked at."""
    patterns = training[0].segments.bits.shape[1]
    frequencies = Frequencies(
        to_bytes(
            count_documents((each.segments.words for each in training), NEAR_WORDS),
            sum(len(each.segments) for each in training),
        ),
        to_bytes(
            count_documents((each.segments.headings for each in training), HEADINGS),
            sum(len(each.segments) for each in training),
        ),
    )
    rng = np.random.default_rng(seed)
    fitted = [
        _fit_units(
            [getattr(each, kind) for each in training],
            [each.labels if kind == "segments" else each.paragraph_labels for each in training],
            [each.known for each in training],
            frequencies,
            column_count(patterns),
            rng,
            threads,
        )
        for kind in ("segments", "paragraphs")
    ]
    return LinearHeads(tuple(names), fitted[0], fitted[1], frequencies)


def _fit_units(
    units: Sequence[UnitFeatures],
    labels: Sequence[NDArray[np.uint8]],
    known: Sequence[NDArray[np.bool_]],
    frequencies: Frequencies,
    columns: int,
    rng: np.random.Generator,
    threads: int,
) -> Weights:
    matrices, kept_labels, weights, kept_known = [], [], [], []
    for unit, label, heads in zip(units, labels, known, strict=True):
        labelled = label.any(axis=1)
        chosen = labelled | (rng.random(len(label)) < UNLABELLED_SHARE)
        matrices.append(sparse(assemble(unit, frequencies), columns)[np.flatnonzero(chosen)])
        kept_labels.append(label[chosen])
        weights.append(np.where(labelled, 1.0, UNLABELLED_WEIGHT)[chosen])
        kept_known.append(np.repeat(heads[None], chosen.sum(), axis=0))
    matrix = vstack(matrices).tocsr()
    used = np.unique(matrix.indices)
    matrix = matrix[:, used]
    target, weight = np.concatenate(kept_labels), np.concatenate(weights)
    sure = np.concatenate(kept_known)

    def one(head: int) -> tuple[NDArray[np.float32], float]:
        rows = sure[:, head]
        if len(np.unique(target[rows, head])) < 2:
            return np.zeros(len(used), np.float32), -1.0
        model = LinearSVC(C=STRENGTH, dual=True, tol=1e-3, max_iter=3000)
        everything = rows.all()
        model.fit(matrix if everything else matrix[rows], target[rows, head], sample_weight=weight[rows])
        return model.coef_[0].astype(np.float32), float(model.intercept_[0])

    with ThreadPoolExecutor(threads) as pool:
        fitted = list(pool.map(one, range(target.shape[1])))
    values = np.stack([coefficients for coefficients, _ in fitted], axis=1)
    return Weights(used.astype(np.int64), values, np.array([bias for _, bias in fitted], np.float32))


def sparse(rows: Rows, columns: int) -> csr_matrix:
    """The same rows for scikit-learn."""
    return csr_matrix((rows.data, rows.columns, rows.starts), shape=(len(rows), columns))


def scores_of(heads: LinearHeads, document: Prepared) -> NDArray[np.float32]:
    """(segments, heads)."""
    return heads.score_features(document.segments, document.paragraphs, document.paragraph_of)


def prune(weights: Weights, keep: int) -> Weights:
    """The `keep` largest weights of every head, the rest 0; columns that no head uses fall out."""
    values = weights.values.copy()
    if keep < len(values):
        for head in range(values.shape[1]):
            column = np.abs(values[:, head])
            values[column < np.partition(column, -keep)[-keep], head] = 0
    used = values.any(axis=1)
    return Weights(weights.columns[used], values[used], weights.bias)
