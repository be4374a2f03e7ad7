from __future__ import annotations

import numpy as np
import pytest

from core.plan.reader.logistic import LogisticRegression, logistic


def test_even_odds_are_one_half_and_large_ones_do_not_overflow() -> None:
    assert logistic(0.0) == 0.5
    assert logistic(1e6) == pytest.approx(1.0)
    assert logistic(-1e6) == pytest.approx(0.0)


def test_a_regression_weighs_its_signs_and_adds_the_bias() -> None:
    signs = np.array([1.0, 2.0], dtype=np.float32)

    assert LogisticRegression((0.5, -1.0), 1.0).of_signs(signs) == pytest.approx(logistic(-0.5))
