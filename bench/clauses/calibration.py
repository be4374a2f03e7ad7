"""Fitting the calibration of the clause heads, and how often its probabilities come true.

Source: Platt 1999, probabilities by a logistic curve over scores; here one slope and bias for all types and
an offset for each, drawn to 0 by a Gaussian prior of precision 2.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from core.extract.clauses.heads import Calibration, sigmoid

OFFSET_PRECISION = 2.0


def fit_calibration(
    logits: NDArray[np.float64], labels: NDArray[np.bool_], precision: float = OFFSET_PRECISION
) -> Calibration:
    """By Newton's method; logits and labels are (documents, heads). NaN logits take no part."""
    rows, heads = np.nonzero(~np.isnan(logits))
    cells = _Cells(logits[rows, heads], labels[rows, heads].astype(float), heads, logits.shape[1])
    prior = np.concatenate([[1e-6, 1e-6], np.full(cells.heads, precision)])
    theta = np.zeros(2 + cells.heads)
    loss = cells.loss(theta, prior)
    for _ in range(50):
        step = cells.step(theta, prior)
        while True:  # a whole step may overshoot where the scores are far from logits
            following = theta - step
            reached = cells.loss(following, prior)
            if reached <= loss or np.abs(step).max() < 1e-8:
                break
            step = step / 2
        theta, loss = following, min(loss, reached)
        if np.abs(step).max() < 1e-8:
            break
    return Calibration(float(theta[0]), float(theta[1]), theta[2:])


@dataclass(frozen=True, slots=True)
class _Cells:
    """Cells to calibrate: logits, labels of 0 and 1, and which head each belongs to."""

    x: NDArray[np.float64]
    y: NDArray[np.float64]
    head: NDArray[np.int64]
    heads: int

    def loss(self, theta: NDArray[np.float64], prior: NDArray[np.float64]) -> float:
        """Minus the log of likelihood and prior."""
        z = theta[0] * self.x + theta[1] + theta[2 + self.head]
        return float((np.logaddexp(0, z) - self.y * z).sum() + 0.5 * (prior * theta**2).sum())

    def step(self, theta: NDArray[np.float64], prior: NDArray[np.float64]) -> NDArray[np.float64]:
        """Newton's step at `theta`."""
        p = sigmoid(theta[0] * self.x + theta[1] + theta[2 + self.head])
        error, weight = p - self.y, p * (1 - p) + 1e-9
        gradient = np.concatenate([[error @ self.x, error.sum()], self._by_head(error)]) + prior * theta
        hessian = np.diag(prior)
        hessian[0, 0] += (weight * self.x) @ self.x
        hessian[1, 1] += weight.sum()
        hessian[0, 1] = hessian[1, 0] = weight @ self.x
        own = self._by_head(weight)
        index = 2 + np.arange(self.heads)
        hessian[index, index] += own
        hessian[0, 2:] = hessian[2:, 0] = self._by_head(weight * self.x)
        hessian[1, 2:] = hessian[2:, 1] = own
        return np.asarray(np.linalg.solve(hessian, gradient))

    def _by_head(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        return np.asarray(np.bincount(self.head, values, self.heads), np.float64)


def reliability(
    probabilities: NDArray[np.float64], labels: NDArray[np.bool_], borders: Sequence[float]
) -> list[tuple[float, float, int]]:
    """(mean predicted, share observed, cells) of every bin between borders that holds cells."""
    p, y = probabilities.ravel(), labels.ravel()
    found = []
    for low, high in pairwise(borders):
        inside = (p >= low) & (p < high)
        if inside.any():
            found.append((float(p[inside].mean()), float(y[inside].mean()), int(inside.sum())))
    return found
