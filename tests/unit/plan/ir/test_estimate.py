from __future__ import annotations

from hypothesis import given, settings

from core.plan.ir.estimate import estimated
from core.plan.ir.hashing import ancestors, canonical_json, dependants
from core.plan.ir.nodes import Combine, Condition, Plan, Scope, Search, Select
from tests.support.known_collection import known_collection
from tests.support.plans import plan_of, plans

CATALOGUE = known_collection()
FEW = Select(id="few", purpose="p", scope=Scope(schema_name="contracts", documents=("d01", "d02")))
ALL = Select(id="all", purpose="p", scope=Scope(schema_name="contracts"))


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
