from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.domain.predicate import Operator
from core.errors import UsageError
from core.plan.ir.graph_edits import (
    answered_by,
    purpose_of,
    unused,
    with_new,
    with_node,
    without,
)
from core.plan.ir.nodes import MAX_NODES, Aggregate, Combine, Condition, Plan, Scope, Select, node_types
from core.plan.ir.validate import validate
from tests.support.known_collection import known_collection
from tests.support.plans import plan_of, plans

CATALOGUE = known_collection()
LAW = Condition(field="governing_law", op=Operator.EQUAL, value="Delaware")
FIRST = Select(id="first", purpose="p", scope=Scope(schema_name="contracts"), conditions=(LAW,))
COUNT = Aggregate(id="count", purpose="p", inputs=("first",), function="count")
PLAN = plan_of(FIRST, COUNT)


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
