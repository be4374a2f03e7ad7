"""Runs a plan: nodes side by side where they can, each once, from what was kept where nothing has changed."""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable, Collection, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Protocol

from core.domain.results import (
    UNFIT,
    Comparison,
    Connections,
    Documents,
    FoundValue,
    Groups,
    Passages,
    QueryTable,
    Result,
    Stopped,
)
from core.errors import GroundworkError, UsageError
from core.plan.door import PlanDoor
from core.plan.ir.hashing import ancestors, in_order, node_hashes
from core.plan.ir.nodes import Figures, Node, Plan, spec_of
from core.plan.run.memo import Memo, lasting, memo_key
from core.store.database.sql_log import SqlStatement, overheard
from core.store.database.visibility import Visibility


def looked_at(node: Node, found: Result, inputs: Collection[Result]) -> int:
    """About how many documents or rows a node had to look at, as estimates reckon it."""
    looks_at = spec_of(node).looks_at
    if looks_at == "nothing":
        return 0
    if looks_at == "scope":
        return len(found.scope) if isinstance(found, Documents) else size_of(found)[1]
    return sum(size_of(each)[1] for each in inputs)


def size_of(result: Result) -> tuple[int, int]:
    """Number of rows in a result, and of those that fulfil what was asked (of documents: are present)."""
    match result:
        case Documents():
            return len(result.scope), len(result.present)
        case Passages():
            return len(result.hits), len(result.hits)
        case Groups():
            return len(result.groups), result.rows
        case Comparison():
            return len(result.rows), len(result.rows)
        case QueryTable():
            return len(result.rows), result.counted
        case Connections():
            return len(result.documents.scope), len(result.ways)
        case FoundValue():
            return 1, 1


WORKERS = 4
PLAN_DEADLINE_S = 8.0
HOP_DEADLINE_S = 2.0
_PATIENCE_S = 0.1  # between two looks at what is late or cancelled while nothing ends


@dataclass(frozen=True, slots=True)
class RunContext:
    """For whom a plan runs, over which state of the collection, and how long it may take.

    door: of the policies, which the plan passes before a node of it runs.
    asked: which fields are asked of documents, as a fingerprint; another one means other results.
    """

    visibility: Visibility
    data_version: int
    door: PlanDoor
    asked: str = ""
    deadline_s: float = PLAN_DEADLINE_S
    node_deadline_s: float = PLAN_DEADLINE_S
    hop_deadline_s: float = HOP_DEADLINE_S


class Operators(Protocol):
    """Does the work of one node; thread-safe, a pure function of its arguments."""

    def run(
        self, node: Node, inputs: Mapping[str, Result], visibility: Visibility, deadline_s: float
    ) -> Result | Stopped:
        """Result of the node, or the reason for none. May raise a GroundworkError, which stops the node."""
        ...


@dataclass(frozen=True, slots=True)
class NodeStarted:
    """A node began."""

    node: str


@dataclass(frozen=True, slots=True)
class NodeFinished:
    """A node gave its result."""

    node: str
    result: Result
    figures: Figures


@dataclass(frozen=True, slots=True)
class NodeStopped:
    """A node gave nothing; what depends on it does not run."""

    node: str
    stopped: Stopped
    latency_ms: float


@dataclass(frozen=True, slots=True)
class PlanFinished:
    """The end: the plan with its figures, what each node gave, and which nodes stopped."""

    plan: Plan
    results: Mapping[str, Result]
    stopped: Mapping[str, Stopped]

    @property
    def answer(self) -> Result | Stopped | None:
        """Result of the answer node; None for a plan without nodes."""
        name = self.plan.answer_node
        return None if name is None else self.results.get(name) or self.stopped.get(name)


RunEvent = NodeStarted | NodeFinished | NodeStopped | PlanFinished


