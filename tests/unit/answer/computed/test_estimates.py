"""Estimates of counts over cells that are not certain."""

from __future__ import annotations

import random
from collections.abc import Collection, Iterable, Mapping
from decimal import Decimal
from itertools import product
from math import prod
from typing import Any

import pytest

from core.answer.computed.estimates import (
    Addend,
    distribution,
    estimate_count,
    estimate_sum,
    interval,
    sum_interval,
)
from core.domain.answer import CountEstimate, Kind, Route
from core.domain.fields import Candidate, Cell, CellStatus, FieldType, Finding, TypedValue
from core.domain.ids import DocumentId
from core.domain.results import Documents, Group, Groups, Unknown
from core.plan.ir.nodes import Aggregate, Plan, Scope, Select
from core.store.database.visibility import Visibility
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


def test_an_interval_of_sums_holds_the_truth_where_probabilities_are_right() -> None:
    rng = random.Random(7)
    held = 0
    for _ in range(400):
        size = rng.randint(5, 40)
        addends = [Addend(Decimal(rng.randint(1, 90_000)), rng.betavariate(0.8, 0.8)) for _ in range(size)]
        truth = sum((each.amount for each in addends if rng.random() < each.probability), Decimal(0))
        low, high = sum_interval(addends)
        held += low <= truth <= high
    assert 0.75 <= held / 400 <= 0.87


def test_it_is_the_shortest_range_that_holds_the_level() -> None:
    addends = [Addend(Decimal(value), p) for value, p in ((100, 0.5), (40, 0.9), (7, 0.3), (-20, 0.2))]
    low, high = sum_interval(addends)
    outcomes = [
        (
            sum(each.amount for each, there in zip(addends, of, strict=True) if there),
            prod(
                each.probability if there else 1 - each.probability
                for each, there in zip(addends, of, strict=True)
            ),
        )
        for of in product((False, True), repeat=len(addends))
    ]
    slack = Decimal("0.2")  # of the grid
    assert sum(p for total, p in outcomes if low - slack <= total <= high + slack) >= 0.8 - 1e-9
    totals = sorted(total for total, _ in outcomes)
    shorter = [
        (first, last)
        for first in totals
        for last in totals
        if 0 <= last - first < high - low - slack
        and sum(p for total, p in outcomes if first <= total <= last) >= 0.8
    ]
    assert shorter == []


def test_nothing_uncertain_adds_nothing() -> None:
    assert sum_interval([]) == (0, 0)


def money(amount: int, unit: str = "USD") -> TypedValue:
    return TypedValue(FieldType.MONEY, str(amount), amount * 10_000, unit)


class Cells:
    """Cells of two documents of which it is not certain what they state."""

    def __init__(self, *candidates: Candidate) -> None:
        self._candidates = candidates

    def cells(self, visible: Visibility, **wanted: object) -> Iterable[Cell]:
        for at, each in enumerate(self._candidates):
            yield Cell(DocumentId(f"u{at}"), 1, "fee", Finding(CellStatus.UNCERTAIN, candidates=(each,)))


def plan() -> Plan:
    chosen = Select(id="n1", purpose="p", scope=Scope(), conditions=())
    total = Aggregate(id="n2", purpose="p", inputs=("n1",), function="sum", field="fee")
    return Plan(
        question="?", kind=Kind.LOOKUP, route=Route.STRUCTURED, nodes=(chosen, total), answer_node="n2"
    )


def sums(reason: str = "uncertain", field: str = "fee") -> Groups:
    unknown = {"u0": Unknown(field=field, reason=reason), "u1": Unknown(field=field, reason=reason)}
    documents = Documents(present=frozenset({"d"}), uncertain=frozenset({"u0", "u1"}), unknown=unknown)
    group = Group(key=(), value="1200000", unit="USD", rows=1, documents=("d",))
    return Groups(function="sum", field="fee", value_type="money", groups=(group,), documents=documents)


def test_the_exact_sum_is_the_least_and_guesses_in_its_unit_are_added_by_their_probability() -> None:
    cells = Cells(
        Candidate(money(500_000), (), 0.5, "rule"), Candidate(money(900_000, "EUR"), (), 0.9, "rule")
    )
    found = estimate_sum(plan(), sums(), cells, Visibility.everything())

    assert found is not None
    assert (found.value, found.low, found.high, found.level) == (1_450_000, 1_200_000, 1_700_000, 0.8)


@pytest.mark.parametrize("field", ["other", ""])
def test_it_is_left_open_where_it_is_not_known_which_documents_are_meant(field: str) -> None:
    cells = Cells(Candidate(money(5), (), 0.5, "rule"), Candidate(money(5), (), 0.5, "rule"))
    assert estimate_sum(plan(), sums(field=field), cells, Visibility.everything()) is None


def test_no_guess_is_no_estimate() -> None:
    cells = Cells(Candidate(None, (), 0.5, "rule"), Candidate(money(5), (), 0.0, "rule"))
    assert estimate_sum(plan(), sums(), cells, Visibility.everything()) is None
