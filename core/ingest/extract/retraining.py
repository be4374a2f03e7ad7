"""Learns from a home's own verdicts: the probabilities of each clause head are moved to what people found.

The weights stay as shipped: retraining them on 20 to 130 verdicts moved other cells by nothing measurable,
while a home whose contracts differ from the training data shows first in probabilities that are off.
Source: Platt 1999 with an offset for each head, drawn to 0 by a Gaussian prior, as in `calibrate`.
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

from core.domain.ids import DocumentId
from core.errors import JobError
from core.ingest.extract.artefact_file import Artefact, to_files
from core.ingest.extract.calibrate import OFFSET_PRECISION, Thresholds, sigmoid

LEAST_VERDICTS = 30
_HELD_BACK = 3  # one document in so many takes no part in the training
_EDGE = 1e-4
_STEP = 0.5  # where probabilities are near 0 or 1 a whole step of Newton's method flies past, and back
_DIGITS = 4


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a person found of a clause whose probability a head had given."""

    document: DocumentId
    head: str
    probability: float
    is_there: bool


@dataclass(frozen=True, slots=True)
class Retraining:
    """A retrained artefact as one file, what it achieves on verdicts it never saw, and whether to use it."""

    artefact: bytes
    figures: dict[str, Any]
    is_better: bool


@dataclass(frozen=True, slots=True)
class _Cells:
    """Verdicts as arrays: head, logit of the probability, truth."""

    heads: NDArray[np.int64]
    logits: NDArray[np.float64]
    truth: NDArray[np.bool_]


def retrain(artefact: Artefact, verdicts: Sequence[Verdict]) -> Retraining:
    """Fit on two thirds of the documents, compare before and after on the rest.

    It is better where no held-back cell that was decided rightly is decided wrongly now, and the
    probabilities fit no worse. Raises JobError where there are too few verdicts to tell.
    """
    names = tuple(artefact.thresholds)
    place = {name: at for at, name in enumerate(names)}
    known = [each for each in verdicts if each.head in place]
    held = [each for each in known if is_held_back(each.document)]
    learnt = [each for each in known if not is_held_back(each.document)]
    if len(known) < LEAST_VERDICTS or not held or not learnt:
        raise JobError(
            f"There are {len(known):,} verdicts on clauses, of which {len(held):,} would be held back.",
            next_step=f"Review at least {LEAST_VERDICTS} clauses of several documents, then try again.",
        )
    shifts = fit_shifts(_arrays(learnt, place), len(names))
    cells = _arrays(held, place)
    limits = [artefact.thresholds[name] for name in names]
    before, after = cells.logits, cells.logits + shifts[cells.heads]
    worse = int((_right(before, cells, limits) & _wrong(after, cells, limits)).sum())
    loss_before, loss_after = _loss(before, cells.truth), _loss(after, cells.truth)
    is_better = worse == 0 and loss_after <= loss_before
    figures = {
        "verdicts": len(known),
        "held_back": len(held),
        "before": _figures(before, cells, limits),
        "after": _figures(after, cells, limits),
        "made_worse": worse,
        "is_better": is_better,
        "moved": {
            name: round(float(shifts[at]), 3) for at, name in enumerate(names) if abs(shifts[at]) > 0.01
        },
    }
    moved = replace(artefact, parts=_shifted(artefact, shifts))
    return Retraining(packed(moved), figures, is_better)


def is_held_back(document: DocumentId) -> bool:
    """Whether a document's verdicts take no part in the training: the same ones every time."""
    return hashlib.sha256(document.encode()).digest()[0] % _HELD_BACK == 0


def packed(artefact: Artefact) -> bytes:
    """An artefact as one ZIP, which `load_heads` reads."""
    buffer = BytesIO()
    with ZipFile(buffer, "w", ZIP_DEFLATED) as file:
        for name, data in to_files(artefact).items():
            file.writestr(name, data)
    return buffer.getvalue()


def fit_shifts(cells: _Cells, heads: int) -> NDArray[np.float64]:
    """(heads,) what to add to each head's logits; 0 where no verdict says anything. By Newton's method."""
    shifts = np.zeros(heads)
    for _ in range(200):
        p = sigmoid(cells.logits + shifts[cells.heads])
        gradient = np.bincount(cells.heads, p - cells.truth, heads) + OFFSET_PRECISION * shifts
        curvature = np.bincount(cells.heads, p * (1 - p), heads) + OFFSET_PRECISION
        step = np.clip(gradient / curvature, -_STEP, _STEP)
        shifts -= step
        if np.abs(step).max() < 1e-8:
            break
    return shifts


def _arrays(verdicts: Sequence[Verdict], place: dict[str, int]) -> _Cells:
    p = np.clip([each.probability for each in verdicts], _EDGE, 1 - _EDGE)
    return _Cells(
        np.array([place[each.head] for each in verdicts], np.int64),
        np.log(p / (1 - p)),
        np.array([each.is_there for each in verdicts], np.bool_),
    )


def _shifted(artefact: Artefact, shifts: NDArray[np.float64]) -> tuple[Any, ...]:
    parts, begin = [], 0
    for part in artefact.parts:
        own = shifts[begin : begin + part.heads]
        begin += part.heads
        calibration = replace(part.calibration, offsets=part.calibration.offsets + own)
        parts.append(replace(part, calibration=calibration))
    return tuple(parts)


def _decided(
    logits: NDArray[np.float64], cells: _Cells, limits: Sequence[Thresholds]
) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Which cells count as absent, and which as present."""
    p = sigmoid(logits)
    low = np.array([limits[head].absent_below for head in cells.heads])
    high = np.array([limits[head].present_from for head in cells.heads])
    return p < low, (p >= high) & (p >= low)


def _right(logits: NDArray[np.float64], cells: _Cells, limits: Sequence[Thresholds]) -> NDArray[np.bool_]:
    absent, present = _decided(logits, cells, limits)
    return (absent & ~cells.truth) | (present & cells.truth)


def _wrong(logits: NDArray[np.float64], cells: _Cells, limits: Sequence[Thresholds]) -> NDArray[np.bool_]:
    absent, present = _decided(logits, cells, limits)
    return (absent & cells.truth) | (present & ~cells.truth)


def _loss(logits: NDArray[np.float64], truth: NDArray[np.bool_]) -> float:
    """Mean of minus the log of the probability that was given to what is true."""
    p = np.clip(sigmoid(logits), _EDGE, 1 - _EDGE)
    return float(-np.log(np.where(truth, p, 1 - p)).mean())


def _figures(
    logits: NDArray[np.float64], cells: _Cells, limits: Sequence[Thresholds]
) -> dict[str, float | int]:
    right, wrong = _right(logits, cells, limits), _wrong(logits, cells, limits)
    return {
        "cells": len(logits),
        "decided": int((right | wrong).sum()),
        "right": int(right.sum()),
        "log_loss": round(_loss(logits, cells.truth), _DIGITS),
    }
