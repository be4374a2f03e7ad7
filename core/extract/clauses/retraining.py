"""Learns from a home's own verdicts: the probabilities of each clause head are moved to what people found.

The weights stay as shipped: retraining them on 20 to 130 verdicts moved other cells by nothing measurable,
while a home whose contracts differ from the training data shows first in probabilities that are off.
Source: Platt 1999 with an offset for all heads and one for each, drawn to 0 by Gaussian priors, as in
`calibrate`. A difference on held-back verdicts that chance would make too is none: on contracts like those
of the training two of five retrainings seemed better, and cells that nobody had reviewed fitted no better.
Where the verdicts on a clause all say the same, nothing is learnt of it: who only ever confirms (or only ever
rejects) tells nothing of the other cells.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from io import BytesIO
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile

import numpy as np
from numpy.typing import NDArray

from core.domain.fields import DEFAULT_LEVEL, PROMISED
from core.domain.ids import DocumentId
from core.errors import JobError
from core.extract.base import Thresholds
from core.extract.clauses.artefact_file import Artefact, to_files
from core.extract.clauses.heads import sigmoid

LEAST_VERDICTS = 30
PRESENT_RIGHT, ABSENT_RIGHT = PROMISED[DEFAULT_LEVEL]
"""What a home is promised of decided cells: held-back ones that retraining decides anew must keep it."""

SURE = 2.0
"""Standard errors of the gain on held-back verdicts by which a model must be better: 1 chance in 40."""

COMMON_PRECISION, OWN_PRECISION = 2.0, 8.0
"""Of the priors: how contracts differ is mostly common to all clauses, and verdicts on each are few."""

_HELD_BACK = 3  # one document in so many takes no part in the training
_EDGE = 1e-4
_STEP = 0.5  # where probabilities are near 0 or 1 a whole step of Newton's method flies past, and back
_DIGITS = 4


@dataclass(frozen=True, slots=True)
class ClauseVerdict:
    """Judgement of a person on a clause whose probability a head had given.

    limits: by which the cell is decided, where these are not the model's own.
    """

    document: DocumentId
    head: str
    probability: float
    is_there: bool
    limits: Thresholds | None = None


@dataclass(frozen=True, slots=True)
class Retraining:
    """A retrained artefact as one file, what it achieves on verdicts it never saw, and whether to use it."""

    artefact: bytes
    figures: dict[str, Any]
    is_better: bool


@dataclass(frozen=True, slots=True)
class _Cells:
    """Verdicts as arrays: head, logit of the probability, truth; absent below `low`, present from `high`."""

    heads: NDArray[np.int64]
    logits: NDArray[np.float64]
    truth: NDArray[np.bool_]
    low: NDArray[np.float64]
    high: NDArray[np.float64]


def retrain(artefact: Artefact, verdicts: Sequence[ClauseVerdict]) -> Retraining:
    """Fit on two thirds of the documents, compare before and after on the rest.

    It is better where of the held-back cells none that was decided rightly is decided otherwise now, those
    that are decided anew keep what is promised, and the probabilities fit better by more than chance would
    make them. Raises JobError where there are too few verdicts to tell.
    """
    known = [each for each in verdicts if each.head in artefact.thresholds]
    fit = _fitted(artefact, known)
    if fit is None:
        held = sum(is_held_back(each.document) for each in known)
        raise JobError(
            f"There are {len(known):,} verdicts on clauses, of which {held:,} would be held back.",
            next_step=f"Review at least {LEAST_VERDICTS} clauses of several documents, then try again.",
        )
    names, shifts, cells = fit.names, fit.shifts, fit.cells
    before, after = fit.before, fit.after
    figures = {
        "verdicts": len(known),
        "held_back": len(cells.heads),
        "before": _figures(before, cells),
        "after": _figures(after, cells),
        "made_worse": fit.worse,
        "promises_broken": fit.broken,
        "gain": round(fit.gain, _DIGITS),
        "gain_by_chance": round(fit.chance, _DIGITS),
        "is_better": fit.is_better,
        "moved": {
            name: round(float(shifts[at]), 3) for at, name in enumerate(names) if abs(shifts[at]) > 0.01
        },
    }
    moved = replace(artefact, parts=_shifted(artefact, shifts))
    return Retraining(packed(moved), figures, fit.is_better)


@dataclass(frozen=True, slots=True)
class _Fit:
    """Shifts that were learnt, and what they do to verdicts that were held back."""

    names: tuple[str, ...]
    shifts: NDArray[np.float64]
    cells: _Cells
    before: NDArray[np.float64]
    after: NDArray[np.float64]
    worse: int
    broken: int
    gain: float
    chance: float

    @property
    def is_better(self) -> bool:
        return self.worse == 0 and self.broken == 0 and self.gain > SURE * self.chance


def _fitted(artefact: Artefact, known: Sequence[ClauseVerdict]) -> _Fit | None:
    """Fit on what is not held back, and judge by the rest; None where there are too few verdicts."""
    names = tuple(artefact.heads.names[: len(artefact.thresholds)])
    held = [each for each in known if is_held_back(each.document)]
    learnt = [each for each in known if not is_held_back(each.document)]
    if len(known) < LEAST_VERDICTS or not held or not learnt:
        return None
    shifts = fit_shifts(_arrays(learnt, names, artefact), len(names))
    cells = _arrays(held, names, artefact)
    before, after = cells.logits, cells.logits + shifts[cells.heads]
    worse, broken = _made_worse(before, after, cells), _broken_promises(before, after, cells)
    return _Fit(names, shifts, cells, before, after, worse, broken, *_gain(before, after, cells))


def shifts_if_better(artefact: Artefact, verdicts: Sequence[ClauseVerdict]) -> NDArray[np.float64] | None:
    """(heads,) what a retraining would add to each head's logits; None where it would not be taken."""
    fit = _fitted(artefact, [each for each in verdicts if each.head in artefact.thresholds])
    return fit.shifts if fit is not None and fit.is_better else None


