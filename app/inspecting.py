"""What the inspector has open, and what happens when a plan is opened, changed, undone, run or cancelled."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from app import links, plan_draft, plan_edits, services, state
from app.components.node_panel import GIVES, PART_KEY, TAB_KEY
from app.components.plan_bar import BarActions
from app.components.plan_graph import GraphActions
from app.components.plan_results import Reading
from app.components.shell import guarded
from app.plan_draft import Draft
from app.plan_edits import purpose_of, with_node
from app.plan_runs import RunningPlan
from core.domain.event import Finished
from core.domain.ids import TraceId
from core.errors import GroundworkError, NotFoundError, PlanError
from core.plan.canonical import node_hashes
from core.plan.clarify import Clarify
from core.plan.exchange import plan_of, read_plan_file
from core.plan.ir import Choice, Node, Plan, Select
from core.plan.validate import Problem

WAIT_S = 0.22  # for a run, before the page is drawn without it: most edits take less
_GONE = NotFoundError(
    "This plan is not there, or it is not for you to see.",
    next_step="Ask who sent the link to share it with you, or put the question again.",
)


@dataclass(frozen=True, slots=True)
class Opened:
    """What the page draws. run: the last one, also of an earlier plan; before, base: to compare it with.

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
        """Whether the last run is of the plan as it is now."""
        return self.run is not None and same(self.run.plan, self.plan)

    @property
    def selected(self) -> Node | None:
        """The node that is open."""
        return next((each for each in self.plan.nodes if each.id == self.node), None)


def same(one: Plan, other: Plan) -> bool:
    """Whether two plans ask for the same: figures, purposes and reasons do not count."""
    if one.answer_node != other.answer_node:
        return False
    try:
        return node_hashes(one) == node_hashes(other)
    except ValueError:
        return False


# -- what is open ------------------------------------------------------------------------------------------


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


def opened() -> Opened | None:
    """What is open, looked up anew."""
    kept = state.inspection()
    if kept is None:
        return None
    bench, principal = services.bench(), services.current_principal()
    draft = plan_draft.from_json(kept["draft"])
    wanted = state.from_address("node")
    node = wanted if any(each.id == wanted for each in draft.plan.nodes) else draft.plan.answer_node or ""
    runs = {name: services.plan_runs().get(kept[name], principal) for name in ("run", "before", "base")}
    if kept["run"] and runs["run"] is None:  # the process began anew: what was there comes from the store
        runs["run"] = _start(kept, draft.plan)
    is_running = runs["run"] is not None and not runs["run"].done
    problems = bench.plan_problems(draft.plan, principal)
    return Opened(draft, node, kept["revision"], is_running, problems, **runs)


def draw_plan(question: str, buckets: tuple[str, ...]) -> GroundworkError | Clarify | None:
    """Plan a question and open it, not run; gives what is to be asked back, or why there is no plan."""
    bench, principal = services.bench(), services.current_principal()
    question = question.strip()
    if not question:
        return None
    try:
        found = bench.plan(question, principal, buckets=buckets)
    except GroundworkError as error:
        return error
    if isinstance(found, Clarify):
        return found
    if not found.nodes:
        return PlanError("There is nothing to look up for this.", next_step="Ask about the documents.")
    _open(found, "", 0, address="", runs=False, asked=question)
    return None


@guarded
def open_file(text: bytes | str) -> None:
    """Open a plan that was written out; one that cannot run names the node, and leaves what was there."""
    plan = plan_of(read_plan_file(text).plan)
    problems = services.bench().plan_problems(plan, services.current_principal())
    if problems:
        first = problems[0]
        where = f"Node {first.node!r}: " if first.node else ""
        raise PlanError(f"{where}{first.message}", next_step=first.next_step, problems=problems)
    _open(plan, "", 0, address=plan_draft.packed(plan), runs=True)


@guarded
def open_audit(id: str) -> None:
    """Open a saved audit."""
    _open(*_read(id), address=id, runs=True)


def close() -> None:
    """Nothing is open; the plan that was can be opened again by its address."""
    state.set_inspection(None)
    state.to_address(plan=None, question=None, node=None)


