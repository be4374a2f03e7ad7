"""Runs of the plan that is open: begun, waited for a moment, and cancelled."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from app import services, state
from app.running.plan_runs import RunningPlan
from core.plan.ir.nodes import Plan

WAIT_S = 0.22  # for a run, before the page is drawn without it: most edits take less


def can_run(plan: Plan) -> bool:
    """True where nothing speaks against running it."""
    return not services.session().plans.problems(plan)


def start(kept: Mapping[str, Any], plan: Plan, *, waits: bool = True, audit: str = "") -> RunningPlan:
    """Begin a run, and wait a moment for it, so that one drawing of the page shows what most edits change.

    kept: what the inspector has open, as the session remembers it; the run is its last one from now on.
    audit: what it gives is kept as a run of this one.
    """
    runs, principal = services.plan_runs(), services.current_principal()
    last = runs.get(kept["run"], principal)
    started = runs.start(plan, principal, audit)
    before = kept["before"]
    if last is not None and last.outcome is not None and last.outcome.answer is not None:
        before = last.id
    now = {**kept, "run": started.id, "before": before, "base": kept["base"] or started.id}
    state.inspection.set(now)
    if waits and last is not None:
        started.ended.wait(WAIT_S)
    return started


def cancel(id: str) -> None:
    """Stop a run; what its nodes have given by then stays."""
    services.plan_runs().cancel(id, services.current_principal())
