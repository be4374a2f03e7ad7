"""Which thresholds ship: a pair for each promise level, and which types are decided present later.

Thresholds that are chosen on out-of-fold predictions come out too careful (measured: .025 to .033 and .85 to
.87 by fold, where .045 / .83 keep both promises on the nested ones), since heads of other folds have seen the
documents that they are compared with. So they are constants, and `bench.fields_cuad` reports what they are
worth on cells that no model, calibration or choice of types saw, on contracts that were set aside before, and
the whole frontier.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.domain.fields import PromiseLevel
from core.extract.base import Thresholds

LEVELS: Mapping[PromiseLevel, tuple[float, float]] = {
    PromiseLevel.STRICT: (0.041, 0.84),
    PromiseLevel.BALANCED: (0.19, 0.80),
    PromiseLevel.BROAD: (0.28, 0.63),
}
"""Absent below, present from."""

MISTAKEN_FROM: Mapping[PromiseLevel, float] = {
    PromiseLevel.STRICT: 0.95,
    PromiseLevel.BALANCED: 0.84,
    PromiseLevel.BROAD: 0.80,
}
"""Present from here, of types that are taken for similar ones."""

RARE_FROM = 0.95
"""Present from here at every level, of types with few examples: what is surest of them carries it."""

FEWEST = 15
"""Contracts with a type, below which it is rare."""
LEAST_RIGHT = 0.85
"""Below this share right, of at least five decided present on held-out predictions, a type is mistaken."""


@dataclass(frozen=True, slots=True)
class Policy:
    """below, high: (heads,). `why` says what is so of types that are decided present later than others."""

    below: NDArray[np.float64]
    high: NDArray[np.float64]
    why: Mapping[int, str]

    def thresholds(self, names: Sequence[str]) -> dict[str, Thresholds]:
        """For the artefact."""
        return {
            name: Thresholds(
                round(float(self.below[head]), 4), round(float(self.high[head]), 4), self.why.get(head, "")
            )
            for head, name in enumerate(names)
        }


def fit_policy(probabilities: NDArray[np.float64], labels: NDArray[np.bool_], level: PromiseLevel) -> Policy:
    """From held-out probabilities, (documents, heads)."""
    _, heads = labels.shape
    below, from_here = LEVELS[level]
    why: dict[int, str] = {}
    high = np.full(heads, from_here)
    for head in range(heads):
        count = int(labels[:, head].sum())
        sure = probabilities[:, head] >= from_here
        if count < FEWEST:
            high[head] = RARE_FROM
            why[head] = f"Only {count} contracts with this clause were there to learn from."
        elif sure.sum() >= 5 and labels[sure, head].mean() < LEAST_RIGHT:
            high[head] = MISTAKEN_FROM[level]
            why[head] = "This clause is easily taken for similar ones: only the surest are decided."
    return Policy(np.full(heads, below), high, why)
