from __future__ import annotations

import numpy as np

from bench.clauses.calibration import fit_calibration, reliability
from core.extract.clauses.heads import sigmoid


def test_calibrated_probabilities_come_true_as_often_as_they_say() -> None:
    rng = np.random.default_rng(1)
    truth = rng.normal(size=(2_000, 3)) * 2
    labels = rng.random(truth.shape) < sigmoid(truth)
    calibration = fit_calibration(3 * truth + 1, labels)
    p = calibration.probabilities(3 * truth + 1)
    assert all(
        abs(said - seen) < 0.05 for said, seen, _ in reliability(p, labels, (0, 0.2, 0.4, 0.6, 0.8, 1.01))
    )


def test_a_type_that_is_rarer_than_its_scores_say_is_drawn_down() -> None:
    rng = np.random.default_rng(2)
    logits = rng.normal(size=(1_000, 2))
    labels = rng.random(logits.shape) < sigmoid(logits + np.array([0.0, -2.0]))
    offsets = fit_calibration(logits, labels).offsets
    assert offsets[1] < offsets[0] - 1


def test_unknown_cells_take_no_part() -> None:
    logits = np.array([[2.0, np.nan], [-2.0, np.nan], [1.5, 0.1], [-1.0, -0.3]])
    labels = np.array([[True, True], [False, True], [True, False], [False, True]])
    other = labels.copy()
    other[:2, 1] = False
    assert np.allclose(fit_calibration(logits, labels).offsets, fit_calibration(logits, other).offsets)
