"""What holds of every plan: its JSON, its hashes, and what running it gives."""

from __future__ import annotations

import re
from dataclasses import replace

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from core.plan.ir.hashing import dependants, in_order, node_hashes
from core.plan.ir.nodes import Plan, Search, Select
from core.plan.run.executor import Executor, NodeFinished, PlanFinished, RunContext
from core.plan.run.memo import Memo, WrittenBehind, lasting
from core.store.database.visibility import Visibility
from tests.support.doors import OPEN
from tests.support.examples import examples
from tests.support.plans import CountingOperators, ShuffledOperators, plans
from tests.support.results_by_key import ResultsByKey

CONTEXT = RunContext(Visibility.everything(), data_version=1, door=OPEN)


def _finished(
    plan: Plan, operators: CountingOperators, memo: Memo | None = None, workers: int = 4
) -> PlanFinished:
    *_, last = Executor(operators, memo or Memo(), workers=workers).run(plan, CONTEXT)
    assert isinstance(last, PlanFinished)
    return last


@given(plans())
@settings(max_examples=examples(200))
def test_a_plan_survives_json(plan: Plan) -> None:
    assert Plan.model_validate_json(plan.model_dump_json()) == plan


@given(plans())
@settings(deadline=None)
def test_a_nodes_hash_does_not_depend_on_names_or_order(plan: Plan) -> None:
    renamed = Plan.model_validate_json(re.sub(r'"n(\d)', r'"m\1', plan.model_dump_json()))
    turned = plan.model_copy(update={"nodes": tuple(reversed(plan.nodes))})
    hashes = node_hashes(plan)
    assert {name.replace("n", "m", 1): value for name, value in hashes.items()} == node_hashes(renamed)
    assert hashes == node_hashes(turned)


@given(plans(most=7), st.integers(0, 2**31 - 1), st.integers(1, 4))
@settings(max_examples=examples(60), deadline=None)
def test_what_a_plan_gives_does_not_depend_on_the_order_in_which_nodes_end(
    plan: Plan, seed: int, workers: int
) -> None:
    in_turn = _finished(plan, CountingOperators(), workers=1)
    shuffled = _finished(plan, ShuffledOperators(seed), workers=workers)
    assert shuffled.results == in_turn.results
    assert shuffled.answer == in_turn.answer


@given(plans(), st.data())
@settings(max_examples=examples(150), deadline=None)
def test_editing_a_node_runs_exactly_what_depends_on_it(plan: Plan, data: st.DataObject) -> None:
    memo = Memo()
    _finished(plan, CountingOperators(), memo)
    edited = data.draw(st.sampled_from([node.id for node in plan.nodes]))
    nodes = []
    for node in plan.nodes:
        if node.id == edited:
            change = {"text": "edited"} if isinstance(node, Search) else {"limit": 7}
            node = node.model_copy(update=change if isinstance(node, Search | Select) else {"how": "union"})
        nodes.append(node)
    again = plan.model_copy(update={"nodes": tuple(nodes)})
    before, after = node_hashes(plan), node_hashes(again)
    operators = CountingOperators()
    run = _finished(again, operators, memo)
    changed = {name for name in after if after[name] not in before.values()}
    assert {after[name] for name in operators.ran} == {after[name] for name in changed}
    assert changed <= dependants(again, edited)
    assert run.results == _finished(again, CountingOperators()).results


@given(plans())
@settings(max_examples=examples(100), deadline=None)
def test_a_run_from_memory_equals_a_fresh_one(plan: Plan) -> None:
    memo, operators = Memo(), CountingOperators()
    first = _finished(plan, operators, memo)
    count = len(operators.ran)
    second = _finished(plan, operators, memo)
    assert second.results == first.results
    assert len(operators.ran) == count


@given(plans())
@settings(max_examples=examples(60), deadline=None)
def test_a_run_from_the_store_equals_a_fresh_one_and_is_of_its_data_version(plan: Plan) -> None:
    table = ResultsByKey()
    for _ in range(2):  # two processes, one after the other
        store, operators = WrittenBehind(table), CountingOperators()
        last = _finished(plan, operators, Memo(store))
        store.close()
        assert last.results == _finished(plan, CountingOperators()).results
    different = {hash for id, hash in node_hashes(plan).items() if id not in lasting(plan)}
    assert {node_hashes(plan)[id] for id in operators.ran} == different
    *_, other = Executor(operators, Memo(WrittenBehind(table))).run(plan, replace(CONTEXT, data_version=9))
    assert isinstance(other, PlanFinished)
    assert all(figures.source != "store" for node in other.plan.nodes if (figures := node.ran))


@given(plans(), st.data())
@settings(max_examples=examples(80), deadline=None)
def test_a_node_that_stops_takes_only_its_dependants_with_it(plan: Plan, data: st.DataObject) -> None:
    assume(len(set(node_hashes(plan).values())) == len(plan.nodes))  # equal nodes share what they give
    name = data.draw(st.sampled_from([node.id for node in plan.nodes]))
    events = list(Executor(CountingOperators(frozenset({name})), Memo()).run(plan, CONTEXT))
    last = events[-1]
    assert isinstance(last, PlanFinished)
    assert set(last.stopped) == dependants(plan, name)
    assert {event.node for event in events if isinstance(event, NodeFinished)} == set(last.results)
    assert all(stopped.is_question for stopped in last.stopped.values())


@given(plans())
def test_nodes_stand_behind_their_inputs(plan: Plan) -> None:
    seen: set[str] = set()
    for node in in_order(plan):
        assert seen.issuperset(node.inputs)
        seen.add(node.id)
