"""The open plan of the inspector, and its ways in: an address, a question, a file, an audit."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from app import links, services, state
from app.components.shell import guarded
from app.presenting.plan_diff import asks_the_same
from app.running.plan_runs import RunningPlan
from app.views.plan import history
from app.views.plan import run as plan_run
from app.views.plan.history import Draft
from core.domain.event import Event, Finished
from core.domain.ids import TraceId
from core.errors import GroundworkError, NotFoundError, PlanError
from core.plan.clarify import Clarify
from core.plan.ir.nodes import Node, Plan
from core.plan.ir.serialization import plan_of, read_plan_file
from core.plan.ir.validate import Problem

_GONE = NotFoundError(
    "This plan is not there, or it is not for you to see.",
    next_step="Ask who sent the link to share it with you, or put the question again.",
)


@dataclass(frozen=True, slots=True)
class OpenPlan:
    """Content of the page. run: the last one, also of an earlier plan; before, base: to compare it with.

    is_running: whether it did when this was looked up: one drawing of the page says one thing. problems: why
    the plan cannot run, () where it can.
    """

    draft: Draft
    node: str
    revision: int
    is_running: bool = False
    problems: tuple[Problem, ...] = ()
    run: RunningPlan | None = None
    before: RunningPlan | None = None
    base: RunningPlan | None = None

    @property
    def plan(self) -> Plan:
        """The plan as it is now."""
        return self.draft.plan

    @property
    def is_current(self) -> bool:
        """True where the last run is of the plan as it is now."""
        return self.run is not None and asks_the_same(self.run.plan, self.plan)

    @property
    def selected(self) -> Node | None:
        """The node that is open."""
        return next((each for each in self.plan.nodes if each.id == self.node), None)


def follow_address() -> GroundworkError | Clarify | None:
    """Open what the address asks for, unless it is; gives why it could not be, and leaves what was there."""
    kept = state.inspection()
    asked, question = state.from_address("plan"), state.from_address("question")
    if asked and (kept is None or asked != kept["id"]):
        try:
            _open(*_read(asked), address=asked, runs=True)
        except GroundworkError as error:
            return error
    elif question and (kept is None or question != kept["asked"]):
        return draw_plan(question, tuple(each for each in state.from_address("in").split(",") if each))
    elif kept is not None:
        state.to_address(plan=kept["id"] or None, question=None if kept["id"] else kept["asked"])
    return None


def opened() -> OpenPlan | None:
    """The open plan, looked up anew."""
    kept = state.inspection()
    if kept is None:
        return None
    session = services.session()
    draft = history.from_json(kept["draft"])
    wanted = state.from_address("node")
    node = wanted if any(each.id == wanted for each in draft.plan.nodes) else draft.plan.answer_node or ""
    runs = {
        name: services.plan_runs().get(kept[name], session.principal) for name in ("run", "before", "base")
    }
    if kept["run"] and runs["run"] is None:  # the process began anew: what was there comes from the store
        runs["run"] = plan_run.start(kept, draft.plan)
    is_running = runs["run"] is not None and not runs["run"].done
    problems = session.plans.problems(draft.plan)
    return OpenPlan(draft, node, kept["revision"], is_running, problems, **runs)


def came_from() -> dict[str, str]:
    """The answer from which the plan was opened, as the address of Ask has it; {} of any other plan."""
    asked = state.from_address("conversation"), state.from_address("turn")
    if all(asked):
        return {**links.answer(*asked), "at": f"{state.PLAN}.0"}
    kept = state.inspection()
    return dict(kept["back"]) if kept is not None else {}


def answer_events() -> tuple[Event, ...]:
    """The trace of the answer that the open plan is of; () of any other plan."""
    kept = state.inspection()
    if kept is None or not kept["id"] or kept["id"].startswith("z"):
        return ()
    try:
        return services.session().questions.trace(TraceId(kept["id"])).events
    except NotFoundError:  # it is an audit
        return ()


def draw_plan(question: str, buckets: tuple[str, ...]) -> GroundworkError | Clarify | None:
    """Plan a question and open it, not run; gives what is to be asked back, or why there is no plan."""
    session = services.session()
    question = question.strip()
    if not question:
        return None
    try:
        found = session.plans.make(question, buckets=buckets)
    except GroundworkError as error:
        return error
    if isinstance(found, Clarify):
        return found
    if not found.nodes:
        return PlanError("There is nothing to look up for this.", next_step="Ask about the documents.")
    _open(found, "", 0, address="", runs=False, asked=question)
    return None


def ask(question: str, buckets: tuple[str, ...]) -> None:
    """Put a question; its plan is drawn, and not run."""
    state.to_address(plan=None, node=None, question=question.strip(), **{"in": ",".join(buckets) or None})


@guarded
def open_file(text: bytes | str) -> None:
    """Open a plan that was written out; one that cannot run names the node, and leaves what was there."""
    plan = plan_of(read_plan_file(text).plan)
    problems = services.session().plans.problems(plan)
    if problems:
        first = problems[0]
        where = f"Node {first.node!r}: " if first.node else ""
        raise PlanError(f"{where}{first.message}", next_step=first.next_step, problems=problems)
    _open(plan, "", 0, address=history.packed(plan), runs=True)


@guarded
def open_audit(id: str) -> None:
    """Open a saved audit."""
    _open(*_read(id), address=id, runs=True)


def close() -> None:
    """Nothing is open; the plan that was can be opened again by its address."""
    state.inspection.set(None)
    state.to_address(plan=None, question=None, node=None)


def _read(address: str) -> tuple[Plan, str, int]:
    """The plan of an address, with the audit that it is of and its version. Raises GroundworkError."""
    session = services.session()
    if address.startswith("z"):
        return plan_of(read_plan_file(history.unpacked(address)).plan), "", 0
    try:
        audit = session.audits.get(address)
        return plan_of(audit.plan), audit.id if audit.name else "", audit.version
    except NotFoundError:
        pass
    try:
        trace = session.questions.trace(TraceId(address))
    except NotFoundError:
        raise _GONE from None
    answer = next((each.answer for each in trace.events if isinstance(each, Finished)), None)
    if answer is None or not answer.plan or not answer.plan.get("nodes"):
        raise NotFoundError("This answer was given without a plan.", next_step="Put its question here.")
    return plan_of(answer.plan), "", 0


def _open(plan: Plan, audit: str, version: int, *, address: str, runs: bool, asked: str = "") -> None:
    before, plan = state.inspection(), services.session().plans.by_sql(plan)
    kept: dict[str, Any] = {
        "id": address,
        "asked": asked,
        "draft": history.to_json(Draft.of(plan, audit, version)),
        "revision": (before["revision"] if before else 0) + 1,
        "run": "",
        "before": "",
        "base": "",
        "forms": {},
        "back": came_from(),
    }
    state.inspection.set(kept)
    state.to_address(plan=address or None, question=None if address else asked or None)
    if runs and plan_run.can_run(plan):
        plan_run.start(kept, plan)
