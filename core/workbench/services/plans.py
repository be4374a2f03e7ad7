"""Plans: made for a question, checked, estimated, run event by event, written out and read in."""

from __future__ import annotations

import threading
import time
import uuid
from collections.abc import Generator, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

from core.answer.files import with_files
from core.ask.computed_answer import ComputedAnswer
from core.ask.request import QuestionRequest
from core.domain.answer import Answer, Degradation, Route
from core.domain.event import Answered, Degraded, Event, PlanDrawn
from core.domain.results import Result, Stopped
from core.domain.trust.deed import Deed
from core.domain.trust.permission import Action
from core.errors import PlanError, UsageError
from core.guard.question_guard import masked_question
from core.plan.catalogue import Catalogue
from core.plan.clarify import Clarify
from core.plan.ir.graph_edits import estimated
from core.plan.ir.nodes import Plan
from core.plan.ir.serialization import PlanFile, plan_of, read_plan_file, stored_plan, write_plan_file
from core.plan.ir.validate import Problem, check, validate
from core.plan.operators.as_query import as_query
from core.plan.run.executor import PlanFinished, RunContext
from core.plan.run.tools import Tools
from core.plan.text_plan import searches
from core.store.database.chain import is_doing
from core.store.database.sql_log import SqlStatement
from core.store.database.visibility import Visibility
from core.workbench.recorded import deed_of, recorded
from core.workbench.services.base import Service, watched

MOVED = Degradation(
    code="E005",
    message="Documents were added or changed while this ran, so it may rest on two states of them. Run it "
    "again once that is done.",
)
_MOST_AGAIN = 2  # times that a plan runs again because the collection changed under it


@dataclass(frozen=True, slots=True)
class PlanRan:
    """Outcome of a run. plan: with its figures; answer: None where it was cancelled or nothing tells it.

    results, stopped: by node what it gave, or why it gave nothing.
    """

    plan: Plan
    results: Mapping[str, Result]
    stopped: Mapping[str, Stopped]
    answer: Answer | None
    data_version: int


@dataclass(frozen=True, slots=True)
class PassResult:
    """Outcome of one pass through a plan. is_past: the collection has changed since it began."""

    asked: QuestionRequest
    done: PlanFinished
    answer: Answer | None
    is_past: bool


