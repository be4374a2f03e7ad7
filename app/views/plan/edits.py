"""Changes of the plan that is open: made in a form or in the graph, undone and made again."""

from __future__ import annotations

import json
from collections.abc import Callable

import streamlit as st

from app import links, services, state
from app.components.shell import guarded
from app.panels.node_panel import GIVES, PART_KEY, TAB_KEY
from app.views.plan import history, open_plan, run
from app.views.plan.history import Draft
from core.plan.ir import graph_edits
from core.plan.ir.graph_edits import purpose_of, with_node
from core.plan.ir.nodes import Node, Plan, SelectionNode, clause_parts

NODE_FRAGMENT = "node-fragment"


def apply(plan: Plan, *, redraws: bool = True, node: str | None = None) -> None:
    """Put another plan in place of what is open, and run what depends on the change where it can run.

    redraws: whether the widgets of the form take their values from it anew. node: the one to open.
    """
    _change(lambda draft: history.changed(draft, plan), redraws=redraws)
    if node is not None:
        pick(node)


def _change(how: Callable[[Draft], Draft], *, redraws: bool = True) -> None:
    kept = state.inspection()
    if kept is None:
        return
    draft = history.from_json(kept["draft"])
    now = how(draft)
    if now is draft:
        return
    kept = {**kept, "draft": history.to_json(now), "id": _address(kept["id"], now)}
    if redraws:
        kept |= {"revision": kept["revision"] + 1, "forms": {}}
    state.inspection.set(kept)
    state.to_address(plan=kept["id"] or None, question=None, **{"in": None})
    state.redraw()
    if kept["run"] and run.can_run(now.plan):
        run.start(kept, now.plan)


def _address(known: str, draft: Draft) -> str:
    """A piece of address that opens this very plan: that of its audit where nothing was changed."""
    if draft.audit and not draft.is_changed:
        return draft.audit
    return history.packed(draft.plan) or known


def undo() -> None:
    """Take the last change back."""
    _change(history.undone)


def redo() -> None:
    """Make the change again that was taken back."""
    _change(history.redone)


def reset() -> None:
    """Back to the plan as it was made."""
    _change(history.reset)


def pick(node: str) -> None:
    """Open a node from elsewhere than the graph, which is then drawn again."""
    state.to_address(node=node)
    state.picks.add()
    state.redraw()


def open_node(node: str) -> None:
    """Open a node from the graph, which has marked it already: only the panel of the node is drawn again."""
    state.to_address(node=node)
    state.picks.add()
    st.rerun(NODE_FRAGMENT)


@guarded
def add(kind: str) -> None:
    """A new node behind the one that is open, which is then open itself."""
    found = open_plan.opened()
    if found is not None:
        plan, id = graph_edits.with_new(found.plan, kind, found.node)
        apply(plan, node=id)


@guarded
def remove(node: str) -> None:
    """Take a node out; what took it in takes in what it took in."""
    found = open_plan.opened()
    if found is not None and any(each.id == node for each in found.plan.nodes):
        after = next(iter(found.plan.node(node).inputs), "")
        apply(graph_edits.without(found.plan, node), node=after)


def answer_with(node: str) -> None:
    """Let another node answer."""
    found = open_plan.opened()
    if found is not None:
        apply(graph_edits.answered_by(found.plan, node))


def form_changed(key: str, node: Node) -> bool:
    """True where the form of a node differs from its last run; never the first time."""
    kept = state.inspection()
    if kept is None:
        return False
    now = node.model_dump_json()
    known = kept["forms"].get(key)
    if known != now:
        state.inspection.set({**kept, "forms": {**kept["forms"], key: now}})
    return known is not None and known != now


def apply_node(plan: Plan, before: Node, now: Node) -> None:
    """Put a node in place that a form changed; words that were made for what it was are made anew."""
    parts = {name for name in type(now).model_fields if getattr(before, name) != getattr(now, name)}
    catalogue = services.session().plans.catalogue()
    plan = with_node(plan, now.model_copy(update={"purpose": purpose_of(now, plan, catalogue)}))
    redraws = "inputs" in parts or _lines(before) != _lines(now)
    apply(plan, redraws=redraws)


def _lines(node: Node) -> list[int]:
    """Number of conditions in each line of a form."""
    return [len(clause_parts(each)) for each in node.conditions] if isinstance(node, SelectionNode) else []


@guarded
def run_plan() -> None:
    """Run the plan as it is. Raises PlanError where it cannot run."""
    kept, found = state.inspection(), open_plan.opened()
    if kept is not None and found is not None and not found.problems:
        run.start(kept, found.plan, waits=False)


def show_part(part: str) -> None:
    """Open the documents of a part of the ledger, in the node that answers."""
    found = open_plan.opened()
    if found is not None:
        pick(found.plan.answer_node or "")
        state.set_widget(TAB_KEY, GIVES)
        state.set_widget(PART_KEY, part)


def exported() -> str:
    """The plan as the file that `groundwork ask --plan` and this page read."""
    found = open_plan.opened()
    return (
        json.dumps(services.session().plans.export(found.plan), ensure_ascii=False, indent=2) if found else ""
    )


def shared(everybody: bool) -> str:
    """Keep the plan for a short link; gives its address."""
    found = open_plan.opened()
    if found is None:
        return ""
    acl: tuple[str, ...] | None = () if everybody else None
    return links.inspector(services.session().audits.share(found.plan, acl=acl))