def _read(address: str) -> tuple[Plan, str, int]:
    """The plan of an address, with the audit that it is of and its version. Raises GroundworkError."""
    bench, principal = services.bench(), services.current_principal()
    if address.startswith("z"):
        return plan_of(read_plan_file(plan_draft.unpacked(address)).plan), "", 0
    try:
        audit = bench.audit(address, principal)
        return plan_of(audit.plan), audit.id if audit.name else "", audit.version
    except NotFoundError:
        pass
    try:
        trace = bench.trace(TraceId(address), principal)
    except NotFoundError:
        raise _GONE from None
    answer = next((each.answer for each in trace.events if isinstance(each, Finished)), None)
    if answer is None or not answer.plan or not answer.plan.get("nodes"):
        raise NotFoundError("This answer was given without a plan.", next_step="Put its question here.")
    return plan_of(answer.plan), "", 0


def _open(plan: Plan, audit: str, version: int, *, address: str, runs: bool, asked: str = "") -> None:
    before = state.inspection()
    kept: dict[str, Any] = {
        "id": address,
        "asked": asked,
        "draft": plan_draft.to_json(Draft.of(plan, audit, version)),
        "revision": (before["revision"] if before else 0) + 1,
        "run": "",
        "before": "",
        "base": "",
        "forms": {},
        "keep": None,
    }
    state.set_inspection(kept)
    state.to_address(plan=address or None, question=None if address else asked or None)
    if runs and not services.bench().plan_problems(plan, services.current_principal()):
        _start(kept, plan)


# -- changes -----------------------------------------------------------------------------------------------


def apply(plan: Plan, *, redraws: bool = True, node: str | None = None) -> None:
    """Put another plan in place of what is open, and run what depends on the change where it can run.

    redraws: whether the widgets of the form take their values from it anew. node: the one to open.
    """
    _change(lambda draft: plan_draft.changed(draft, plan), redraws=redraws)
    if node is not None:
        pick(node)


def _change(how: Callable[[Draft], Draft], *, redraws: bool = True) -> None:
    kept = state.inspection()
    if kept is None:
        return
    draft = plan_draft.from_json(kept["draft"])
    now = how(draft)
    if now is draft:
        return
    kept = {**kept, "draft": plan_draft.to_json(now), "id": _address(kept["id"], now)}
    if redraws:
        kept |= {"revision": kept["revision"] + 1, "forms": {}}
    state.set_inspection(kept)
    state.to_address(plan=kept["id"] or None, question=None, **{"in": None})
    state.redraw()
    has_run = bool(kept["run"])
    if has_run and not services.bench().plan_problems(now.plan, services.current_principal()):
        _start(kept, now.plan)


def _address(known: str, draft: Draft) -> str:
    """A piece of address that opens this very plan: that of its audit where nothing was changed."""
    if draft.audit and not draft.is_changed:
        return draft.audit
    return plan_draft.packed(draft.plan) or known


def undo() -> None:
    """Take the last change back."""
    _change(plan_draft.undone)


def redo() -> None:
    """Make the change again that was taken back."""
    _change(plan_draft.redone)


def reset() -> None:
    """Back to the plan as it was made."""
    _change(plan_draft.reset)


def pick(node: str) -> None:
    """Open a node."""
    state.to_address(node=node)
    state.redraw()


@guarded
def add(kind: str) -> None:
    """A new node behind the one that is open, which is then open itself."""
    found = opened()
    if found is not None:
        plan, id = plan_edits.with_new(found.plan, kind, found.node)
        apply(plan, node=id)


@guarded
def remove(node: str) -> None:
    """Take a node out; what took it in takes in what it took in."""
    found = opened()
    if found is not None and any(each.id == node for each in found.plan.nodes):
        after = next(iter(found.plan.node(node).inputs), "")
        apply(plan_edits.without(found.plan, node), node=after)


def answer_with(node: str) -> None:
    """Let another node answer."""
    found = opened()
    if found is not None:
        apply(plan_edits.answered_by(found.plan, node))


def ask(question: str, buckets: tuple[str, ...]) -> None:
    """Put a question; its plan is drawn, and not run."""
    state.to_address(plan=None, node=None, question=question.strip(), **{"in": ",".join(buckets) or None})