class PlanService(Service):
    """Plans, over what the principal may see."""

    def is_shown(self, ran: PlanRan) -> bool:
        """True where all that a run gave rests on documents that may still be seen."""
        return self._visible.groups is None or not self._mask.tells(str(ran))

    def export(self, plan: Plan) -> dict[str, Any]:
        """A plan as the JSON document that `load` and `groundwork ask --plan` read."""
        return write_plan_file(PlanFile(plan=stored_plan(plan)))

    def load(self, text: str | bytes | Mapping[str, Any]) -> Plan:
        """The plan of such a document. Raises PlanError, which names the node, where it cannot run here."""
        plan = plan_of(read_plan_file(text).plan)
        self._check(plan)
        return self.by_sql(plan)

    def by_sql(self, plan: Plan) -> Plan:
        """A plan from elsewhere with its nodes over rows as SQL, as they run, where a statement says them."""
        with suppress(PlanError):
            return as_query(plan, self._catalogue)
        return plan

    def make(self, question: str, *, buckets: tuple[str, ...] = ()) -> Plan | Clarify:
        """Plan for a question, estimated as `estimate` does, its personal data masked; nothing runs.

        Raises RefusedError.
        """
        self._permit(Action.QUERY)
        planned = self._parts.structured.plan(
            masked_question(question), self._visible.within(buckets), buckets
        ).plan
        return self._without_figures(planned) if isinstance(planned, Plan) else planned

    def problems(self, plan: Plan) -> tuple[Problem, ...]:
        """Problems that keep a plan from running; () where it can."""
        return validate(plan, self._catalogue)

    @recorded("plan.run")
    def run(self, plan: Plan) -> Answer:
        """Run a plan, also one that was edited, and answer from it.

        Raises PlanError where it cannot run, RefusedError where a policy does not allow what its nodes ask.
        """
        check(plan, self._catalogue)
        self._door.require_plan(plan)
        if plan.route is not Route.STRUCTURED:
            raise UsageError(
                "This plan searches text, and is run by asking its question.",
                next_step=f"Ask: {plan.question}",
            )
        return self.answer(plan)

    def tools(self) -> Tools:
        """The tools that a model may call for this principal, with their schemas."""
        return self._parts.tools(self._visible, self._door)

    def catalogue(self) -> Catalogue:
        """The kinds of documents, fields, values and parties that plans may ask for. Raises RefusedError."""
        self._permit(Action.QUERY)
        return self._catalogue

    def estimate(self, plan: Plan) -> Plan:
        """The plan with what statistics say about each node; nothing runs.

        Of a plan that would be refused they say nothing: how many fulfil its conditions is what it asks.
        """
        if (bare := self._without_figures(plan)) is not plan:
            return bare
        statistics = self._parts.statistics.load(self._visible)
        return estimated(plan, self._catalogue, statistics)

    def _without_figures(self, plan: Plan) -> Plan:
        """The plan itself where it may be run, else without its estimates."""
        if self._door.refusal(plan) is None:
            return plan
        bare = tuple(node.model_copy(update={"estimate": None, "ran": None}) for node in plan.nodes)
        return plan.model_copy(update={"nodes": bare})

    def stream(self, plan: Plan, cancelled: threading.Event | None = None) -> Iterator[Event | PlanRan]:
        """Run a plan, also one that was edited; what happens as it happens and, last, what it came to.

        What did not change since it ran before comes from memory. Where the collection changes meanwhile, it
        runs again: no answer rests on two states, or it says so. Raises PlanError where it cannot run, and
        RefusedError, both before a node has run.
        """
        return watched(self._run(plan, cancelled), "plan")

    def _run(self, plan: Plan, cancelled: threading.Event | None) -> Iterator[Event | PlanRan]:
        check(plan, self._catalogue)
        self._door.require_plan(plan)
        stop, started = cancelled or threading.Event(), time.perf_counter()
        visible = self._visible.promising(self._promise(plan.promise))
        plan = self._parts.structured.planner(visible).owned(plan, ())
        passed = yield from self._pass(plan, visible, stop, started, is_first=True)
        for _ in range(_MOST_AGAIN):
            if passed.is_past and not stop.is_set():
                passed = yield from self._pass(plan, visible, stop, started, is_first=False)
        asked, done, answer = passed.asked, passed.done, passed.answer
        if answer is not None and passed.is_past and not stop.is_set():
            yield Degraded(at_ms=asked.at_ms(), degradation=MOVED)
            answer = answer.model_copy(update={"degradations": (*answer.degradations, MOVED)})
        if answer is None and not stop.is_set() and _is_of_searches(plan):
            for event in self._parts.orchestrator.answer_plan(done.plan, self._principal):
                yield event
                if isinstance(event, Answered):
                    answer = event.answer
        if answer is not None and not stop.is_set():
            spent = {"total": asked.at_ms(), **answer.timings_ms}
            answer = answer.model_copy(update={"timings_ms": spent})
            if not is_doing():
                self._parts.records.audit_log.append(self._ran(answer))
        yield PlanRan(
            done.plan, done.results, done.stopped, None if stop.is_set() else answer, asked.data_version
        )

    def _ran(self, answer: Answer) -> Deed:
        """The deed of a run that somebody followed, with the documents that it showed."""
        shown = {place.document for place in answer.citations}
        shown |= set(answer.table.documents) if answer.table is not None else set()
        deed = deed_of("plan.run", self._principal, {"shown": sorted(shown)})
        return replace(deed, trace=answer.trace_id)

    def answer(self, plan: Plan) -> Answer:
        """Answer of a run. Raises PlanError where it cannot run, UsageError where nothing tells it."""
        for event in self.stream(plan):
            if isinstance(event, PlanRan) and event.answer is not None:
                return event.answer
        raise UsageError(
            "What this plan finds makes no answer.",
            next_step="Let its last node be a set, a value or groups.",
        )

    def statements(self, plan: Plan, node: str) -> tuple[SqlStatement, ...]:
        """Database statements of a node, with their values; () of one that asks nothing of it.

        The node runs once more for it, and reads only. Raises PlanError and RefusedError, KeyError for an
        unknown node.
        """
        visible = self._visible.promising(self._promise(plan.promise))
        catalogue = self._parts.catalogues.load(visible)
        check(plan, catalogue)
        self._door.require_plan(plan)
        version = self._parts.records.changes.data_version()
        context = RunContext(visible, version, self._door, catalogue.fingerprint)
        return self._parts.structured.executor.statements(plan, node, context)

    def _pass(
        self, plan: Plan, visible: Visibility, stop: threading.Event, started: float, *, is_first: bool
    ) -> Generator[Event, None, PassResult]:
        """Run a plan once, its clock started then; it is drawn with the first pass only.

        Without its fallbacks: what was chosen is what runs.
        """
        snapshot = visible.at(self._parts.records.changes.data_version())
        check(plan, self._parts.catalogues.load(snapshot))
        edited = plan.model_copy(update={"fallbacks": ()})
        asked = QuestionRequest(
            question=plan.question,
            trace_id=uuid.uuid4().hex,
            data_version=snapshot.data_version,
            visibility=snapshot,
            door=self._door,
            at_ms=lambda: round((time.perf_counter() - started) * 1000, 3),
        )
        done: PlanFinished | None = None
        answer: Answer | None = None
        for event in self._parts.structured.run(edited, asked, cancelled=stop):
            if isinstance(event, PlanFinished):
                done = event
            elif isinstance(event, ComputedAnswer):
                answer = with_files(event.whole, self._parts.records, snapshot)
            elif is_first or not isinstance(event, PlanDrawn):
                yield event
        assert done is not None  # every run ends with it
        is_past = self._parts.records.changes.data_version() != asked.data_version
        return PassResult(asked, done, answer, is_past)


def _is_of_searches(plan: Plan) -> bool:
    """True where the text that its searches find is what answers: then the words of passages do."""
    free = [node for node in searches(plan.nodes) if not node.inputs and not node.where]
    return bool(plan.nodes) and len(free) == len(plan.nodes) and plan.route in (Route.HYBRID, Route.LONG_TEXT)
