"""The logistic function: from log odds to the probability that trained weights give."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from core.domain.passage import Vector

_MOST = 30.0  # of log odds: beyond it the probability is 0 or 1, and the power may overflow


def logistic(log_odds: float) -> float:
    """1 / (1 + exp(-log_odds)), 0 to 1, without overflow."""
    return float(1 / (1 + np.exp(-np.clip(log_odds, -_MOST, _MOST))))


def logistic_regression(signs: Vector, weights: Sequence[float], bias: float) -> float:
    """The probability of what a logistic regression was fitted on, given its signs; one weight a sign."""
    return logistic(float(np.dot(signs, np.array(weights, dtype=np.float32))) + bias)
