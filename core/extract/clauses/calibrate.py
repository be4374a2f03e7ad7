"""Probabilities that mean what they say (Platt 1999), and the three-way decision they allow."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from core.domain.fields import Candidate, CellStatus, FieldType, Finding, Quote, TypedValue
from core.extract.base import Thresholds

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