def show_part(part: str) -> None:
    """Open the documents of a part of the ledger, in the node that answers."""
    found = opened()
    if found is not None:
        pick(found.plan.answer_node or "")
        state.set_widget(TAB_KEY, GIVES)
        state.set_widget(PART_KEY, part)


def form_changed(key: str, node: Node) -> bool:
    """Whether the form of a node says something else than at its last run; a first time it never does."""
    kept = state.inspection()
    if kept is None:
        return False
    now = node.model_dump_json()
    known = kept["forms"].get(key)
    if known != now:
        state.set_inspection({**kept, "forms": {**kept["forms"], key: now}})
    return known is not None and known != now


def apply_node(plan: Plan, before: Node, now: Node) -> None:
    """Put a node in place that a form changed; words that were made for what it was are made anew."""
    parts = {name for name in type(now).model_fields if getattr(before, name) != getattr(now, name)}
    catalogue = services.bench().plan_catalogue(services.current_principal())
    plan = with_node(plan, now.model_copy(update={"purpose": purpose_of(now, plan, catalogue)}))
    redraws = "inputs" in parts or _lines(before) != _lines(now)
    apply(plan, redraws=redraws)


def _lines(node: Node) -> list[int]:
    """How many conditions stand in each line of a form."""
    if not isinstance(node, Select):
        return []
    return [len(each.any_of) if isinstance(each, Choice) else 1 for each in node.conditions]


# -- runs --------------------------------------------------------------------------------------------------


@guarded
def run() -> None:
    """Run the plan as it is. Raises PlanError where it cannot run."""
    kept, found = state.inspection(), opened()
    if kept is not None and found is not None and not found.problems:
        _start(kept, found.plan, waits=False)


def cancel(id: str) -> None:
    """Stop a run; what its nodes have given by then stays."""
    services.plan_runs().cancel(id, services.current_principal())


def _start(kept: Mapping[str, Any], plan: Plan, *, waits: bool = True) -> RunningPlan:
    """Begin a run, and wait a moment for it, so that one drawing of the page shows what most edits change."""
    runs, principal = services.plan_runs(), services.current_principal()
    last = runs.get(kept["run"], principal)
    started = runs.start(plan, principal)
    before = kept["before"]
    if last is not None and last.outcome is not None and last.outcome.answer is not None:
        before = last.id
    now = {**kept, "run": started.id, "before": before, "base": kept["base"] or started.id}
    state.set_inspection(now)
    if waits and last is not None:
        started.ended.wait(WAIT_S)
    return started


def reading() -> Reading:
    """How tables of the page look up documents and cells."""
    bench, principal = services.bench(), services.current_principal()
    catalogue = bench.plan_catalogue(principal)

    def title(name: str) -> str:
        stem, _, aspect = name.partition(".")
        entry = catalogue.field(stem)
        return (f"{entry.title}, {aspect}" if aspect else entry.title) if entry is not None else name

    return Reading(
        summaries=lambda ids: bench.documents_by_id(ids, principal),
        cells=lambda ids, fields: bench.cells(ids, fields, principal),
        title=title,
    )


def exported() -> str:
    """The plan as the file that `groundwork ask --plan` and this page read."""
    found = opened()
    return json.dumps(services.bench().export_plan(found.plan), ensure_ascii=False, indent=2) if found else ""


def shared(everybody: bool) -> str:
    """Keep the plan for a short link; gives its address."""
    found = opened()
    if found is None:
        return ""
    acl: tuple[str, ...] | None = () if everybody else None
    return links.inspector(services.bench().share_plan(found.plan, services.current_principal(), acl=acl))


def bar_actions() -> BarActions:
    """What can be done with the plan as a whole."""
    return BarActions(
        ask=ask,
        run=run,
        undo=undo,
        redo=redo,
        reset=reset,
        add=add,
        audit=open_audit,
        file=open_file,
        share=shared,
        export=exported,
        close=close,
    )


def graph_actions() -> GraphActions:
    """What can be done in the graph; a run that is over needs only to be drawn."""
    return GraphActions(pick=pick, remove=remove, cancel=cancel, done=lambda _run: None)
