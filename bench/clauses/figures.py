"""What three-way decisions are worth: shares, promises kept, clauses lost, spans hit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.extract.clauses.classifier import NEVER

ABSENT_GRID = (0.005, 0.01, 0.015, 0.02, 0.03, 0.04, 0.045, 0.05, 0.06, 0.07, 0.08, 0.1, 0.12, 0.15, 0.2)
PRESENT_GRID = (0.5, 0.6, 0.65, 0.7, 0.75, 0.8, 0.83, 0.85, 0.87, 0.89, 0.9, 0.92, 0.94, 0.96, 0.98)


@dataclass(frozen=True, slots=True)
class Figures:
    """Of a set of cells. present_right and absent_right are NaN where nothing was decided so."""

    cells: int
    uncertain: float
    present: int
    present_right: float
    absent: int
    absent_right: float
    lost: float  # real clauses called absent
    f1: float  # micro, of the decided cells

    def __str__(self) -> str:
        return (
            f"uncertain {self.uncertain:.3f}  present right {self.present_right:.4f} ({self.present})"
            f"  absent right {self.absent_right:.4f} ({self.absent})  real called absent {self.lost:.4f}"
            f"  F1 decided {self.f1:.3f}"
        )


def figures(
    probabilities: NDArray[np.float64],
    labels: NDArray[np.bool_],
    below: NDArray[np.float64] | float,
    high: NDArray[np.float64] | float,
) -> Figures:
    """Thresholds: one for all, or anything that broadcasts to (documents, heads)."""
    absent, present = probabilities < below, probabilities >= high
    return counted(absent, present & ~absent, labels)


def counted(absent: NDArray[np.bool_], present: NDArray[np.bool_], labels: NDArray[np.bool_]) -> Figures:
    """From decisions."""
    right, wrong = int((present & labels).sum()), int((present & ~labels).sum())
    lost = int((absent & labels).sum())
    decided = absent | present
    return Figures(
        labels.size,
        1 - float(decided.mean()),
        int(present.sum()),
        right / (right + wrong) if right + wrong else float("nan"),
        int(absent.sum()),
        float((~labels)[absent].mean()) if absent.any() else float("nan"),
        lost / max(1, int(labels.sum())),
        2 * right / max(1, 2 * right + wrong + lost),
    )


def choose(
    probabilities: NDArray[np.float64],
    labels: NDArray[np.bool_],
    present_right: float,
    absent_right: float,
) -> tuple[float, float]:
    """The global thresholds that leave fewest cells uncertain and keep both promises on these cells."""
    below = [t for t in np.arange(0.002, 0.2, 0.001) if _right(probabilities < t, ~labels) >= absent_right]
    high = [t for t in np.arange(0.5, 1.0, 0.005) if _right(probabilities >= t, labels) >= present_right]
    return (float(max(below)) if below else 0.0), (float(min(high)) if high else NEVER)


def _right(decided: NDArray[np.bool_], truth: NDArray[np.bool_]) -> float:
    return float(truth[decided].mean()) if decided.any() else 1.0


@dataclass(frozen=True, slots=True)
class SpanHits:
    """Of truly present cells: whether the best segment, one of three, of five lies in the lawyers' text."""

    top: float
    of_three: float
    of_five: float
    cells: int


def span_hits(hits: Sequence[Sequence[bool]]) -> SpanHits:
    """hits: for each truly present cell whether each of its best segments is right, best first."""
    count = max(1, len(hits))
    return SpanHits(
        sum(any(each[:1]) for each in hits) / count,
        sum(any(each[:3]) for each in hits) / count,
        sum(any(each[:5]) for each in hits) / count,
        len(hits),
    )


def table(rows: Sequence[Mapping[str, object]]) -> str:
    """Rows as Markdown."""
    columns = list(rows[0])
    lines = ["| " + " | ".join(columns) + " |", "|" + "---|" * len(columns)]
    lines += ["| " + " | ".join(_shown(row[column]) for column in columns) + " |" for row in rows]
    return "\n".join(lines)


def _shown(value: object) -> str:
    if isinstance(value, float):
        return "-" if np.isnan(value) else f"{value:.3f}"
    return str(value)
