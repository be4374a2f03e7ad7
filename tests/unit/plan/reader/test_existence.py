"""Whether words mean any field at all."""

from __future__ import annotations

import numpy as np
import pytest

from core.plan.reader.existence import SIGNS, Existence, existence_signs
from core.plan.reader.linker import FEATURES


def test_the_signs_are_those_of_the_best_candidate_and_its_lead() -> None:
    features = np.array([[0.1] * len(FEATURES), [0.9] * len(FEATURES)], dtype=np.float32)

    signs = existence_signs(features, np.array([2.0, 7.0], dtype=np.float32))

    assert signs.tolist() == pytest.approx([*[0.9] * len(FEATURES), 0.7, 0.5])


def test_one_candidate_alone_leads_by_far() -> None:
    signs = existence_signs(np.zeros((1, len(FEATURES)), dtype=np.float32), np.zeros(1, dtype=np.float32))

    assert signs[-1] == pytest.approx(2.0)


def test_its_numbers_come_back_from_their_facts() -> None:
    existence = Existence(tuple(float(number) for number in range(len(SIGNS))), -1.0)

    assert Existence.from_facts(existence.as_facts()) == existence
    assert 0 < existence.of_signs(np.zeros(len(SIGNS), dtype=np.float32)) < 0.5
