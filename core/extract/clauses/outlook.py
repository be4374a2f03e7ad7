"""More verdicts on a clause: how many undecided cells they would likely decide beside their own.

Verdicts move the probabilities of a head (see `retraining`), and cells that then lie beyond a threshold are
decided. Which way they move nobody knows before: the verdicts are drawn by the probabilities that the cells
have now, over and over, each time the same training and the same judgement follow, and what they decide is
averaged. Source: Monte Carlo over the predictive distribution.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from core.domain.ids import DocumentId
from core.extract.base import Thresholds
from core.extract.clauses.artefact_file import Artefact
from core.extract.clauses.calibrate import sigmoid
from core.extract.clauses.retraining import LEAST_VERDICTS, ClauseVerdict, shifts_if_better

MORE = 10
"""Verdicts that somebody gives in some minutes."""

_DRAWS = 24
_EDGE = 1e-4
_SEED = 7


@dataclass(frozen=True, slots=True)
class OpenCell:
    """A cell that nothing decided, with its probability."""

    document: DocumentId
    probability: float


@dataclass(frozen=True, slots=True)
class VerdictOutlook:
    """Outlook for a field. decided: cells expected to be decided beside the `verdicts` themselves.

    used: share of the draws in which the trained model would be taken. why: reason where nothing is expected.
    """

    verdicts: int
    decided: float = 0.0
    used: float = 0.0
    why: str = ""


def outlook(
    artefact: Artefact,
    verdicts: Sequence[ClauseVerdict],
    open_cells: Sequence[OpenCell],
    head: str,
    limits: Thresholds,
    more: int = MORE,
) -> VerdictOutlook:
    """Outlook of `more` verdicts on the cells of one head, those first that are closest to even odds."""
    ordered = sorted(open_cells, key=lambda each: (abs(each.probability - 0.5), each.document))
    chosen, others = ordered[:more], ordered[more:]
    count = len(verdicts) + len(chosen)
    if not chosen:
        return VerdictOutlook(0, why="No cell of this field is undecided.")
    if count < LEAST_VERDICTS:
        return VerdictOutlook(
            len(chosen),
            why=f"Beyond their own cells nothing can be said yet: a model is trained from {LEAST_VERDICTS} "
            f"verdicts on clauses on, and there are {len(verdicts)}.",
        )
    if not others:
        return VerdictOutlook(len(chosen))
    rng = np.random.default_rng(_SEED)
    names = list(artefact.heads.names[: len(artefact.thresholds)])
    p = np.clip([each.probability for each in others], _EDGE, 1 - _EDGE)
    logits = np.log(p / (1 - p))
    decided, used = 0, 0
    for _ in range(_DRAWS):
        drawn = [
            ClauseVerdict(
                each.document, head, each.probability, bool(rng.random() < each.probability), limits
            )
            for each in chosen
        ]
        shifts = shifts_if_better(artefact, [*verdicts, *drawn])
        if shifts is None:
            continue
        used += 1
        moved = sigmoid(logits + shifts[names.index(head)])
        decided += int(((moved < limits.absent_below) | (moved >= limits.present_from)).sum())
    return VerdictOutlook(len(chosen), decided / _DRAWS, used / _DRAWS)
