"""Fitting the document stage: boosted trees and a pooled logistic regression over (document, type)."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.linear_model import LogisticRegression

from core.extract.clauses.heads import FEATURES, DocumentStage, Trees

ROUNDS = 90
SEEDS = (0,)
BOOSTING = {
    "objective": "binary",
    "num_leaves": 12,
    "learning_rate": 0.08,
    "feature_fraction": 0.4,
    "lambda_l2": 3.0,
    "min_data_in_leaf": 20,
    "verbosity": -1,
    "num_threads": 1,
    "deterministic": True,
}
FALLS_OR_RISES = {"length", "position", "rival", "margin", "spread"}
"""All other features only ever speak for a type: the trees may not fall in them."""

LINEAR_C = 0.15
OWN_SHARE = 0.3
"""How freely a type's weights may leave the weights of all types: 0 not at all."""
NO_TREES = Trees(
    np.zeros((0, 1), np.int16),
    np.zeros((0, 1), np.float32),
    np.zeros((0, 1), np.int16),
    np.zeros((0, 1), np.int16),
    np.zeros((0, 1), np.float32),
    0,
)


def fit_stage(
    measured: NDArray[np.float64],
    labels: NDArray[np.bool_],
    judged: NDArray[np.bool_] | None = None,
    boosted: bool = True,
) -> DocumentStage:
    """From (documents, heads, features) and (documents, heads).

    judged: which of the cells are known; all unless given. boosted: with trees and with weights of each type,
    else one regression alone.
    """
    count, heads, width = measured.shape
    known = np.ones(labels.shape, bool) if judged is None else judged
    mean, deviation = np.zeros((heads, width)), np.ones((heads, width))
    for head in range(heads):
        negatives = measured[known[:, head] & ~labels[:, head], head]
        if len(negatives) >= 5:
            mean[head] = negatives.mean(axis=0)
            deviation[head] = np.maximum(negatives.std(axis=0), 0.05)
    rate = ((labels & known).sum(axis=0) + 1) / (known.sum(axis=0) + 2)
    base = np.log(rate / (1 - rate))
    compared = (measured - mean) / deviation
    rows = np.concatenate([compared, np.broadcast_to(base[None, :, None], (count, heads, 1))], axis=2)
    flat, target = rows[known], labels[known]
    weights, bias = _regress(flat, target, np.nonzero(known)[1], OWN_SHARE if boosted else 0.0)
    trees = _boost(flat, target) if boosted else NO_TREES
    scale = 1.0 if boosted else 2.0  # the stage halves the sum of both
    return DocumentStage(
        mean,
        deviation,
        base,
        scale * np.broadcast_to(weights, (heads, width + 1)),
        scale * bias,
        trees,
        len(SEEDS),
    )


def _regress(
    rows: NDArray[np.float64], target: NDArray[np.bool_], head: NDArray[np.int64], share: float
) -> tuple[NDArray[np.float64], float]:
    """(heads or 1, columns) weights and a bias: those of all types, and each type's own difference from them.

    Source: Daume 2007, frustratingly easy domain adaptation; the base rate has no weights by type.
    """
    linear = LogisticRegression(C=LINEAR_C, max_iter=2000)
    columns = rows.shape[1]
    if not share:
        linear.fit(rows, target)
        return linear.coef_.astype(np.float64), float(linear.intercept_[0])
    heads = int(head.max()) + 1
    own = np.zeros((len(rows), heads, columns - 1))
    own[np.arange(len(rows)), head] = share * rows[:, :-1]
    linear.fit(np.hstack([rows, own.reshape(len(rows), -1)]), target)
    weights = np.repeat(linear.coef_[:, :columns], heads, axis=0)
    weights[:, :-1] += share * linear.coef_[0, columns:].reshape(heads, columns - 1)
    return weights, float(linear.intercept_[0])


def _boost(rows: NDArray[np.float64], target: NDArray[np.bool_]) -> Trees:
    import lightgbm

    found: list[dict[str, Any]] = []
    monotone = [*(int(name not in FALLS_OR_RISES) for name in FEATURES), 0]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for seed in SEEDS:
            data = lightgbm.Dataset(rows, target.astype(int))
            options = {**BOOSTING, "monotone_constraints": monotone, "seed": seed}
            model = lightgbm.train(options, data, ROUNDS)
            found += [tree["tree_structure"] for tree in model.dump_model()["tree_info"]]
    return as_trees(found)


def as_trees(structures: Sequence[dict[str, Any]]) -> Trees:
    """LightGBM's nested nodes as arrays."""
    flat = [_flatten(structure) for structure in structures]
    nodes = max(len(each) for each in flat)
    shape = (len(flat), nodes)
    feature = np.full(shape, -1, np.int16)
    threshold, value = np.zeros(shape, np.float32), np.zeros(shape, np.float32)
    left, right = np.zeros(shape, np.int16), np.zeros(shape, np.int16)
    for tree, each in enumerate(flat):
        for index, node in enumerate(each):
            feature[tree, index], threshold[tree, index] = node[0], node[1]
            left[tree, index], right[tree, index], value[tree, index] = node[2], node[3], node[4]
    return Trees(feature, threshold, left, right, value, max(_depth(each) for each in structures))


def _depth(node: dict[str, Any]) -> int:
    if "leaf_value" in node:
        return 0
    return 1 + max(_depth(node["left_child"]), _depth(node["right_child"]))


def _flatten(structure: dict[str, Any]) -> list[tuple[int, float, int, int, float]]:
    nodes: list[tuple[int, float, int, int, float]] = []

    def visit(node: dict[str, Any]) -> int:
        index = len(nodes)
        nodes.append((-1, 0.0, 0, 0, float(node.get("leaf_value", 0.0))))
        if "leaf_value" not in node:
            left, right = visit(node["left_child"]), visit(node["right_child"])
            nodes[index] = (int(node["split_feature"]), float(node["threshold"]), left, right, 0.0)
        return index

    visit(structure)
    return nodes
