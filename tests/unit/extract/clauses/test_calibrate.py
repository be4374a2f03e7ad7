from __future__ import annotations

import numpy as np
import pytest

from core.domain.fields import CellStatus, Quote
from core.domain.span import PageSpan
from core.extract.base import Thresholds
from core.extract.clauses.calibrate import HeadFinding, decide, fit_calibration, reliability, sigmoid

SPANS = tuple((Quote(PageSpan(1, n, n + 4), "text"), 1.0 - n) for n in range(5))


def finding(probability: float) -> HeadFinding:
    return HeadFinding("insurance", probability, SPANS)


def test_a_high_probability_is_present_with_its_best_span() -> None:
    cell = decide(finding(0.97), Thresholds(0.05, 0.9))
    assert cell.status is CellStatus.PRESENT
    assert [value.text for value in cell.values] == ["true"]
    assert cell.spans == (SPANS[0][0],)
    assert cell.confidence == pytest.approx(0.97)


def test_a_low_probability_is_absent_and_sure_of_it() -> None:
    cell = decide(finding(0.02), Thresholds(0.05, 0.9))
    assert cell.status is CellStatus.ABSENT
    assert cell.spans == ()
    assert cell.confidence == pytest.approx(0.98)


def test_what_lies_between_is_uncertain_with_three_spans() -> None:
    cell = decide(finding(0.5), Thresholds(0.05, 0.9))
    assert cell.status is CellStatus.UNCERTAIN
    assert cell.spans == ()
    assert [each.spans[0] for each in cell.candidates] == [quote for quote, _ in SPANS[:3]]


def test_a_type_with_candidates_only_is_never_present_and_says_why() -> None:
    cell = decide(finding(0.999), Thresholds(0.05, 1.01, "Too few examples."))
    assert cell.status is CellStatus.UNCERTAIN
    assert cell.note == "Too few examples."


def test_a_finding_without_spans_is_never_present() -> None:
    assert decide(HeadFinding("x", 0.99), Thresholds()).status is CellStatus.UNCERTAIN


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
