"""The graph of the open plan: its states, and what can be done in it."""

from __future__ import annotations

from typing import Any

from app import services, state
from app.components.plan_graph import GraphView, draw_graph, node_state
from app.presenting.wording import counted
from app.views.plan import edits, run
from app.views.plan.open_plan import OpenPlan
from core.plan.ir import graph_edits
from core.plan.ir.hashing import node_hashes
from core.plan.ir.nodes import Plan


def draw_open_graph(found: OpenPlan) -> None:
    """Draw it; nodes that are as they were when they ran last show what they gave then."""
    plan = services.session().plans.estimate(found.plan)
    wrong = {each.node: each.message for each in reversed(found.problems) if each.node}
    outcome = found.run.outcome if found.run is not None else None
    known = _same_nodes(outcome.plan, plan) if outcome is not None else {}
    states: dict[str, dict[str, Any]] = {}
    for node in plan.nodes:
        was = known.get(node.id) if outcome is not None else None
        if outcome is None or was is None:
            states[node.id] = node_state(node, wrong.get(node.id, ""))
            continue
        ran = node.model_copy(update={"ran": outcome.plan.node(was).ran})
        states[node.id] = node_state(
            ran, wrong.get(node.id, ""), outcome.results.get(was), outcome.stopped.get(was)
        )
    is_current = found.is_current
    view = GraphView(
        plan=plan,
        selected=found.node,
        states=states,
        unused=graph_edits.unused(plan),
        run=found.run.id if found.run is not None and is_current else "",
        watch=found.is_running and is_current,
        spent_ms=found.run.spent_ms if found.run is not None and found.is_running else 0.0,
        said=_said(found),
        picks=state.picks(),
    )
    draw_graph(view, pick=edits.open_node, remove=edits.remove, cancel=run.cancel, done=lambda id: None)


def _same_nodes(before: Plan, now: Plan) -> dict[str, str]:
    """For nodes that ask for the same as one of an earlier plan, that one."""
    try:
        old, new = node_hashes(before), node_hashes(now)
    except ValueError:  # a circle, which no run has
        return {}
    by_hash = {known: id for id, known in old.items()}
    return {id: by_hash[known] for id, known in new.items() if known in by_hash}


def _said(found: OpenPlan) -> str:
    if found.problems:
        return f"It cannot run: {counted(len(found.problems), 'thing')} to put right."
    if found.run is None:
        return "Drawn and not run yet; figures are estimates."
    if found.run.cancelled.is_set():
        return "The run was cancelled."
    return "" if found.is_current else "Changed since it ran."
