"""Estimates of counts over cells that are not certain."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Any

import pytest

from core.answer.computed.count_estimate import distribution, estimate_count, interval
from core.domain.answer import CountEstimate
from core.domain.fields import Cell
from core.domain.ids import DocumentId
from core.domain.results import Documents, Unknown
from core.records.database.visibility import Visibility
from tests.support.read_questions import planned


class Known:
    """Probabilities that are given."""

    def __init__(self, probabilities: Mapping[tuple[str, str], float]) -> None:
        self._probabilities = probabilities

    def clause_probabilities(
        self, visible: Visibility, documents: Collection[DocumentId], fields: Collection[str]
    ) -> Mapping[tuple[str, str], float]:
        """Those asked for."""
        del visible
        return {key: p for key, p in self._probabilities.items() if key[0] in documents and key[1] in fields}

    def unread(self, visible: Visibility, documents: Collection[DocumentId]) -> frozenset[DocumentId]:
        """None."""
        del visible, documents
        return frozenset()

    def cells(self, visible: Visibility, **chosen: Any) -> Iterable[Cell]:
        """None."""
        del visible, chosen
        return ()


GIVEN = Documents(
    present=frozenset({"a"}),
    absent=frozenset({"b"}),
    uncertain=frozenset({"c", "d"}),
    unknown={id: Unknown(field="insurance", reason="unsure") for id in ("c", "d")},
)


def estimated(
    question: str, given: Documents, known: Mapping[tuple[str, str], float]
) -> CountEstimate | None:
    return estimate_count(planned(question), given, Known(known), Visibility.everything())


PROBABILITIES = {
    ("a", "insurance"): 1.0,
    ("b", "insurance"): 0.0,
    ("c", "insurance"): 0.5,
    ("d", "insurance"): 0.9,
}


def test_a_count_is_estimated_by_the_probabilities_of_all_documents() -> None:
    found = estimated("How many contracts have insurance?", GIVEN, PROBABILITIES)
    assert found == CountEstimate(value=2, low=2, high=3, level=0.8)


def test_what_is_lacking_is_estimated_the_other_way_round() -> None:
    found = estimated("contracts without insurance", GIVEN, PROBABILITIES)
    assert found == CountEstimate(value=2, low=1, high=2, level=0.8)


def test_nothing_is_estimated_where_all_is_certain() -> None:
    assert estimated("contracts with insurance", Documents(present=frozenset({"a"})), PROBABILITIES) is None


def test_nothing_is_estimated_where_a_value_is_in_the_way() -> None:
    unknown = {"c": Unknown(field="governing_law", reason="unsure")}
    given = Documents(uncertain=frozenset({"c"}), unknown=unknown)
    assert estimated("contracts with insurance under Ohio law", given, PROBABILITIES) is None


def test_nothing_is_estimated_where_a_cell_has_no_probability() -> None:
    assert estimated("contracts with insurance", GIVEN, {("a", "insurance"): 1.0}) is None


def test_sums_of_trials_are_distributed_as_their_probabilities_say() -> None:
    assert distribution([0.5, 0.5]) == [0.25, 0.5, 0.25]
    assert distribution([1.0, 0.0]) == [0.0, 1.0, 0.0]
    assert sum(distribution([0.1 * each for each in range(11)])) == pytest.approx(1)


def test_many_trials_give_nearly_the_interval_of_a_normal_distribution() -> None:
    exact, near = interval([0.3] * 2_000), interval([0.3] * 2_001)
    assert abs(exact[0] - near[0]) <= 2
    assert abs(exact[1] - near[1]) <= 2
