"""A sum over cells that are not certain: an interval that holds the truth as often as it says."""

from __future__ import annotations

import random
from collections.abc import Iterable
from decimal import Decimal
from itertools import product
from math import prod

import pytest

from core.answer.computed.sum_estimate import Addend, estimate_sum, sum_interval
from core.domain.answer import Kind, Route
from core.domain.fields import Candidate, Cell, CellStatus, FieldType, Finding, TypedValue
from core.domain.ids import DocumentId
from core.domain.results import Documents, Group, Groups, Unknown
from core.plan.ir.nodes import Aggregate, Plan, Scope, Select
from core.records.database.visibility import Visibility


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
