"""Side panel of the graph: the answer with its changes, the evidence, the audit."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from app import services
from app.components.controls import draw_button, draw_switch
from app.components.shell import guarded, plain
from app.panels.plan_answer import draw_answer, draw_difference, draw_evidence
from app.panels.plan_results import evidence_of
from app.panels.secrets import draw_secret, share_audit
from app.presenting.plan_diff import difference
from app.views.plan import audits, edits
from app.views.plan.audit_panel import draw_parameters, draw_runs, draw_save
from app.views.plan.open_plan import OpenPlan

LAST, FIRST = "The last change", "The plan as it was made"


def draw_outcome(found: OpenPlan, *, evidence: bool) -> None:
    """Outcome of the last run, and its differences from the one before."""
    run = found.run
    if run is None:
        st.info(
            "The plan is drawn and has not run. Look at its steps, then run it.", icon=":material/play_arrow:"
        )
        return
    if run.said is not None:
        st.error(" ".join(plain(each) for each in run.said), icon=":material/error:")
    outcome = run.outcome or (found.before.outcome if found.before is not None else None)
    if outcome is None:
        st.caption("Running …" if not run.done else "")
        return
    if run.outcome is None:
        st.caption("Running … The answer below is the one before.")
    elif not found.is_current:
        st.caption(":material/history: This is the answer of the plan before your last change.")
    if evidence:
        draw_evidence(evidence_of(outcome.results, outcome.answer))
        return
    draw_answer(outcome, edits.show_part)
    if run.outcome is not None and found.is_current:
        _draw_difference(found)


def _draw_difference(found: OpenPlan) -> None:
    sides = {LAST: found.before, FIRST: found.base}
    known = {
        name: each.outcome
        for name, each in sides.items()
        if each is not None and each.outcome is not None and each is not found.run
    }
    outcome = found.run.outcome if found.run is not None else None
    if not known or outcome is None or not found.draft.past:
        return
    st.markdown("**What changed**")
    names = list(known)
    since = names[0]
    if len(names) > 1 and known[LAST] is not known[FIRST]:
        since = draw_switch("Since", names, "since", names[0], bind=None) or names[0]
    draw_difference(difference(known[since], outcome), outcome)


def draw_audit(found: OpenPlan, buckets: Sequence[str]) -> None:
    """The audit that the plan is of, or the form that makes one of it."""
    audit = audits.audit(found.draft.audit)
    if audit is None:
        draw_save(audits.save, can=not found.problems)
        return
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(f"**{plain(audit.name)}**", width="content")
        if found.draft.is_changed:
            draw_button("Save the changes", audits.save_changes, key="save-changes", icon="save")
        draw_button(
            "Share",
            guarded(share_audit),
            audit.id,
            key="share-audit",
            icon="link",
            type="tertiary",
            help="A link to its last result, for people who may see what it rests on.",
        )
        draw_button(
            "Remove",
            audits.remove,
            audit.id,
            key="remove-audit",
            icon="delete",
            type="tertiary",
            help="Takes the audit away with its runs; the plan stays open.",
        )
    if found.draft.is_changed:
        st.caption("The plan above is not as it is saved; the audit runs as it is saved.")
    draw_secret()
    draw_parameters(audit, buckets, lambda values: audits.run(audit.id, values))
    draw_runs(audit, services.session().audits.runs(audit.id, limit=audits.MOST_RUNS), audits.compared)
