"""Clause heads of three types that weigh nothing: for tests of what probabilities become, not of texts."""

from __future__ import annotations

import numpy as np

from core.domain.fields import PromiseLevel
from core.extract.base import Thresholds
from core.extract.clauses.artefact_file import Artefact, HeadGroup
from core.extract.clauses.features import Frequencies
from core.extract.clauses.heads import FEATURES, Calibration, DocumentStage, LinearHeads, Trees, Weights

NAMES = ("insurance", "audit_rights", "exclusivity")
LIMITS = Thresholds(0.06, 0.85)


def small_heads() -> Artefact:
    """Two parts, as in the artefact that ships: of two types, and of one."""
    nothing = Weights(np.zeros(0, np.int64), np.zeros((0, 3), np.float32), np.zeros(3, np.float32))
    one = np.zeros(1, np.uint8)
    return Artefact(
        LinearHeads(NAMES, nothing, nothing, nothing, Frequencies(one, one, one)),
        (),
        {},
        (_part(2), _part(1)),
        dict.fromkeys(PromiseLevel, dict.fromkeys(reversed(NAMES), LIMITS)),
        {},
    )


def _part(heads: int) -> HeadGroup:
    shape = (1, 1)
    trees = Trees(
        np.full(shape, -1, np.int16),
        np.zeros(shape, np.float32),
        np.zeros(shape, np.int16),
        np.zeros(shape, np.int16),
        np.zeros(shape, np.float32),
        0,
    )
    measured = np.zeros((heads, len(FEATURES)))
    stage = DocumentStage(measured, measured + 1, np.zeros(heads), np.zeros(len(FEATURES) + 1), 0.0, trees, 1)
    return HeadGroup(heads, stage, Calibration(1.0, 0.0, np.zeros(heads)))
