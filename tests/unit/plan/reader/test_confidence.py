from __future__ import annotations

import numpy as np
import pytest

from core.plan.reader.confidence import (
    SIGNS,
    Confidence,
    Existence,
    LogisticRegression,
    existence_signs,
    signs,
)
from core.plan.reader.decode import WordSpan, logistic
from core.plan.reader.linker import FEATURES
from core.plan.reader.reading import FieldLink, ReadSpan, SpanRole


def _probability(confidence: Confidence, link: float) -> float:
    span = ReadSpan(0, 3, SpanRole.CONDITION, False, (FieldLink("a", "x", link),), 0.9)
    tagged = WordSpan(0, 1, SpanRole.CONDITION, (0,), 0.9, 0.1)
    return confidence.of_signs(signs((0.8, 0.1), (span,), (tagged,), 6))


def test_a_surer_link_gives_a_surer_reading() -> None:
    weights = tuple(1.0 if name in ("weakest link", "all links") else 0.0 for name in SIGNS)
    confidence = Confidence(weights, 1.0)

    assert _probability(confidence, 0.9) > _probability(confidence, 0.3)


def test_a_question_without_parts_has_signs() -> None:
    assert np.isfinite(signs((1.0,), (), (), 0)).all()


def test_confidence_is_kept_as_facts() -> None:
    confidence = Confidence(tuple(float(number) for number in range(len(SIGNS))), -1.0)

    assert Confidence.from_facts(confidence.as_facts()) == confidence


def test_the_signs_are_those_of_the_best_candidate_and_its_lead() -> None:
    features = np.array([[0.1] * len(FEATURES), [0.9] * len(FEATURES)], dtype=np.float32)

    found = existence_signs(features, np.array([2.0, 7.0], dtype=np.float32))

    assert found.tolist() == pytest.approx([*[0.9] * len(FEATURES), 0.7, 0.5])


def test_one_candidate_alone_leads_by_far() -> None:
    found = existence_signs(np.zeros((1, len(FEATURES)), dtype=np.float32), np.zeros(1, dtype=np.float32))

    assert found[-1] == pytest.approx(2.0)


def test_its_numbers_come_back_from_their_facts() -> None:
    existence = Existence(tuple(float(number) for number in range(len(Existence.SIGNS))), -1.0)

    assert Existence.from_facts(existence.as_facts()) == existence
    assert 0 < existence.of_signs(np.zeros(len(Existence.SIGNS), dtype=np.float32)) < 0.5


def test_even_odds_are_one_half_and_large_ones_do_not_overflow() -> None:
    assert logistic(0.0) == 0.5
    assert logistic(1e6) == pytest.approx(1.0)
    assert logistic(-1e6) == pytest.approx(0.0)


def test_a_regression_weighs_its_signs_and_adds_the_bias() -> None:
    row = np.array([1.0, 2.0], dtype=np.float32)

    assert LogisticRegression((0.5, -1.0), 1.0).of_signs(row) == pytest.approx(logistic(-0.5))
