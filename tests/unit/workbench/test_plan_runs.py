"""Plans run before somebody's eyes: events, what nodes gave and asked for, estimates."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from core.domain.event import Event, NodeChanged, PlanDrawn
from core.domain.principal import Principal
from core.domain.results import Documents
from core.errors import PlanError
from core.plan.ir.nodes import Condition, Plan
from core.workbench import Workbench
from core.workbench.services.plans import MOVED, PlanRan
from tests.support.contracts_at_hand import contracts_at_hand
from tests.support.filled_matrix import fill
from tests.support.texan_plans import BOTH, COUNT, LATE, LAW, plan


@pytest.fixture(scope="module")
def bench(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workbench]:
    home = tmp_path_factory.mktemp("runs") / "home"
    fill(home)
    with Workbench.open(home=home) as opened:
        yield opened


def ran(bench: Workbench, plan: Plan) -> tuple[list[Event], PlanRan]:
    *events, last = bench.local.plans.stream(plan)
    assert isinstance(last, PlanRan)
    return [each for each in events if not isinstance(each, PlanRan)], last


def sources(outcome: PlanRan) -> dict[str, str]:
    return {node.id: node.ran.source for node in outcome.plan.nodes if node.ran}


def test_the_plan_is_drawn_first_and_every_node_begins_and_ends(bench: Workbench) -> None:
    events, outcome = ran(bench, plan(LAW, LATE, BOTH, COUNT))

    assert isinstance(events[0], PlanDrawn)
    told = [(each.node, each.state) for each in events if isinstance(each, NodeChanged)]
    assert set(told) == {(id, at) for id in ("law", "late", "both", "count") for at in ("running", "done")}
    assert outcome.results.keys() == {"law", "late", "both", "count"}
    assert outcome.answer is not None
    assert outcome.answer.value is not None
    assert outcome.answer.value.value == "1"


def test_an_edit_runs_what_depends_on_it_and_nothing_else(bench: Workbench) -> None:
    ran(bench, plan(LAW, LATE, BOTH, COUNT))
    later = LATE.model_copy(
        update={"conditions": (Condition(field="effective_date", op=">", value="2022-01-01"),)}
    )

    _, outcome = ran(bench, plan(LAW, later, BOTH, COUNT))

    assert sources(outcome) == {"law": "memory", "late": "sql", "both": "sql", "count": "sql"}
    assert outcome.answer is not None
    assert outcome.answer.value is not None
    assert outcome.answer.value.value == "0"


def test_a_cancelled_run_says_which_nodes_gave_nothing(bench: Workbench) -> None:
    stop = threading.Event()
    stop.set()

    *_, last = bench.local.plans.stream(plan(LAW, LATE, BOTH), cancelled=stop)

    assert isinstance(last, PlanRan)
    assert last.answer is None
    assert last.stopped.keys() == {"law", "late", "both"}


@pytest.mark.parametrize("moment", range(6))
def test_no_answer_rests_on_two_states_of_the_collection(tmp_path: Path, moment: int) -> None:
    law = LAW.model_copy(update={"fields": ("governing_law",)})
    stated = Condition(field="governing_law", op="is", value="present")
    later = LATE.model_copy(update={"inputs": ("law",), "conditions": (stated,)})
    with contracts_at_hand(tmp_path / "home") as at_hand:
        events: list[Event | PlanRan] = []
        for number, event in enumerate(at_hand.bench.local.plans.stream(plan(law, later))):
            events.append(event)
            if number == moment:
                at_hand.state(at_hand.made["Cobalt agreement"], "Ohio")
                at_hand.add("Kappa agreement", "Texas")
        last = events[-1]
        assert isinstance(last, PlanRan)
        assert last.answer is not None
        after = at_hand.bench.run(plan(law, later))
        has_seen = last.data_version == after.data_version
        told = "Kappa" in last.answer.text, "Cobalt" in last.answer.text
        assert told == ((True, False) if has_seen else (False, True))
        assert sum(isinstance(event, PlanDrawn) for event in events) == 1
        assert ("Kappa" in after.text, "Cobalt" in after.text) == (True, False)


def test_an_answer_over_a_collection_that_never_rests_says_so(tmp_path: Path) -> None:
    with contracts_at_hand(tmp_path / "home") as at_hand:
        for number, event in enumerate(at_hand.bench.local.plans.stream(plan(LAW))):
            if isinstance(event, NodeChanged):
                at_hand.add(f"More {number}", "Texas")
        assert isinstance(event, PlanRan)
        assert event.answer is not None
        assert event.answer.degradations == (MOVED,)


@pytest.mark.parametrize("moment", range(9))
def test_a_run_that_is_cancelled_at_any_moment_ends_and_leaves_nothing_wrong_behind(
    bench: Workbench, moment: int
) -> None:
    year = Condition(field="effective_date", op=">", value=f"20{10 + moment}-06-01")  # nothing of it is kept
    nodes = (LAW, LATE.model_copy(update={"conditions": (year,)}), BOTH, COUNT)
    stop = threading.Event()
    events: list[Event | PlanRan] = []
    for each in bench.local.plans.stream(plan(*nodes), cancelled=stop):
        if len(events) == moment:
            stop.set()
        events.append(each)
    event = events[-1]
    assert isinstance(event, PlanRan)
    assert (event.answer is None) == stop.is_set()
    assert event.results.keys() | event.stopped.keys() == {"law", "late", "both", "count"}
    again, fresh = ran(bench, plan(*nodes))[1], bench.run(plan(*nodes))
    assert again.answer is not None
    assert again.stopped == {}
    assert (again.answer.value, again.answer.ledger) == (fresh.value, fresh.ledger)
    for id, found in event.results.items():
        assert found == again.results[id]


def test_a_plan_that_cannot_run_never_begins(bench: Workbench) -> None:
    wrong = LAW.model_copy(update={"conditions": (Condition(field="no_field", op="=", value="x"),)})

    with pytest.raises(PlanError, match="law"):
        next(bench.local.plans.stream(plan(wrong)))


def test_a_statement_shows_the_condition_and_its_value_as_the_database_got_them(bench: Workbench) -> None:
    ran(bench, plan(LAW))

    said = bench.local.plans.statements(plan(LAW), "law")

    asking = [each for each in said if "field_values" in each.sql]
    assert asking
    assert all(each.sql.startswith("SELECT") for each in said)
    values = {value for each in asking for _, value in each.values}
    assert {"governing_law", "texas"} <= {value.casefold() for value in values}
    assert "Texas" not in "".join(each.sql for each in said)


def test_a_node_without_a_database_has_no_statement(bench: Workbench) -> None:
    assert bench.local.plans.statements(plan(LAW, LATE, BOTH), "both") == ()


def test_what_may_not_be_seen_is_in_no_result_and_no_statement_gives_it(bench: Workbench) -> None:
    nobody = Principal("nobody", roles=frozenset({"analyst"}), groups=frozenset())
    *_, last = bench.for_principal(nobody).plans.stream(plan(LAW))
    assert isinstance(last, PlanRan)
    found = last.results["law"]
    assert isinstance(found, Documents)
    everybody = bench.documents(nobody)
    assert found.scope <= {each.id for each in everybody}


def test_estimates_rest_on_how_many_documents_state_a_field(bench: Workbench) -> None:
    found = bench.local.plans.estimate(plan(LAW, LATE, BOTH, COUNT))

    estimates = {node.id: node.estimate for node in found.nodes}
    assert all(estimates.values())
    law = estimates["law"]
    assert law is not None
    assert law.rows == 2  # of ten, one unreadable, over four laws
    assert "10 documents" in law.because
