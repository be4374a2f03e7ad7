"""What the adapter computes without a server."""

from __future__ import annotations

from dataclasses import replace
from uuid import UUID

import numpy as np
import pytest

from core.domain.ids import DocumentId, PassageId
from core.index.base import Filter
from core.index.weaviate.connection import Deadline
from core.index.weaviate.search import NOT_OURS, Admitted, FoundObject, _deep, cosine, repetitions
from core.index.weaviate.state import IndexState
from tests.support.indexed import SIGNATURE


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


def rows_of(scores: list[float]) -> list[FoundObject]:
    return [
        FoundObject(PassageId(number), DocumentId(f"d{number}"), UUID(int=number), score)
        for number, score in enumerate(scores)
    ]


def admitted(names: frozenset[DocumentId] | None = None) -> Admitted:
    state = IndexState("X_v000001", SIGNATURE)
    rest = (lambda document, _passage: document in names) if names else None
    return Admitted(None, rest, Filter(documents=names), state)


def deep(
    rows: list[FoundObject], depth: int, names: frozenset[DocumentId] | None = None
) -> tuple[list[int], list[int]]:
    """The passages that reading `rows` gives, and how deep it was read each time."""
    limits: list[int] = []

    def read(limit: int, where: object) -> list[FoundObject]:
        limits.append(limit)
        found = rows if where is None or names is None else [row for row in rows if row.document in names]
        return found[:limit]

    hits = _deep(read, admitted(names), depth, Deadline(60), lambda _hit: True)
    return [hit.passage for hit in hits], limits


def test_a_list_is_read_once_where_its_end_is_certain() -> None:
    assert deep(rows_of([1 - n / 1000 for n in range(500)]), 3) == ([0, 1, 2], [23])


def test_a_list_is_read_on_while_unread_rows_may_tie_with_the_last() -> None:
    rows = rows_of([1.0] * 300 + [0.5] * 200)
    assert deep(rows[::-1][200:] + rows[::-1][:200], 3) == ([0, 1, 2], [23, 92, 368])


def test_many_names_are_checked_here_on_a_deeper_list() -> None:
    names = frozenset(DocumentId(f"d{n}") for n in range(1_000, 3_000))
    found, limits = deep(rows_of([1 - n / 5000 for n in range(5000)]), 3, names)
    assert found == [1_000, 1_001, 1_002]
    assert limits[-1] <= 10_000


def test_few_of_very_many_are_left_to_the_server() -> None:
    names = frozenset({DocumentId("d19000"), *(DocumentId(f"x{n}") for n in range(2_000))})
    found, limits = deep(rows_of([1 - n / 20_000 for n in range(20_000)]), 3, names)
    assert found == [19_000]
    assert limits == [23, 10_000, 23]


def test_what_another_program_put_there_is_read_over_and_never_a_hit() -> None:
    theirs = [replace(row, passage=NOT_OURS) for row in rows_of([0.9] * 30)]
    ours = [replace(row, score=0.5 - row.score) for row in rows_of([n / 100 for n in range(9)])]
    hits, limits = deep([*theirs, *ours], 3)
    assert hits == [0, 1, 2]
    assert len(limits) == 2
