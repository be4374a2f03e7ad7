from __future__ import annotations

from core.domain.annotation import Calculation as Function
from core.domain.predicate import Operator
from core.plan.ir.nodes import Combine, Condition, Reference, Scope
from core.plan.ir.steps import PlanSteps


def test_ids_count_on_for_each_kind_and_nodes_stand_in_order() -> None:
    steps = PlanSteps()
    first = steps.select("Find them", Scope())
    steps.select("Find others", Scope())
    steps.add(Combine, "Leave these out", ("select-1", "select-2"), how="difference")
    steps.aggregate("Count them", (first.id,), Function.COUNT)

    assert [node.id for node in steps.nodes] == ["select-1", "select-2", "combine-1", "aggregate-1"]
    assert PlanSteps(steps.nodes).next_id("select") == "select-3"


def test_a_selection_takes_in_the_nodes_whose_values_it_compares_with() -> None:
    cap = Condition(field="cap", op=Operator.GREATER, value=Reference(node="hop-1"))

    assert PlanSteps().select("p", Scope(), (cap, cap)).inputs == ("hop-1",)


def test_words_that_are_too_long_are_cut() -> None:
    steps = PlanSteps()

    assert len(steps.search("p" * 400, "t" * 5_000, Scope()).text) == 4_000
    assert len(steps.hop("p" * 400, "search-1", template="t" * 600).purpose) == 300