class Executor:
    """Thread-safe: every run has its own threads, and shares nothing with others but what is kept."""

    def __init__(
        self,
        operators: Operators,
        memo: Memo,
        *,
        workers: int = WORKERS,
        tick: Callable[[], float] = time.monotonic,
    ) -> None:
        self.operators = operators
        self._memo = memo
        self._workers = workers
        self._tick = tick

    def run(
        self, plan: Plan, context: RunContext, cancelled: threading.Event | None = None
    ) -> Iterator[RunEvent]:
        """Events as they happen, the last one PlanFinished. What comes out does not depend on timing.

        A plan that takes too long, or is cancelled, ends with what is there: the nodes that are not say why.
        Dropping the iterator cancels. Raises ValueError where nodes depend on one another in a circle, and
        RefusedError where a policy does not allow what they ask for: then none of them runs.
        """
        context.door.require(plan.nodes)
        run = _Run(plan, context, cancelled or threading.Event(), self._tick)
        pool = ThreadPoolExecutor(self._workers, thread_name_prefix="plan")
        try:
            yield from self._events(run, pool)
        except GeneratorExit:
            run.cancelled.set()
            raise
        finally:
            pool.shutdown(wait=False, cancel_futures=True)

    def statements(self, plan: Plan, id: str, context: RunContext) -> tuple[SqlStatement, ...]:
        """Database statements of a node: it runs once more, over what its inputs give, and is traced.

        () where an input gives nothing. Raises KeyError for an unknown node, RefusedError, and what operators
        raise.
        """
        context.door.require(plan.nodes)
        node, needed = plan.node(id), ancestors(plan, id)
        before = tuple(each for each in plan.nodes if each.id in needed and each.id != id)
        results: Mapping[str, Result] = {}
        if before:
            part = plan.model_copy(update={"nodes": before, "answer_node": before[-1].id})
            for event in self.run(part, context):
                if isinstance(event, PlanFinished):
                    results = event.results
        if any(name not in results for name in node.inputs):
            return ()
        with overheard() as said:
            inputs = {name: results[name] for name in node.inputs}
            self.operators.run(node, inputs, context.visibility, context.node_deadline_s)
        return tuple(said)

    def _events(self, run: _Run, pool: ThreadPoolExecutor) -> Iterator[RunEvent]:
        while run.waiting or run.running:
            for node in run.ready():
                lost = run.lost_input(node)
                if lost is not None:
                    yield run.stop(node.id, lost)
                elif len(run.running) < self._workers:
                    run.running[node.id] = self._tick()
                    run.waiting.remove(node.id)
                    yield NodeStarted(node.id)
                    pool.submit(self._work, node, run.inputs(node), run, run.is_whole(node))
            if run.running:
                yield from run.collect()
        nodes = tuple(node.model_copy(update={"ran": run.figures.get(node.id)}) for node in run.plan.nodes)
        done = run.plan.model_copy(update={"nodes": nodes})
        yield PlanFinished(done, run.results, run.stopped)

    def _work(self, node: Node, inputs: Mapping[str, Result], run: _Run, is_whole: bool) -> None:
        """In a thread of the run: hands its outcome over, and touches nothing else."""
        outcome: tuple[Result, str] | Stopped
        try:
            outcome = self._outcome(node, inputs, run, is_whole)
        except UsageError as error:
            detail = {UNFIT: True}
            outcome = Stopped(node=node.id, reason=error.message, next_step=error.next_step, detail=detail)
        except GroundworkError as error:
            outcome = Stopped(node=node.id, reason=error.message, next_step=error.next_step)
        except Exception as error:
            run.finished.put((node.id, error))
            return
        run.finished.put((node.id, outcome))

    def _outcome(
        self, node: Node, inputs: Mapping[str, Result], run: _Run, is_whole: bool
    ) -> tuple[Result, str] | Stopped:
        """is_whole: all that it takes in came about as configured; else nothing is kept, nor remembered."""
        context = run.context
        key = memo_key(run.hashes[node.id], context.data_version, context.visibility, context.asked)
        lasts = node.id in run.lasting
        kept = self._memo.get(key, lasts=lasts) if is_whole else None
        if kept is not None:
            return kept
        began = time.perf_counter()
        found = self.operators.run(node, inputs, context.visibility, run.seconds_for(node))
        if isinstance(found, Stopped):
            return (
                found
                if found.detail or found.is_question
                else found.model_copy(update={"detail": {UNFIT: True}})
            )
        spent = (time.perf_counter() - began) * 1000
        self._memo.ran(node.type, looked_at(node, found, inputs.values()), spent)
        if is_whole and not _is_degraded(found):
            self._memo.put(key, context.data_version, found, lasts=lasts)
        return found, spec_of(node).source


def _is_degraded(result: Result) -> bool:
    """True where something did not work as configured: the next run may find more."""
    return isinstance(result, Passages) and bool(result.degradations)


