"""Fitting of a chooser: words by logistic regression, values by boosted trees and a regression."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix
from sklearn.linear_model import LogisticRegression

from bench.clauses.stage import NO_TREES, as_trees
from core.extract.chooser.model import COLUMNS, ChoosableValue, Floats, ValueStage, Words, measure
from core.extract.clauses.heads import Trees

WORDS_C = 30.0
STAGE_C = 0.1
ROUNDS = 60
SEEDS = (0, 1)
BOOSTING = {
    "objective": "binary",
    "num_leaves": 5,
    "learning_rate": 0.06,
    "feature_fraction": 0.5,
    "bagging_fraction": 0.8,
    "bagging_freq": 1,
    "lambda_l2": 3.0,
    "min_data_in_leaf": 12,
    "verbosity": -1,
    "num_threads": 1,
    "deterministic": True,
}


@dataclass(frozen=True, slots=True)
class Case:
    """A document's candidates. right: (options,) whose value is the label's. fold: -1 where it is set aside.

    near: (options, extra) more targets of the linear stage. states: whether the document states the field.
    """

    name: str
    options: Sequence[ChoosableValue]
    right: NDArray[np.bool_]
    near: NDArray[np.bool_]
    states: bool
    fold: int


def fit_words(cases: Sequence[Case], c: float = WORDS_C) -> Words:
    """The linear stage: its first model tells right candidates, the others what `near` holds."""
    columns, starts, data = [], [0], []
    for case in cases:
        for option in case.options:
            columns.extend(option.columns)
            data.extend([1 / np.sqrt(max(1, len(option.columns)))] * len(option.columns))
            starts.append(len(columns))
    rows = csr_matrix((data, columns, starts), shape=(len(starts) - 1, COLUMNS))
    targets = np.concatenate(
        [np.concatenate([case.right[:, None], case.near], axis=1) for case in cases if len(case.options)]
    )
    weights = np.zeros((targets.shape[1], COLUMNS), np.float32)
    bias = np.zeros(targets.shape[1], np.float32)
    for model in range(targets.shape[1]):
        target = targets[:, model]
        if target.all() or not target.any():
            continue
        linear = LogisticRegression(C=c, solver="liblinear", max_iter=300)
        linear.fit(rows, target)
        weights[model], bias[model] = linear.coef_[0], linear.intercept_[0]
    return Words(weights, bias)


def value_rows(case: Case, scores: Floats) -> tuple[Floats, NDArray[np.bool_]]:
    """Measures of a case's values, and which of them are right."""
    if not len(case.options):
        return np.zeros((0, 0)), np.zeros(0, bool)
    names, rows = measure(case.options, scores)
    right: dict[str, bool] = {}
    for option, is_right in zip(case.options, case.right, strict=True):
        right[option.group] = right.get(option.group, False) or bool(is_right)
    return rows, np.array([right[name] for name in names])


def fit_stage(
    rows: Floats, target: NDArray[np.bool_], boosted: bool = True, c: float = STAGE_C
) -> ValueStage:
    """The second stage, not calibrated."""
    mean, deviation = rows.mean(axis=0), np.maximum(rows.std(axis=0), 1e-3)
    linear = LogisticRegression(C=c, max_iter=2_000).fit((rows - mean) / deviation, target)
    trees, runs = (boost(rows, target), len(SEEDS)) if boosted else (NO_TREES, 0)
    return ValueStage(mean, deviation, linear.coef_[0], float(linear.intercept_[0]), trees, runs)


def boost(rows: Floats, target: NDArray[np.bool_]) -> Trees:
    """Boosted trees over rows of measures."""
    import lightgbm

    found = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for seed in SEEDS:
            model = lightgbm.train(
                {**BOOSTING, "seed": seed}, lightgbm.Dataset(rows, target.astype(int)), ROUNDS
            )
            found += [tree["tree_structure"] for tree in model.dump_model()["tree_info"]]
    return as_trees(found)


def calibrated(stage: ValueStage, logits: Floats, target: NDArray[np.bool_]) -> ValueStage:
    """The stage with slope and offset by which held-out logits are probabilities."""
    platt = LogisticRegression(C=1e4, max_iter=1_000).fit(logits[:, None], target)
    return replace(stage, slope=float(platt.coef_[0, 0]), offset=float(platt.intercept_[0]))
