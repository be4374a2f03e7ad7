"""Fitting linear heads to documents: TF-IDF of these alone, LinearSVC on segments and on paragraphs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix, vstack
from sklearn.svm import LinearSVC

from core.extract.clauses.features import (
    BITS,
    HEADINGS,
    NEAR_WORDS,
    STEPS,
    UNSEEN,
    WORDS,
    Frequencies,
    PatternBits,
    SparseRows,
    UnitFeatures,
    assemble,
    document_counts,
    document_row,
    paragraph_features,
    segment_features,
)
from core.extract.clauses.heads import DocumentScores, LinearHeads, Weights
from core.extract.clauses.segments import Segmented, segment

STRENGTH = 0.2
RIDGE = 1.0
UNLABELLED_SHARE = 0.3
UNLABELLED_WEIGHT = 3.0


@dataclass(frozen=True, slots=True)
class Prepared:
    """A document ready for training. labels: (segments, heads) of 0 and 1, of its paragraphs likewise.

    known: (segments, heads), where nothing is known of a segment it takes no part in that head; (1, heads)
    where it is alike for all. yes: (heads,) whether the document as a whole holds such a clause; judged:
    (heads,) whether that is known.
    """

    document: Segmented
    segments: UnitFeatures
    paragraphs: UnitFeatures
    labels: NDArray[np.uint8]
    paragraph_labels: NDArray[np.uint8]
    known: NDArray[np.bool_]
    yes: NDArray[np.bool_]
    judged: NDArray[np.bool_]

    @property
    def paragraph_of(self) -> list[int]:
        """The paragraph of every segment."""
        return [each.paragraph for each in self.document.segments]


def prepare(
    text: str,
    spans: Sequence[Sequence[tuple[int, int]]],
    patterns: PatternBits,
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
    return Prepared(
        document,
        units,
        paragraph_features(document, units.bits),
        labels,
        of_paragraphs,
        np.ones((1, len(spans)), bool),
        np.array([bool(quotes) for quotes in spans]),
        np.ones(len(spans), bool),
    )


def fit(
    training: Sequence[Prepared],
    names: Sequence[str],
    frequencies: Frequencies | None = None,
    seed: int = 0,
    threads: int = 2,
) -> LinearHeads:
    """Heads from these documents; nothing else is looked at. frequencies: of another training, to share."""
    patterns = training[0].segments.bits.shape[1]
    shared = frequencies or _frequencies(training)
    rng = np.random.default_rng(seed)
    fitted = [
        _fit_units(
            [getattr(each, kind) for each in training],
            [each.labels if kind == "segments" else each.paragraph_labels for each in training],
            [_known_of(each, kind) for each in training],
            shared,
            BITS + 2 * patterns + 4,
            rng,
            threads,
        )
        for kind in ("segments", "paragraphs")
    ]
    return LinearHeads(tuple(names), fitted[0], fitted[1], _fit_documents(training, shared), shared)


def _frequencies(training: Sequence[Prepared]) -> Frequencies:
    count = sum(len(each.segments) for each in training)
    return Frequencies(
        to_bytes(count_documents((each.segments.words for each in training), NEAR_WORDS), count),
        to_bytes(count_documents((each.segments.headings for each in training), HEADINGS), count),
        _document_frequencies(training),
    )


def _known_of(document: Prepared, kind: str) -> NDArray[np.bool_]:
    if kind == "segments" or len(document.known) == 1:
        return document.known
    firsts = [each.first for each in document.document.paragraphs]
    return np.asarray(np.logical_and.reduceat(document.known, firsts, axis=0))


def _document_frequencies(training: Sequence[Prepared]) -> NDArray[np.uint8]:
    """ln(documents / documents with the word) in bytes; UNSEEN below three documents and near all of them."""
    counts = count_documents((document_counts(each.segments.words) for each in training), 2 * WORDS)
    steps = np.clip(np.round(np.log(len(training) / np.maximum(counts, 1)) * 20), 0, UNSEEN - 1)
    kept = (counts >= 3) & (counts < 0.95 * len(training))
    return np.where(kept, steps, UNSEEN).astype(np.uint8)


def _fit_documents(training: Sequence[Prepared], frequencies: Frequencies) -> Weights:
    """Kernel ridge regression of the yes and no of whole documents on their words.

    Source: Saunders, Gammerman, Vovk 1998; with fewer documents than words the dual is the small problem.
    """
    rows = vstack(
        [sparse(document_row(each.segments.words, frequencies), 2 * WORDS) for each in training]
    ).tocsr()
    used = np.unique(rows.indices)
    dense = rows[:, used].toarray().astype(np.float64)
    target = np.stack([each.yes for each in training]).astype(np.float64)
    sure = np.stack([each.judged for each in training])
    mean = (target * sure).sum(axis=0) / np.maximum(1, sure.sum(axis=0))
    error = np.where(sure, target - mean, 0.0)
    dual = np.linalg.solve(dense @ dense.T + RIDGE * np.eye(len(training)), error)
    return Weights(used.astype(np.int64), (dense.T @ dual).astype(np.float32), mean.astype(np.float32))


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
        kept_known.append(np.broadcast_to(heads, label.shape)[chosen])
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


def sparse(rows: SparseRows, columns: int) -> csr_matrix:
    """The same rows for scikit-learn."""
    return csr_matrix((rows.data, rows.columns, rows.starts), shape=(len(rows), columns))


def scored(heads: LinearHeads, document: Prepared) -> DocumentScores:
    """What `heads` say of a document."""
    return DocumentScores(
        document.document,
        heads.score_features(document.segments, document.paragraphs, document.paragraph_of),
        document.segments.bits,
        heads.prior(document.segments),
    )


def prune(weights: Weights, keep: int) -> Weights:
    """The `keep` largest weights of every head, the rest 0; columns that no head uses fall out."""
    values = weights.values.copy()
    if keep < len(values):
        for head in range(values.shape[1]):
            column = np.abs(values[:, head])
            values[column < np.partition(column, -keep)[-keep], head] = 0
    used = values.any(axis=1)
    return Weights(weights.columns[used], values[used], weights.bias)


def prune_heads(heads: LinearHeads, keep: int) -> LinearHeads:
    """Heads with their largest weights only."""
    return LinearHeads(
        heads.names,
        prune(heads.segments, keep),
        prune(heads.paragraphs, keep),
        prune(heads.documents, keep),
        heads.frequencies,
    )


def merge_heads(first: LinearHeads, second: LinearHeads, order: Sequence[str]) -> LinearHeads:
    """Both as one, heads in `order`; they must share their frequencies."""
    names = [*first.names, *second.names]
    place = [names.index(name) for name in order]
    return LinearHeads(
        tuple(order),
        _merge(first.segments, second.segments, place),
        _merge(first.paragraphs, second.paragraphs, place),
        _merge(first.documents, second.documents, place),
        first.frequencies,
    )


def _merge(first: Weights, second: Weights, place: Sequence[int]) -> Weights:
    columns = np.union1d(first.columns, second.columns)
    left = first.values.shape[1]
    values = np.zeros((len(columns), left + second.values.shape[1]), np.float32)
    values[np.searchsorted(columns, first.columns), :left] = first.values
    values[np.searchsorted(columns, second.columns), left:] = second.values
    bias = np.concatenate([first.bias, second.bias])
    return Weights(columns, values[:, place], bias[place])


def count_documents(rows: Iterable[SparseRows], size: int) -> NDArray[np.int64]:
    """In how many rows each column occurs."""
    counts = np.zeros(size, np.int64)
    for each in rows:
        np.add.at(counts, each.columns, 1)
    return counts


def to_bytes(counts: NDArray[np.int64], total: int, least: int = 3) -> NDArray[np.uint8]:
    """Inverse document frequency as a byte; UNSEEN below `least` rows."""
    idf = np.log((1 + total) / (1 + counts))
    steps = np.clip(np.round(idf * STEPS), 0, UNSEEN - 1).astype(np.uint8)
    return np.where(counts >= least, steps, UNSEEN).astype(np.uint8)
