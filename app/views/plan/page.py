"""Plan: a question as a graph of typed steps, to be seen, run, changed, kept, and run again."""

from __future__ import annotations

import streamlit as st

from app import services, state
from app.components.controls import draw_switch
from app.components.shell import draw_error, draw_said, plain
from app.panels.node_panel import (
    FLOW,
    GIVES,
    SETTINGS,
    draw_flow,
    draw_gives,
    draw_node_head,
    draw_statements,
)
from app.panels.plan_answer import draw_notes
from app.presenting.plan_fields import FormSetting
from app.views.plan import edits, open_plan
from app.views.plan.bar import draw_bar, draw_begin, draw_clarify, draw_question, draw_way_back
from app.views.plan.graph import draw_open_graph
from app.views.plan.model_panel import draw_model, has_work
from app.views.plan.node_form import draw_node_form
from app.views.plan.outdated import draw_outdated
from app.views.plan.side_panel import draw_audit, draw_outcome
from core.plan.clarify import Clarify
from core.plan.ir.graph_edits import with_node

ANSWER, EVIDENCE, NOTES, MODEL, AUDIT = "Answer", "Evidence", "Planner's notes", "Model", "Audit"


def page() -> None:
    """Draw the page."""
    with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
        st.title("Plan", anchor=False, width="content")
        draw_way_back(open_plan.came_from())
    state.take_redraw()
    session = services.session()
    said = open_plan.follow_address()
    found = open_plan.opened()
    buckets = [each.name for each in session.documents.buckets()]
    draw_question(found.plan.question if found else "", buckets)
    if isinstance(said, Clarify):
        draw_clarify(said)
    elif said is not None:
        draw_error(said)
    if found is None:
        with st.container(key="outdated"):  # always there: what follows keeps its place
            draw_outdated()
        draw_begin(session.questions.starters(), session.audits.list())
        return
    draw_bar(found, session.audits.list())
    draw_open_graph(found)
    for each in found.problems:
        if each.node is None:
            st.error(f"{plain(each.message)} {plain(each.next_step)}", icon=":material/error:")
    left, right = st.columns([1.1, 1], gap="large")
    with left, st.container(key="node-panel"):
        _draw_node()
    with right, st.container(key="answer-panel"):
        _draw_side(buckets)


@st.fragment(key=edits.NODE_FRAGMENT)
def _draw_node() -> None:
    if state.take_redraw():
        st.rerun()
    draw_said()
    found = open_plan.opened()
    node = found.selected if found is not None else None
    if found is None or node is None:
        return
    session = services.session()
    problems = [each for each in found.problems if each.node == node.id]
    tab = draw_node_head(node, found.plan, problems, edits.remove, edits.answer_with)
    outcome = found.run.outcome if found.run is not None and found.is_current else None
    results, stopped = (outcome.results, outcome.stopped) if outcome is not None else ({}, {})
    ran = outcome.plan.node(node.id) if outcome is not None else node
    if tab == SETTINGS:
        key = f"node-{node.id}-{found.revision}"
        names = tuple(each.name for each in session.documents.buckets())
        setting = FormSetting(found.plan, node, session.plans.catalogue(), key, names)
        changed, why = draw_node_form(setting)
        if changed is None:
            st.error(f"{plain(why)}. The plan stays as it was.", icon=":material/error:")
        elif edits.form_changed(key, changed):
            edits.apply_node(with_node(found.plan, changed), node, changed)
            st.rerun()
    elif tab == GIVES:
        draw_gives(ran, found.plan, results.get(node.id), stopped.get(node.id))
    elif tab == FLOW:
        draw_flow(node, found.plan, results, stopped)
    elif found.problems:
        st.info("A plan that cannot run asks nothing.")
    else:
        draw_statements(node, lambda: session.plans.statements(found.plan, node.id))


@st.fragment(key="side-fragment")
def _draw_side(buckets: list[str]) -> None:
    if state.take_redraw():
        st.rerun()
    draw_said()
    found = open_plan.opened()
    if found is None:
        return
    events = open_plan.answer_events()
    part = draw_switch(
        "Beside the graph",
        [ANSWER, EVIDENCE, NOTES, *([MODEL] if has_work(events) else []), AUDIT],
        "side",
        ANSWER,
    )
    if part == NOTES:
        draw_notes(found.plan)
    elif part == MODEL:
        draw_model(events)
    elif part == AUDIT:
        draw_audit(found, buckets)
    else:
        draw_outcome(found, evidence=part == EVIDENCE)
