"""Strictly nested cross-fitting: scores of every fold, and of its training side, that no training saw.

For outer fold i the documents of fold j are scored by heads trained without i and j: fifteen trainings serve
all five folds.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from bench.clauses.calibration import fit_calibration
from bench.clauses.families import ASIDE
from bench.clauses.stage import fit_stage
from bench.clauses.training import Prepared, fit, prune_heads, scored
from core.extract.clauses.heads import Calibration, DocumentScores, DocumentStage, LinearHeads, measure

Scores = dict[int, tuple[NDArray[np.float32], NDArray[np.float32]]]
"""By document: scores of its segments, and the prior of documents of its kind."""


@dataclass(frozen=True, slots=True)
class Held:
    """Scores by document. outer[i]: of documents in fold i, by heads that never saw fold i.

    inner[i, j]: of documents in fold j, by heads that saw neither i nor j. aside: of documents of no fold,
    by heads that saw all folds.
    """

    outer: dict[int, Scores]
    inner: dict[tuple[int, int], Scores]
    aside: Scores


def score_all(
    documents: Sequence[Prepared],
    fold: NDArray[np.int64],
    names: Sequence[str],
    keep: int,
    say: Callable[[str], None] = print,
) -> Held:
    """Fifteen trainings for five folds, and one for what is set aside, if anything is.

    `keep` weights are kept of every head, as in the artefact.
    """

    def trained(seen: NDArray[np.bool_]) -> LinearHeads:
        return prune_heads(fit([documents[i] for i in np.flatnonzero(seen)], names), keep)

    outer: dict[int, Scores] = {}
    inner: dict[tuple[int, int], Scores] = {}
    usable, count = fold != ASIDE, int(fold.max()) + 1
    aside = {} if usable.all() else _scores(trained(usable), documents, ~usable)
    for left in range(count):
        outer[left] = _scores(trained(usable & (fold != left)), documents, fold == left)
    for left, right in combinations(range(count), 2):
        heads = trained(usable & (fold != left) & (fold != right))
        inner[left, right] = _scores(heads, documents, fold == right)
        inner[right, left] = _scores(heads, documents, fold == left)
        say(f"heads without folds {left} and {right}")
    return Held(outer, inner, aside)


def _scores(heads: LinearHeads, documents: Sequence[Prepared], chosen: NDArray[np.bool_]) -> Scores:
    found = {int(i): scored(heads, documents[i]) for i in np.flatnonzero(chosen)}
    return {index: (each.scores, each.prior) for index, each in found.items()}


def measured(
    documents: Sequence[Prepared], scores: Scores, groups: Sequence[NDArray[np.int64]], heads: int
) -> dict[int, NDArray[np.float64]]:
    """Document features by document, of the first `heads` heads."""
    return {
        index: measure(
            DocumentScores(
                documents[index].document, score[:, :heads], documents[index].segments.bits, prior[:heads]
            ),
            groups,
        )
        for index, (score, prior) in scores.items()
    }


@dataclass(frozen=True, slots=True)
class Side:
    """A training side with everything decided on it alone.

    held_out: (documents, heads) probabilities of the training side's documents, each by a stage and a
    calibration that did not see its fold.
    """

    stage: DocumentStage
    calibration: Calibration
    documents: NDArray[np.int64]
    held_out: NDArray[np.float64]


def fit_side(by_fold: dict[int, dict[int, NDArray[np.float64]]], labels: NDArray[np.bool_]) -> Side:
    """by_fold: fold to document to features, of documents that were scored by heads that never saw them."""
    order = [(fold, index) for fold in sorted(by_fold) for index in sorted(by_fold[fold])]
    folds = np.array([fold for fold, _ in order])
    documents = np.array([index for _, index in order])
    features = np.stack([by_fold[fold][index] for fold, index in order])
    target = labels[documents]
    logits = np.zeros(target.shape)
    for fold in sorted(by_fold):
        seen = folds != fold
        stage = fit_stage(features[seen], target[seen])
        for row in np.flatnonzero(~seen):
            logits[row] = stage.logits(features[row])
    held_out = np.zeros(target.shape)
    for fold in sorted(by_fold):
        seen = folds != fold
        held_out[~seen] = fit_calibration(logits[seen], target[seen]).probabilities(logits[~seen])
    return Side(fit_stage(features, target), fit_calibration(logits, target), documents, held_out)
