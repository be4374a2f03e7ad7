"""Running plans before somebody's eyes: event by event, with what every node gave and asked for."""

from __future__ import annotations

import threading
import time
import uuid
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from core.agent.asked import Asked
from core.agent.structured import Planned
from core.domain.answer import Answer, Route
from core.domain.event import Event, Finished
from core.domain.principal import LOCAL_ADMIN, Principal
from core.domain.results import Result, Stopped
from core.plan.catalogue import Catalogue
from core.plan.estimate import estimated
from core.plan.ir import Plan, Search
from core.plan.validate import check
from core.records.statements import Statement
from core.records.visibility import Visibility
from core.retrieval.executor import PlanFinished
from core.workbench.wiring import Parts


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
class Begun:
    """A plan that may run, and who asks. planned: without fallbacks: what was chosen is what runs."""

    planned: Planned
    plan: Plan
    asked: Asked


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

        What did not change since it ran before comes from memory. Raises PlanError where it cannot run.
        """
        stop = cancelled or threading.Event()
        begun = self._begin(plan, Visibility.of(principal))
        asked = begun.asked
        done: PlanFinished | None = None
        answer: Answer | None = None
        for event in self._parts.structured.inspect(begun.planned, begun.plan, asked, stop):
            if isinstance(event, PlanFinished):
                done = event
            elif isinstance(event, Answer):
                answer = event
            else:
                yield event
        assert done is not None  # every run ends with it
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

    def statements(self, plan: Plan, node: str, principal: Principal = LOCAL_ADMIN) -> tuple[Statement, ...]:
        """What a node asks of the database, with its values; () of one that asks nothing of it.

        The node runs once more for it, and reads only. Raises PlanError, KeyError for an unknown node.
        """
        visible = Visibility.of(principal)
        check(plan, self._parts.catalogues.load(visible))
        version = self._parts.records.changes.data_version()
        return self._parts.structured.statements(plan, node, visible, version)

    def _begin(self, plan: Plan, visible: Visibility) -> Begun:
        """What a run of a plan needs, its clock started. Raises PlanError where it cannot run."""
        catalogue = self._parts.catalogues.load(visible)
        check(plan, catalogue)
        started = time.perf_counter()
        edited = plan.model_copy(update={"fallbacks": ()})
        asked = Asked(
            question=plan.question,
            trace_id=uuid.uuid4().hex,
            data_version=self._parts.records.changes.data_version(),
            visibility=visible,
            at_ms=lambda: round((time.perf_counter() - started) * 1000, 3),
        )
        return Begun(Planned(edited, catalogue), edited, asked)


def _is_of_searches(plan: Plan) -> bool:
    """Whether the text that its searches find is what answers: then the words of passages do."""
    free = all(isinstance(node, Search) and not node.inputs and not node.where for node in plan.nodes)
    return bool(plan.nodes) and free and plan.route in (Route.HYBRID, Route.LONG_TEXT)
