"""What the adapter computes without a server."""

from __future__ import annotations

import numpy as np
import pytest

from core.index.weaviate.search import cosine, repetitions


def test_equal_weights_are_said_once() -> None:
    assert repetitions([("a", 1.0), ("b", 1.0)]) == ({"a": 1, "b": 1}, 1)


def test_weights_become_repetitions_in_their_proportion() -> None:
    assert repetitions([("a", 1.0), ("b", 0.5), ("c", 0.4), ("d", 0.2)]) == (
        {"a": 10, "b": 5, "c": 4, "d": 2},
        10,
    )


def test_a_single_weight_keeps_its_scale() -> None:
    assert repetitions([("a", 0.5)]) == ({"a": 1}, 2)


def test_a_weight_above_one_is_said_more_often() -> None:
    assert repetitions([("a", 2.0), ("b", 1.0)]) == ({"a": 2, "b": 1}, 1)


def test_the_larger_weight_of_a_repeated_term_counts() -> None:
    assert repetitions([("a", 0.5), ("a", 1.0)]) == ({"a": 1}, 1)


def test_terms_without_weight_are_not_said() -> None:
    assert repetitions([("a", 0.0), ("b", -1.0)]) == ({}, 1)


def test_odd_weights_are_never_said_more_than_twenty_times_their_worth() -> None:
    counts, whole = repetitions([(f"t{n}", n / 97) for n in range(1, 98)])
    assert whole <= 20
    assert max(counts.values()) <= 20


def test_the_cosine_with_a_zero_vector_is_zero() -> None:
    zero, one = np.zeros(3, np.float32), np.array([0, 2, 0], np.float32)
    assert cosine(zero, one) == 0.0
    assert cosine(one * 3, one) == pytest.approx(1.0)
