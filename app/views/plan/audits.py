"""Plans that are kept under a name: saved, opened, run with other values, and compared run with run."""

from __future__ import annotations

from collections.abc import Mapping

from app import services, state
from app.components.shell import guarded
from app.views.plan import edits, history, open_plan
from app.views.plan import run as plan_run
from core.domain.audit import Audit, RunComparison
from core.errors import GroundworkError, NotFoundError

MOST_RUNS = 50


def audit(id: str) -> Audit | None:
    """The audit; None where it was taken away since."""
    try:
        return services.session().audits.get(id) if id else None
    except NotFoundError:
        return None


def compared(before: str, after: str) -> RunComparison | GroundworkError:
    """Differences between two runs, or the error that says why they cannot be compared."""
    try:
        return services.session().audits.compare(before, after)
    except GroundworkError as error:
        return error


@guarded
def save(name: str, *, everybody: bool) -> None:
    """Keep the plan that is open under a name, and go on with it."""
    found = open_plan.opened()
    if found is None:
        return
    session = services.session()
    kept = session.audits.save(found.plan, name, acl=() if everybody else None)
    _adopt(kept)
    state.flash(f"Saved as “{kept.name}”.")
    _keep_what_ran(kept)


@guarded
def save_changes() -> None:
    """Keep the plan that is open in place of that of its audit. Raises ConflictError."""
    found = open_plan.opened()
    if found is None or not found.draft.audit:
        return
    kept = services.session().audits.change(found.draft.audit, found.draft.version, plan=found.plan)
    _adopt(kept)
    state.flash(f"“{kept.name}” is changed.")


@guarded
def remove(id: str) -> None:
    """Take an audit away with its runs; what is open stays open."""
    services.session().audits.remove(id)
    kept = state.inspection()
    if kept is not None and kept["draft"]["audit"] == id:
        draft = history.from_json(kept["draft"])
        state.inspection.set(
            {**kept, "id": history.packed(draft.plan), "draft": {**kept["draft"], "audit": ""}}
        )
    state.flash("The audit is removed.")


@guarded
def run(id: str, values: Mapping[str, tuple[str, ...]]) -> None:
    """Run an audit with these values in place of its own; what it gives is kept when it is there."""
    edits.apply(services.session().audits.bind(id, values))
    kept, found = state.inspection(), open_plan.opened()
    if kept is not None and found is not None and not found.problems:
        plan_run.start(kept, found.plan, waits=False, audit=id)


def _adopt(kept: Audit) -> None:
    """Make the audit the open plan, with nothing changed in it."""
    now = state.inspection()
    if now is None:
        return
    draft = history.from_json(now["draft"])
    own = history.Draft(draft.plan, draft.plan, draft.past, draft.future, kept.id, kept.version)
    state.inspection.set({**now, "id": kept.id, "draft": history.to_json(own)})
    state.to_address(plan=kept.id, question=None)


def _keep_what_ran(kept: Audit) -> None:
    """Keep the result from before the plan was saved as the first run of the audit."""
    found = open_plan.opened()
    if found is None or found.run is None or not found.is_current or found.run.outcome is None:
        return
    outcome = found.run.outcome
    if outcome.answer is not None:
        services.session().audits.keep_run(kept.id, outcome.answer, outcome.plan)