@dataclass(slots=True)
class _Run:
    """One plan on its way; only the thread that iterates touches it, but for `finished` and `cancelled`."""

    plan: Plan
    context: RunContext
    cancelled: threading.Event
    tick: Callable[[], float]
    hashes: dict[str, str] = field(init=False)
    lasting: frozenset[str] = field(init=False)
    nodes: dict[str, Node] = field(init=False)
    waiting: list[str] = field(init=False)
    started: float = field(init=False)
    running: dict[str, float] = field(default_factory=dict)
    results: dict[str, Result] = field(default_factory=dict)
    degraded: set[str] = field(default_factory=set)  # nodes whose result rests on what did not work
    stopped: dict[str, Stopped] = field(default_factory=dict)
    figures: dict[str, Figures] = field(default_factory=dict)
    finished: queue.SimpleQueue[tuple[str, tuple[Result, str] | Stopped | Exception]] = field(
        default_factory=queue.SimpleQueue
    )

    def __post_init__(self) -> None:
        ordered = in_order(self.plan)
        self.hashes = node_hashes(self.plan)
        self.lasting = lasting(self.plan)
        self.nodes = {node.id: node for node in ordered}
        self.waiting = [node.id for node in ordered]
        self.started = self.tick()

    def ready(self) -> list[Node]:
        """The nodes that wait for nothing more, in the plan's order; all that wait, once it was cancelled."""
        known = self.results.keys() | self.stopped.keys()
        return [
            self.nodes[name]
            for name in list(self.waiting)
            if self.cancelled.is_set() or all(each in known for each in self.nodes[name].inputs)
        ]

    def lost_input(self, node: Node) -> Stopped | None:
        """Reason why a node cannot run: it was cancelled, time ran out, or what it needs is not there."""
        if self.cancelled.is_set():
            return _cancelled(node.id)
        if self.tick() - self.started > self.context.deadline_s:
            return self._late(node.id)
        for name in node.inputs:
            if name in self.stopped:
                said = self.stopped[name]
                return Stopped(
                    node=node.id,
                    reason=f"It needs {name!r}, which gave nothing: {said.reason}",
                    next_step=said.next_step,
                    options=said.options,
                    is_question=said.is_question,
                    detail={UNFIT: True} if said.detail.get(UNFIT) else {},
                )
        return None

    def inputs(self, node: Node) -> dict[str, Result]:
        """Inputs of a node, by id, in its order."""
        return {name: self.results[name] for name in node.inputs}

    def is_whole(self, node: Node) -> bool:
        """True where all that a node takes in came about as configured."""
        return self.degraded.isdisjoint(node.inputs)

    def seconds_for(self, node: Node) -> float:
        """Seconds that a node may take, of what is left for the plan."""
        own = self._deadline(node)
        return max(0.0, min(own, self.context.deadline_s - (self.tick() - self.started)))

    def stop(self, name: str, stopped: Stopped) -> NodeStopped:
        """Note that a node gives nothing."""
        began = self.running.pop(name, None)
        if name in self.waiting:
            self.waiting.remove(name)
        self.stopped[name] = stopped
        spent = 0.0 if began is None else round((self.tick() - began) * 1000, 3)
        return NodeStopped(name, stopped, spent)

    def collect(self) -> Iterator[RunEvent]:
        """Wait for the next node to end, or to have taken too long."""
        try:
            name, outcome = self.finished.get(timeout=_PATIENCE_S)
        except queue.Empty:
            for name in [each for each in self.running if self._is_over(each)]:
                yield self.stop(name, _cancelled(name) if self.cancelled.is_set() else self._late(name))
            return
        if name not in self.running:
            return  # it was given up before
        if isinstance(outcome, Exception):
            raise outcome
        if isinstance(outcome, Stopped):
            yield self.stop(name, outcome)
            return
        result, source = outcome
        spent = round((self.tick() - self.running.pop(name)) * 1000, 3)
        rows, hits = size_of(result)
        self.figures[name] = Figures(rows=rows, hits=hits, latency_ms=spent, source=source)
        self.results[name] = result
        if _is_degraded(result) or not self.is_whole(self.nodes[name]):
            self.degraded.add(name)
        yield NodeFinished(name, result, self.figures[name])

    def _deadline(self, node: Node) -> float:
        return self.context.hop_deadline_s if spec_of(node).is_hop else self.context.node_deadline_s

    def _is_over(self, name: str) -> bool:
        if self.cancelled.is_set():
            return True
        node, began = self.nodes[name], self.running[name]
        own = self._deadline(node)
        now = self.tick()
        return now - began > own or now - self.started > self.context.deadline_s

    def _late(self, name: str) -> Stopped:
        return Stopped(
            node=name,
            reason="It took too long.",
            next_step="Run it again, or narrow its documents.",
            detail={"code": "E005"},
        )


def _cancelled(name: str) -> Stopped:
    return Stopped(node=name, reason="It was cancelled.", next_step="Run the plan again.")
