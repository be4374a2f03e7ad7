"""Logistic regression over named signs: the probabilities that the trained reader gives with its readings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np

from core.domain.passage import Vector

_MOST = 30.0  # of log odds: beyond it the probability is 0 or 1, and the power may overflow


def logistic(log_odds: float) -> float:
    """1 / (1 + exp(-log_odds)), 0 to 1, without overflow."""
    return float(1 / (1 + np.exp(-np.clip(log_odds, -_MOST, _MOST))))


@dataclass(frozen=True, slots=True)
class LogisticRegression:
    """Weights, one for each of the signs of its class, and a bias."""

    SIGNS: ClassVar[tuple[str, ...]] = ()

    weights: tuple[float, ...]
    bias: float

    def of_signs(self, row: Vector) -> float:
        """The calibrated probability of what it was fitted on, given its signs."""
        return logistic(float(np.dot(row, np.array(self.weights, dtype=np.float32))) + self.bias)

    def as_facts(self) -> dict[str, Any]:
        """Its numbers, as JSON."""
        return {"weights": dict(zip(self.SIGNS, self.weights, strict=True)), "bias": self.bias}

    @classmethod
    def from_facts(cls, facts: Mapping[str, Any]) -> Self:
        """The regression that `as_facts` wrote. Raises KeyError where a sign is missing."""
        return cls(tuple(float(facts["weights"][name]) for name in cls.SIGNS), float(facts["bias"]))