def is_held_back(document: DocumentId) -> bool:
    """True where a document's verdicts take no part in the training: the same ones every time."""
    return hashlib.sha256(document.encode()).digest()[0] % _HELD_BACK == 0


def packed(artefact: Artefact) -> bytes:
    """An artefact as one ZIP, which `load_heads` reads."""
    buffer = BytesIO()
    with ZipFile(buffer, "w", ZIP_DEFLATED) as file:
        for name, data in to_files(artefact).items():
            file.writestr(name, data)
    return buffer.getvalue()


def fit_shifts(cells: _Cells, heads: int) -> NDArray[np.float64]:
    """(heads,) what to add to each head's logits; 0 where no two verdicts differ. By Newton's method."""
    yes = np.bincount(cells.heads, cells.truth, heads)
    both = (yes > 0) & (yes < np.bincount(cells.heads, minlength=heads))
    used = both[cells.heads]
    head, logits, truth = cells.heads[used], cells.logits[used], cells.truth[used]
    prior = np.concatenate([[COMMON_PRECISION], np.full(heads, OWN_PRECISION)])
    theta = np.zeros(1 + heads)  # the common shift, then what each head's own adds to it
    for _ in range(200):
        p = sigmoid(logits + theta[0] + theta[1 + head])
        error, weight = p - truth, p * (1 - p)
        gradient = np.concatenate([[error.sum()], np.bincount(head, error, heads)]) + prior * theta
        own = np.bincount(head, weight, heads)
        hessian = np.diag(prior + np.concatenate([[weight.sum()], own]))
        hessian[0, 1:] = hessian[1:, 0] = own
        step = np.clip(np.linalg.solve(hessian, gradient), -_STEP, _STEP)
        theta -= step
        if np.abs(step).max() < 1e-8:
            break
    return np.where(both, theta[0] + theta[1:], 0.0)


def _arrays(verdicts: Sequence[ClauseVerdict], names: Sequence[str], artefact: Artefact) -> _Cells:
    place = {name: at for at, name in enumerate(names)}
    limits = [each.limits or artefact.thresholds[each.head] for each in verdicts]
    p = np.clip([each.probability for each in verdicts], _EDGE, 1 - _EDGE)
    return _Cells(
        np.array([place[each.head] for each in verdicts], np.int64),
        np.log(p / (1 - p)),
        np.array([each.is_there for each in verdicts], np.bool_),
        np.array([each.absent_below for each in limits]),
        np.array([each.present_from for each in limits]),
    )


def _shifted(artefact: Artefact, shifts: NDArray[np.float64]) -> tuple[Any, ...]:
    parts, begin = [], 0
    for part in artefact.parts:
        own = shifts[begin : begin + part.heads]
        begin += part.heads
        calibration = replace(part.calibration, offsets=part.calibration.offsets + own)
        parts.append(replace(part, calibration=calibration))
    return tuple(parts)


def _decided(logits: NDArray[np.float64], cells: _Cells) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Masks of the cells that count as absent, and of those that count as present."""
    p = sigmoid(logits)
    return p < cells.low, (p >= cells.high) & (p >= cells.low)


def _right(logits: NDArray[np.float64], cells: _Cells) -> NDArray[np.bool_]:
    absent, present = _decided(logits, cells)
    return (absent & ~cells.truth) | (present & cells.truth)


def _made_worse(before: NDArray[np.float64], after: NDArray[np.float64], cells: _Cells) -> int:
    """Number of cells that were decided rightly, and are undecided or wrong now."""
    return int((_right(before, cells) & ~_right(after, cells)).sum())


def _broken_promises(before: NDArray[np.float64], after: NDArray[np.float64], cells: _Cells) -> int:
    """Number of wrong cells among those decided anew, beyond what is promised of decided ones."""
    was_absent, was_present = _decided(before, cells)
    absent, present = _decided(after, cells)
    broken = 0
    for new, is_right, promised in (
        (absent & ~was_absent, ~cells.truth, ABSENT_RIGHT),
        (present & ~was_present, cells.truth, PRESENT_RIGHT),
    ):
        allowed = int((1 - promised) * new.sum() + 1e-9)
        broken += max(0, int((new & ~is_right).sum()) - allowed)
    return broken


def _gain(before: NDArray[np.float64], after: NDArray[np.float64], cells: _Cells) -> tuple[float, float]:
    """By how much the mean loss falls, and the standard error of that."""
    gains = _losses(before, cells.truth) - _losses(after, cells.truth)
    if len(gains) < 2:
        return 0.0, 0.0
    return float(gains.mean()), float(gains.std(ddof=1) / np.sqrt(len(gains)))


def _losses(logits: NDArray[np.float64], truth: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Minus the log of the probability that was given to what is true."""
    p = np.clip(sigmoid(logits), _EDGE, 1 - _EDGE)
    return np.asarray(-np.log(np.where(truth, p, 1 - p)))


def _figures(logits: NDArray[np.float64], cells: _Cells) -> dict[str, float | int]:
    absent, present = _decided(logits, cells)
    return {
        "cells": len(logits),
        "decided": int((absent | present).sum()),
        "right": int(_right(logits, cells).sum()),
        "log_loss": round(float(_losses(logits, cells.truth).mean()), _DIGITS),
    }


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
