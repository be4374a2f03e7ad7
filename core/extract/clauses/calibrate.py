"""Probabilities that mean what they say, and the three-way decision they allow.

Source: Platt 1999, probabilities by a logistic curve over scores; here one slope and bias for all types and
an offset for each, drawn to 0 by a Gaussian prior of precision 2.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from core.domain.fields import Candidate, CellStatus, FieldType, Finding, Quote, TypedValue
from core.extract.base import Thresholds

OFFSET_PRECISION = 2.0
NEVER = 1.01
"""As `present_from`: no probability reaches it."""
SHOWN = 3
"""How many spans an uncertain cell shows."""

_METHOD = "head"
_TRUE = TypedValue(FieldType.BOOLEAN, "true", 1, original="")


@dataclass(frozen=True, slots=True)
class HeadFinding:
    """Finding of a head on one document.

    probability: calibrated, that the document holds such a clause. spans: best first with their scores, at
    most five; () for a document without text.
    """

    head: str
    probability: float
    spans: tuple[tuple[Quote, float], ...] = ()


def decide(finding: HeadFinding, thresholds: Thresholds) -> Finding:
    """The cell that a probability and its spans amount to; the value of a present clause is "true"."""
    p = round(finding.probability, 4)  # as it is kept: a question may decide the cell anew by it
    candidates = tuple(Candidate(None, (quote,), round(p, 4), _METHOD) for quote, _ in finding.spans[:SHOWN])
    if p < thresholds.absent_below:
        return Finding(CellStatus.ABSENT, confidence=round(1 - p, 4), method=_METHOD, candidates=candidates)
    if p >= thresholds.present_from and finding.spans:
        best = finding.spans[0][0]
        return Finding(CellStatus.PRESENT, (_TRUE,), (best,), round(p, 4), _METHOD, candidates[1:])
    return Finding(
        CellStatus.UNCERTAIN,
        confidence=round(max(p, 1 - p), 4),
        method=_METHOD,
        candidates=candidates,
        note=thresholds.why,
    )


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
