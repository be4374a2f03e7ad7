"""Thresholds from held-out predictions: as few uncertain cells as the promises allow."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bench.clauses.figures import NEVER, choose
from core.ingest.extract.calibrate import Thresholds

PRESENT_RIGHT = 0.965
ABSENT_RIGHT = 0.991
"""What is asked of held-out predictions: a little above the promise, since thresholds lose some elsewhere."""

FEWEST = 10
"""Contracts with the type, below which it is never decided present."""
LEAST_RIGHT = 0.85
"""Of a type that is decided present at least five times on held-out predictions, the share that is right."""


@dataclass(frozen=True, slots=True)
class Policy:
    """below, high: (heads,). high is NEVER for types that only ever show candidates, and `why` says why."""

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


def fit_policy(probabilities: NDArray[np.float64], labels: NDArray[np.bool_]) -> Policy:
    """From held-out probabilities, (documents, heads)."""
    heads = labels.shape[1]
    why: dict[int, str] = {}
    for head in range(heads):
        count = int(labels[:, head].sum())
        sure = probabilities[:, head] >= 0.85
        if count < FEWEST:
            why[head] = f"Only {count} contracts with this clause were there to learn from: a person decides."
        elif sure.sum() >= 5 and labels[sure, head].mean() < LEAST_RIGHT:
            why[head] = "This clause is told from similar ones too rarely: a person decides."
    deciding = np.array([head not in why for head in range(heads)])
    _, high = choose(probabilities[:, deciding], labels[:, deciding], PRESENT_RIGHT, ABSENT_RIGHT)
    below, _ = choose(probabilities, labels, PRESENT_RIGHT, ABSENT_RIGHT)
    return Policy(np.full(heads, below), np.where(deciding, high, NEVER), why)
