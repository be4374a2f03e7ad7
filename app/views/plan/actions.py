"""Actions of the inspector's page, as its bar, its graph and its tables are given them."""

from __future__ import annotations

import json

from app import links, services, state
from app.components.node_panel import GIVES, PART_KEY, TAB_KEY
from app.components.plan_graph import GraphActions
from app.components.shell import guarded
from app.views.plan import edits, open_plan
from app.views.plan import run as plan_run
from app.views.plan.bar import BarActions


@guarded
def run() -> None:
    """Run the plan as it is. Raises PlanError where it cannot run."""
    kept, found = state.inspection(), open_plan.opened()
    if kept is not None and found is not None and not found.problems:
        plan_run.start(kept, found.plan, waits=False)


def show_part(part: str) -> None:
    """Open the documents of a part of the ledger, in the node that answers."""
    found = open_plan.opened()
    if found is not None:
        edits.pick(found.plan.answer_node or "")
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


def bar_actions() -> BarActions:
    """Actions on the plan as a whole."""
    return BarActions(
        ask=open_plan.ask,
        run=run,
        undo=edits.undo,
        redo=edits.redo,
        reset=edits.reset,
        add=edits.add,
        audit=open_plan.open_audit,
        file=open_plan.open_file,
        share=shared,
        export=exported,
        close=open_plan.close,
    )


def graph_actions() -> GraphActions:
    """Actions in the graph; a run that is over needs only to be drawn."""
    return GraphActions(
        pick=edits.open_node,
        remove=edits.remove,
        cancel=plan_run.cancel,
        done=lambda _run: None,
    )
