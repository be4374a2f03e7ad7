from __future__ import annotations

import threading
from collections.abc import Callable, Mapping

import pytest

from core.domain.answer import Degradation
from core.domain.results import FoundValue, Passages, Result, Stopped
from core.errors import UsageError
from core.plan.ir.nodes import Combine, Hop, Node, Plan, Search, Select
from core.plan.run.executor import (
    Executor,
    NodeFinished,
    NodeStarted,
    NodeStopped,
    PlanFinished,
    RunContext,
    RunEvent,
)
from core.plan.run.memo import Memo
from core.store.database.visibility import Visibility
from tests.support.doors import OPEN
from tests.support.plans import CountingOperators, plan_of

ALL = Visibility.everything()
CONTEXT = RunContext(ALL, data_version=1, door=OPEN)
FIRST = Select(id="first", purpose="p")
SECOND = Select(id="second", purpose="p", limit=2)
BOTH = Combine(id="both", purpose="p", inputs=("first", "second"), how="intersect")
PLAN = plan_of(FIRST, SECOND, BOTH)


class Clock:
    """Time that passes when it is told to."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


class Held(CountingOperators):
    """Nodes of these ids do not end before the test says so; `when_held` is called as they begin."""

    def __init__(self, ids: set[str], when_held: Callable[[], None]) -> None:
        super().__init__()
        self.released = threading.Event()
        self._ids = ids
        self._when_held = when_held

    def run(
        self, node: Node, inputs: Mapping[str, Result], visibility: Visibility, deadline_s: float
    ) -> Result | Stopped:
        if node.id in self._ids:
            self._when_held()
            self.released.wait(10)
        return super().run(node, inputs, visibility, deadline_s)


class Failing(CountingOperators):
    """Raises for every node."""

    def __init__(self, error: Exception) -> None:
        super().__init__()
        self._error = error

    def run(
        self, node: Node, inputs: Mapping[str, Result], visibility: Visibility, deadline_s: float
    ) -> Result | Stopped:
        raise self._error


def finished(events: list[RunEvent]) -> PlanFinished:
    *_, last = events
    assert isinstance(last, PlanFinished)
    return last


def run(plan: Plan, operators: CountingOperators, memo: Memo | None = None) -> list[RunEvent]:
    return list(Executor(operators, memo or Memo()).run(plan, CONTEXT))


def test_every_node_is_told_of_and_figures_stand_in_the_plan() -> None:
    events = run(PLAN, CountingOperators())
    assert [each.node for each in events if isinstance(each, NodeStarted)] == ["first", "second", "both"]
    done = finished(events)
    assert {node.id for node in done.plan.nodes if node.ran is not None} == {"first", "second", "both"}
    assert done.answer == done.results["both"]
    assert not done.stopped


def test_what_was_found_before_comes_from_memory_and_a_changed_collection_does_not() -> None:
    memo, operators = Memo(), CountingOperators()
    first = finished(run(PLAN, operators, memo))
    again = run(PLAN, operators, memo)
    assert len(operators.ran) == 3
    assert {each.figures.source for each in again if isinstance(each, NodeFinished)} == {"memory"}
    assert finished(again).results == first.results
    list(Executor(operators, memo).run(PLAN, RunContext(ALL, data_version=2, door=OPEN)))
    assert len(operators.ran) == 6
    list(Executor(operators, memo).run(PLAN, RunContext(Visibility(frozenset()), data_version=1, door=OPEN)))
    assert len(operators.ran) == 9


class Degrading(CountingOperators):
    """Finds passages while the search server is away."""

    def run(
        self, node: Node, inputs: Mapping[str, Result], visibility: Visibility, deadline_s: float
    ) -> Result | Stopped:
        found = super().run(node, inputs, visibility, deadline_s)
        if node.id != "first":
            return found
        return Passages(degradations=(Degradation(code="E003", message="The server is away."),))


def test_what_rests_on_something_that_did_not_work_is_found_anew() -> None:
    memo, operators = Memo(), Degrading()
    done = finished(run(PLAN, operators, memo))
    again = finished(run(PLAN, operators, memo))
    assert sorted(operators.ran) == ["both", "both", "first", "first", "second"]
    assert again.results == done.results
    whole = CountingOperators()
    run(PLAN, whole, memo)
    assert sorted(whole.ran) == ["both", "first"]


def test_a_question_stops_what_depends_on_it_and_nothing_else() -> None:
    hop = Hop(id="hop", purpose="p", inputs=("first",), field="cap")
    last = Select(id="last", purpose="p", inputs=("hop",))
    done = finished(run(plan_of(FIRST, SECOND, hop, last), CountingOperators(frozenset({"hop"}))))
    assert done.results.keys() == {"first", "second"}
    assert done.stopped["hop"].is_question
    answer = done.answer
    assert isinstance(answer, Stopped)
    assert (answer.node, answer.is_question, answer.options) == ("last", True, ("a", "b"))
    assert "'hop'" in answer.reason


def test_what_stopped_is_asked_again_the_next_time() -> None:
    memo, operators = Memo(), CountingOperators(frozenset({"first"}))
    run(PLAN, operators, memo)
    run(PLAN, operators, memo)
    assert operators.ran.count("first") == 2
    assert operators.ran.count("second") == 1


def test_an_error_in_plain_words_stops_a_node_and_any_other_comes_out() -> None:
    done = finished(run(plan_of(FIRST), Failing(UsageError("It mixes.", next_step="Choose one."))))
    assert (done.stopped["first"].reason, done.stopped["first"].next_step) == ("It mixes.", "Choose one.")
    with pytest.raises(RuntimeError, match="broken"):
        run(plan_of(FIRST), Failing(RuntimeError("broken")))


def test_a_cancelled_plan_ends_with_what_is_there() -> None:
    cancelled = threading.Event()
    operators = Held({"second"}, lambda: None)
    events: list[RunEvent] = []
    for event in Executor(operators, Memo()).run(PLAN, CONTEXT, cancelled):
        events.append(event)
        if isinstance(event, NodeFinished):
            cancelled.set()
    operators.released.set()
    done = finished(events)
    assert done.results.keys() == {"first"}
    assert {name: each.reason for name, each in done.stopped.items()} == {
        "second": "It was cancelled.",
        "both": "It was cancelled.",
    }


def test_a_plan_that_is_cancelled_before_it_begins_runs_nothing() -> None:
    cancelled, operators = threading.Event(), CountingOperators()
    cancelled.set()
    done = finished(list(Executor(operators, Memo()).run(PLAN, CONTEXT, cancelled)))
    assert not operators.ran
    assert done.stopped.keys() == {"first", "second", "both"}


@pytest.mark.parametrize(("spent", "is_whole"), [(9.0, True), (3.0, False)])
def test_a_node_that_takes_too_long_says_so(spent: float, is_whole: bool) -> None:
    clock = Clock()

    def pass_time() -> None:
        clock.now = spent

    hop = Hop(id="hop", purpose="p", field="cap")
    last = Combine(id="last", purpose="p", inputs=("hop",), how="union")
    operators = Held({"hop"}, pass_time)
    done = finished(list(Executor(operators, Memo(), tick=clock).run(plan_of(hop, last), CONTEXT)))
    operators.released.set()
    assert done.stopped["hop"].detail == {"code": "E005"}
    assert done.stopped["last"].node == "last"
    assert done.stopped["last"].detail == ({"code": "E005"} if is_whole else {})


def test_a_hop_has_two_seconds_and_no_node_more_than_is_left() -> None:
    seconds: dict[str, float] = {}

    class Asked(CountingOperators):
        def run(
            self, node: Node, inputs: Mapping[str, Result], visibility: Visibility, deadline_s: float
        ) -> Result | Stopped:
            seconds[node.id] = deadline_s
            return FoundValue(kind="text", text=node.id)

    clock = Clock()
    clock.now = 1.0
    hop = Hop(id="hop", purpose="p", field="cap")
    search = Search(id="find", purpose="p", inputs=("hop",), text="cap")
    for event in Executor(Asked(), Memo(), tick=clock).run(plan_of(hop, search), CONTEXT):
        if isinstance(event, NodeFinished) and event.node == "hop":
            clock.now = 6.0
    assert seconds == {"hop": 2.0, "find": 3.0}


def test_dropping_the_events_cancels_the_run() -> None:
    cancelled = threading.Event()
    events = Executor(CountingOperators(), Memo()).run(PLAN, CONTEXT, cancelled)
    next(events)
    events.close()  # type: ignore[attr-defined]
    assert cancelled.is_set()


def test_a_stopped_event_tells_how_long_it_took() -> None:
    events = run(plan_of(FIRST), CountingOperators(frozenset({"first"})))
    (stopped,) = [each for each in events if isinstance(each, NodeStopped)]
    assert stopped.latency_ms >= 0
