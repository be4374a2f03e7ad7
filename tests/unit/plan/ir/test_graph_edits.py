from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.domain.annotation import Calculation as Function
from core.domain.predicate import Operator
from core.errors import UsageError
from core.plan.ir.graph_edits import (
    PlanSteps,
    answered_by,
    estimated,
    purpose_of,
    unused,
    with_new,
    with_node,
    without,
)
from core.plan.ir.hashing import ancestors, canonical_json, dependants
from core.plan.ir.nodes import (
    MAX_NODES,
    Aggregate,
    Combine,
    Condition,
    Plan,
    Reference,
    Scope,
    Search,
    Select,
    node_types,
)
from core.plan.ir.validate import validate
from tests.support.known_collection import known_collection
from tests.support.plans import plan_of, plans

CATALOGUE = known_collection()
LAW = Condition(field="governing_law", op=Operator.EQUAL, value="Delaware")
FIRST = Select(id="first", purpose="p", scope=Scope(schema_name="contracts"), conditions=(LAW,))
COUNT = Aggregate(id="count", purpose="p", inputs=("first",), function="count")
PLAN = plan_of(FIRST, COUNT)
FEW = Select(id="few", purpose="p", scope=Scope(schema_name="contracts", documents=("d01", "d02")))
ALL = Select(id="all", purpose="p", scope=Scope(schema_name="contracts"))


@pytest.mark.parametrize("kind", ["select", "search", "aggregate", "hop", "read"])
def test_a_new_node_behind_a_selection_can_run_at_once(kind: str) -> None:
    plan, id = with_new(plan_of(FIRST), kind, "first")

    assert validate(plan, CATALOGUE) == ()
    assert plan.node(id).type == kind


@pytest.mark.parametrize("kind", ["combine", "compare"])
def test_a_node_that_needs_two_sides_names_itself_until_it_has_them(kind: str) -> None:
    plan, id = with_new(plan_of(FIRST), kind, "first")
    problems = validate(plan, CATALOGUE)
    assert {each.node for each in problems} == {id}

    plan, other = with_new(plan, "select", "")
    both = plan.node(id).model_copy(update={"inputs": ("first", other)})
    assert validate(with_node(plan, both), CATALOGUE) == ()


@settings(deadline=None)  # the machine may be busy
@given(plans(), st.sampled_from(node_types()))
def test_a_new_node_changes_no_other_and_answers_only_behind_what_answered(plan: Plan, kind: str) -> None:
    for behind in ("", plan.nodes[0].id, plan.answer_node or ""):
        grown, id = with_new(plan, kind, behind)

        assert grown.nodes[:-1] == plan.nodes
        takes_over = behind == plan.answer_node and bool(grown.node(id).inputs)
        assert grown.answer_node == (id if takes_over else plan.answer_node)


@settings(deadline=None)  # the machine may be busy
@given(plans())
def test_any_node_but_the_last_can_be_taken_out_and_the_rest_stays_a_plan(plan: Plan) -> None:
    for node in plan.nodes if len(plan.nodes) > 1 else ():
        smaller = without(plan, node.id)

        assert Plan.model_validate(smaller.model_dump()) == smaller
        assert {each.id for each in smaller.nodes} == {each.id for each in plan.nodes} - {node.id}


def test_what_took_a_node_in_takes_in_what_it_took_in() -> None:
    narrowed = Select(id="narrow", purpose="p", inputs=("first",))
    count = COUNT.model_copy(update={"inputs": ("narrow",)})

    assert without(plan_of(FIRST, narrowed, count), "narrow").node("count").inputs == ("first",)
    assert without(plan_of(FIRST, narrowed, count), "count").answer_node == "narrow"


def test_the_last_node_stays_and_a_full_plan_takes_no_more() -> None:
    with pytest.raises(UsageError, match="needs a node"):
        without(plan_of(FIRST), "first")
    full = plan_of(*(Select(id=f"s{at}", purpose="p") for at in range(MAX_NODES)))
    with pytest.raises(UsageError, match=str(MAX_NODES)):
        with_new(full, "select", "")


def test_a_node_that_nothing_takes_in_is_known_until_it_answers() -> None:
    plan = plan_of(FIRST, Select(id="other", purpose="p"), COUNT)

    assert unused(plan) == {"other"}
    assert unused(answered_by(plan, "other")) == {"count"}


def test_the_purpose_follows_what_a_node_asks_for() -> None:
    texan = FIRST.model_copy(update={"conditions": (LAW.model_copy(update={"value": "Texas"}),)})

    assert "Texas" in purpose_of(texan, with_node(PLAN, texan), CATALOGUE)
    both = Combine(id="both", purpose="p", inputs=("first", "count"), how="union")
    assert purpose_of(both, plan_of(FIRST, COUNT, both), CATALOGUE) == "Put them together"


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


def rows(plan: Plan, id: str) -> int:
    found = estimated(plan, CATALOGUE).node(id).estimate
    assert found is not None
    return found.rows


@settings(deadline=None)  # the machine may be busy
@given(plans())
def test_every_node_gets_an_estimate_and_nothing_else_changes(plan: Plan) -> None:
    found = estimated(plan, CATALOGUE)

    assert all(node.estimate is not None and node.estimate.rows >= 0 for node in found.nodes)
    assert canonical_json(found) == canonical_json(plan)


@settings(deadline=None)  # the machine may be busy
@given(plans())
def test_a_node_is_among_its_ancestors_and_they_know_it_as_a_dependant(plan: Plan) -> None:
    for node in plan.nodes:
        assert all(node.id in dependants(plan, each) for each in ancestors(plan, node.id))


def test_a_scope_bounds_what_a_selection_gives() -> None:
    assert rows(plan_of(FEW), "few") == 2
    assert rows(plan_of(ALL), "all") > 2


def test_an_intersection_gives_at_most_its_smallest_side_and_a_union_more() -> None:
    both = Combine(id="both", purpose="p", inputs=("few", "all"), how="intersect")
    either = Combine(id="both", purpose="p", inputs=("few", "all"), how="union")

    assert rows(plan_of(FEW, ALL, both), "both") == 2
    assert rows(plan_of(FEW, ALL, either), "both") > 2


def test_a_condition_on_a_field_leaves_fewer() -> None:
    law = Condition(field="governing_law", op="=", value="Delaware")

    assert rows(plan_of(ALL.model_copy(update={"conditions": (law,)})), "all") < rows(plan_of(ALL), "all")


def test_a_circle_is_left_as_it_is() -> None:
    plan = plan_of(
        Combine(id="a", purpose="p", inputs=("b",), how="union"),
        Combine(id="b", purpose="p", inputs=("a",), how="union"),
    )

    assert estimated(plan, CATALOGUE) == plan


def test_every_further_wording_is_another_search() -> None:
    plain = Search(id="one", purpose="p", text="rent")
    worded = plain.model_copy(update={"wordings": ("lease payment", "monthly fee")})

    spent = [
        node.estimate.latency_ms
        for each in (plain, worded)
        if (node := estimated(plan_of(each), CATALOGUE).node("one")).estimate is not None
    ]
    assert spent[1] == 3 * spent[0]
