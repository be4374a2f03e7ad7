"""What the page of the inspector can do, as its bar, its graph and its tables are given it."""

from __future__ import annotations

import json

from app import inspect_change, inspect_open, inspect_run, links, services, state
from app.components.node_panel import GIVES, PART_KEY, TAB_KEY
from app.components.plan_bar import BarActions
from app.components.plan_graph import GraphActions
from app.components.shell import guarded


@guarded
def run() -> None:
    """Run the plan as it is. Raises PlanError where it cannot run."""
    kept, found = state.inspection(), inspect_open.opened()
    if kept is not None and found is not None and not found.problems:
        inspect_run.start(kept, found.plan, waits=False)


def show_part(part: str) -> None:
    """Open the documents of a part of the ledger, in the node that answers."""
    found = inspect_open.opened()
    if found is not None:
        inspect_change.pick(found.plan.answer_node or "")
        state.set_widget(TAB_KEY, GIVES)
        state.set_widget(PART_KEY, part)


def exported() -> str:
    """The plan as the file that `groundwork ask --plan` and this page read."""
    found = inspect_open.opened()
    return json.dumps(services.bench().export_plan(found.plan), ensure_ascii=False, indent=2) if found else ""


def shared(everybody: bool) -> str:
    """Keep the plan for a short link; gives its address."""
    found = inspect_open.opened()
    if found is None:
        return ""
    acl: tuple[str, ...] | None = () if everybody else None
    return links.inspector(services.bench().share_plan(found.plan, services.current_principal(), acl=acl))


def bar_actions() -> BarActions:
    """What can be done with the plan as a whole."""
    return BarActions(
        ask=inspect_open.ask,
        run=run,
        undo=inspect_change.undo,
        redo=inspect_change.redo,
        reset=inspect_change.reset,
        add=inspect_change.add,
        audit=inspect_open.open_audit,
        file=inspect_open.open_file,
        share=shared,
        export=exported,
        close=inspect_open.close,
    )


def graph_actions() -> GraphActions:
    """What can be done in the graph; a run that is over needs only to be drawn."""
    return GraphActions(
        pick=inspect_change.open_node,
        remove=inspect_change.remove,
        cancel=inspect_run.cancel,
        done=lambda _run: None,
    )
