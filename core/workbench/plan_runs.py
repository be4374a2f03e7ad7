"""Running plans before somebody's eyes: event by event, with what every node gave and asked for."""

from __future__ import annotations

import threading
import time
import uuid
from collections.abc import Generator, Iterator, Mapping
from dataclasses import dataclass

from core.agent.computed_answer import Planned
from core.agent.request import Asked
from core.domain.answer import Answer, Degradation, Route
from core.domain.event import Degraded, Event, Finished, PlanDrawn
from core.domain.principal import LOCAL_ADMIN, Principal
from core.domain.results import Result, Stopped
from core.errors import UsageError
from core.plan.catalogue import Catalogue
from core.plan.ir.estimate import estimated
from core.plan.ir.nodes import Plan, Search
from core.plan.ir.validate import check
from core.records.database.sql_log import Statement
from core.records.database.visibility import Visibility
from core.retrieval.executor import PlanFinished
from core.workbench.wiring import Parts

MOVED = Degradation(
    code="E005",
    message="Documents were added or changed while this ran, so it may rest on two states of them. Run it "
    "again once that is done.",
)
_MOST_AGAIN = 2  # times that a plan runs again because the collection changed under it


@dataclass(frozen=True, slots=True)
class PlanRan:
    """What a run came to. plan: with its figures; answer: None where it was cancelled or nothing tells it.

    results, stopped: by node what it gave, or why it gave nothing.
    """

    plan: Plan
    results: Mapping[str, Result]
    stopped: Mapping[str, Stopped]
    answer: Answer | None
    data_version: int


@dataclass(frozen=True, slots=True)
class Passed:
    """What one pass through a plan came to. is_past: the collection has changed since it began."""

    asked: Asked
    done: PlanFinished
    answer: Answer | None
    is_past: bool


class PlanRunCalls:
    """What Workbench offers to look into plans. What a principal may not see is unknown to plans, too."""

    _parts: Parts

    def plan_catalogue(self, principal: Principal = LOCAL_ADMIN) -> Catalogue:
        """The kinds of documents, fields, values and parties that plans may ask for."""
        return self._parts.catalogues.load(Visibility.of(principal))

    def estimate(self, plan: Plan, principal: Principal = LOCAL_ADMIN) -> Plan:
        """The plan with what statistics say about each node; nothing runs."""
        statistics = self._parts.statistics.load(Visibility.of(principal))
        return estimated(plan, self.plan_catalogue(principal), statistics)

    def run_stream(
        self,
        plan: Plan,
        principal: Principal = LOCAL_ADMIN,
        cancelled: threading.Event | None = None,
    ) -> Iterator[Event | PlanRan]:
        """Run a plan, also one that was edited; what happens as it happens and, last, what it came to.

        What did not change since it ran before comes from memory. Where the collection changes meanwhile, it
        runs again: no answer rests on two states, or it says so. Raises PlanError where it cannot run.
        """
        stop, started = cancelled or threading.Event(), time.perf_counter()
        visible = Visibility.of(principal)
        passed = yield from self._pass(plan, visible, stop, started, is_first=True)
        for _ in range(_MOST_AGAIN):
            if passed.is_past and not stop.is_set():
                passed = yield from self._pass(plan, visible, stop, started, is_first=False)
        asked, done, answer = passed.asked, passed.done, passed.answer
        if answer is not None and passed.is_past and not stop.is_set():
            yield Degraded(at_ms=asked.at_ms(), degradation=MOVED)
            answer = answer.model_copy(update={"degradations": (*answer.degradations, MOVED)})
        if answer is None and not stop.is_set() and _is_of_searches(plan):
            for event in self._parts.orchestrator.answer_plan(done.plan, principal):
                yield event
                if isinstance(event, Finished):
                    answer = event.answer
        if answer is not None and not stop.is_set():
            spent = {"total": asked.at_ms(), **answer.timings_ms}
            answer = answer.model_copy(update={"timings_ms": spent})
        yield PlanRan(
            done.plan, done.results, done.stopped, None if stop.is_set() else answer, asked.data_version
        )

    def _pass(
        self, plan: Plan, visible: Visibility, stop: threading.Event, started: float, *, is_first: bool
    ) -> Generator[Event, None, Passed]:
        """Run a plan once, its clock started then; it is drawn with the first pass only.

        Without its fallbacks: what was chosen is what runs.
        """
        catalogue = self._parts.catalogues.load(visible)
        check(plan, catalogue)
        edited = plan.model_copy(update={"fallbacks": ()})
        asked = Asked(
            question=plan.question,
            trace_id=uuid.uuid4().hex,
            data_version=self._parts.records.changes.data_version(),
            visibility=visible,
            at_ms=lambda: round((time.perf_counter() - started) * 1000, 3),
        )
        done: PlanFinished | None = None
        answer: Answer | None = None
        for event in self._parts.structured.inspect(Planned(edited, catalogue), edited, asked, stop):
            if isinstance(event, PlanFinished):
                done = event
            elif isinstance(event, Answer):
                answer = event
            elif is_first or not isinstance(event, PlanDrawn):
                yield event
        assert done is not None  # every run ends with it
        is_past = self._parts.records.changes.data_version() != asked.data_version
        return Passed(asked, done, answer, is_past)

    def answer_to(self, plan: Plan, principal: Principal = LOCAL_ADMIN) -> Answer:
        """What a run comes to. Raises PlanError where it cannot run, UsageError where nothing tells it."""
        for event in self.run_stream(plan, principal):
            if isinstance(event, PlanRan) and event.answer is not None:
                return event.answer
        raise UsageError(
            "What this plan finds makes no answer.",
            next_step="Let its last node be a set, a value or groups.",
        )

    def statements(self, plan: Plan, node: str, principal: Principal = LOCAL_ADMIN) -> tuple[Statement, ...]:
        """What a node asks of the database, with its values; () of one that asks nothing of it.

        The node runs once more for it, and reads only. Raises PlanError, KeyError for an unknown node.
        """
        visible = Visibility.of(principal)
        check(plan, self._parts.catalogues.load(visible))
        version = self._parts.records.changes.data_version()
        return self._parts.structured.statements(plan, node, visible, version)


def _is_of_searches(plan: Plan) -> bool:
    """Whether the text that its searches find is what answers: then the words of passages do."""
    free = all(isinstance(node, Search) and not node.inputs and not node.where for node in plan.nodes)
    return bool(plan.nodes) and free and plan.route in (Route.HYBRID, Route.LONG_TEXT)
