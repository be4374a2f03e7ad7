"""Which thresholds ship: two for all types, and which types are decided present later, or never.

Thresholds that are chosen on out-of-fold predictions come out too careful (measured: .025 to .033 and .85 to
.87 by fold, where .045 / .83 keep both promises on the nested ones), since heads of other folds have seen the
documents that they are compared with. So they are constants, and `bench.fields_cuad` reports what they are
worth on cells that no model, calibration or choice of types saw, beside the whole frontier.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.extract.base import Thresholds
from core.extract.clauses.calibrate import NEVER

ABSENT_BELOW = 0.045
PRESENT_FROM = 0.83
MISTAKEN_FROM = 0.95
"""Present from here, of types that are taken for similar ones."""

FEWEST_SHARE = 0.07
"""Share of contracts with the type, below which it is never decided present: 14 of 200."""
LEAST_RIGHT = 0.85
"""Below this share right, of at least five decided present on held-out predictions, a type is mistaken."""


@dataclass(frozen=True, slots=True)
class Policy:
    """below, high: (heads,). high is NEVER for types that only show candidates; `why` says what is so."""

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
    documents, heads = labels.shape
    why: dict[int, str] = {}
    high = np.full(heads, PRESENT_FROM)
    for head in range(heads):
        count = int(labels[:, head].sum())
        sure = probabilities[:, head] >= PRESENT_FROM
        if count < FEWEST_SHARE * documents:
            high[head] = NEVER
            why[head] = f"Only {count} contracts with this clause were there to learn from: a person decides."
        elif sure.sum() >= 5 and labels[sure, head].mean() < LEAST_RIGHT:
            high[head] = MISTAKEN_FROM
            why[head] = "This clause is easily taken for similar ones: only the surest are decided."
    return Policy(np.full(heads, ABSENT_BELOW), high, why)
