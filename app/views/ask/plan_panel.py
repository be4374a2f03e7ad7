"""The plan of an answer beside its conversation: graph, a step of it, evidence, the planner's notes."""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st

from app import links, services, state
from app.components.controls import draw_page_link, draw_switch
from app.components.plan_graph import GraphView, draw_graph, node_state
from app.components.shell import plain
from app.panels.evidence import draw_panel_buttons
from app.panels.node_panel import (
    FLOW,
    GIVES,
    SETTINGS,
    draw_flow,
    draw_gives,
    draw_node_tabs,
    draw_node_title,
    draw_parameters,
    draw_statements,
)
from app.panels.plan_answer import draw_evidence, draw_notes
from app.panels.plan_results import evidence_of
from app.presenting.plan_fields import FormSetting
from app.presenting.plan_parameters import parameters_of
from app.running.plan_runs import RunningPlan
from core.domain.conversation import Turn, find_turn
from core.domain.ids import ConversationId
from core.errors import GroundworkError, NotFoundError
from core.plan.ir.nodes import Node, Plan
from core.plan.ir.serialization import plan_of
from core.workbench.services.plans import PlanRan

STEPS, EVIDENCE, NOTES = "Steps", "Evidence", "Planner's notes"
WAIT_S = 0.4  # for the run, before the panel is drawn without it: most come from memory


@dataclass(frozen=True, slots=True)
class _Beside:
    """The plan as it answered, with its figures then; run: the same again, for what its nodes give."""

    turn: Turn
    plan: Plan
    node: Node
    run: RunningPlan

    @property
    def outcome(self) -> PlanRan | None:
        return self.run.outcome


def draw_plan_beside(conversation: ConversationId, turn: str) -> None:
    """Draw the panel; within the fragment of the evidence."""
    with st.container(horizontal=True, vertical_alignment="center", gap="small", wrap=False, key="ev-bar"):
        st.markdown("**Plan**", width="content")
        draw_panel_buttons("Close the plan")
    found = _read(conversation, turn)
    if found is None:
        st.info("The plan of this answer is not there any more.")
        return
    st.caption(f"Question: {plain(found.turn.question)}")
    trace = found.turn.answer.trace_id if found.turn.answer is not None else ""
    back = links.answer(conversation, turn)
    draw_page_link(
        "inspector",
        "Open on its own page",
        "open_in_new",
        plan=trace,
        node=found.node.id,
        **back,
        help="To change it, run it again, and keep it",
    )
    part = draw_switch("Part of the plan", [STEPS, EVIDENCE, NOTES], "plan-part", STEPS)
    if part == NOTES:
        draw_notes(found.plan)
    elif part == EVIDENCE:
        results = found.outcome.results if found.outcome is not None else {}
        items = evidence_of(results, found.turn.answer)
        draw_evidence(items, lambda number: state.show_evidence(turn, "item", number))
    else:
        _draw_steps(found)


def _read(conversation: ConversationId, turn: str) -> _Beside | None:
    try:
        turns = services.session().conversations.turns(conversation)
    except NotFoundError:
        return None
    found = find_turn(turns, turn)
    if found is None or found.answer is None or not (found.answer.plan or {}).get("nodes"):
        return None
    try:
        plan = plan_of(found.answer.plan or {})
    except GroundworkError:  # kept by a version whose plans are no plans any more
        return None
    known = {each.id: each for each in plan.nodes}
    wanted = known.get(state.from_address("node")) or known.get(plan.answer_node or "")
    node = wanted or plan.nodes[-1]
    return _Beside(found, plan, node, _run(turn, plan))


def _run(turn: str, plan: Plan) -> RunningPlan:
    """The run of this plan that began when it was first looked at in this session."""
    runs, principal = services.plan_runs(), services.current_principal()
    of, id = state.beside_run()
    known = runs.get(id, principal) if of == turn else None
    if known is not None:
        return known
    started = runs.start(plan, principal)
    state.beside_run.set((turn, started.id))
    started.ended.wait(WAIT_S)
    return started


def _draw_steps(found: _Beside) -> None:
    runs, principal = services.plan_runs(), services.current_principal()
    draw_graph(
        _view(found),
        pick=lambda node: state.to_address(node=node),
        cancel=lambda run: runs.cancel(run, principal),
        done=lambda run: None,
    )
    if found.run.said is not None:
        st.warning(" ".join(plain(each) for each in found.run.said), icon=":material/warning:")
    elif (outcome := found.outcome) is not None and _is_older(found.turn, outcome):
        st.caption("The collection has changed since this answer: what the steps give is of now.")
    with st.container(key="beside-node"):
        _draw_node(found)


def _draw_node(found: _Beside) -> None:
    node, plan, outcome = found.node, found.plan, found.outcome
    session = services.session()
    results, stopped = (outcome.results, outcome.stopped) if outcome is not None else ({}, {})
    draw_node_title(node)
    tab = draw_node_tabs(GIVES)
    if tab == SETTINGS:
        draw_parameters(parameters_of(FormSetting(plan, node, session.plans.catalogue(), "beside")))
    elif tab == FLOW:
        draw_flow(node, plan, results, stopped)
    elif tab != GIVES:
        draw_statements(node, lambda: session.plans.statements(plan, node.id))
    elif outcome is None and not found.run.done:
        st.caption("Running …")
    else:
        ran = outcome.plan.node(node.id) if outcome is not None else node
        draw_gives(ran, plan, results.get(node.id), stopped.get(node.id))


def _view(found: _Beside) -> GraphView:
    outcome, run = found.outcome, found.run
    results, stopped = (outcome.results, outcome.stopped) if outcome is not None else ({}, {})
    states = {
        node.id: node_state(_with_figures(node, outcome), "", results.get(node.id), stopped.get(node.id))
        for node in found.plan.nodes
    }
    return GraphView(
        plan=found.plan,
        selected=found.node.id,
        states=states,
        run=run.id,
        watch=not run.done,
        spent_ms=0.0 if run.done else run.spent_ms,
        said="As it answered; on its own page it can be changed.",
        editable=False,
        down=True,
        picks=state.picks(),
    )


def _with_figures(node: Node, outcome: PlanRan | None) -> Node:
    """With how long it took when it answered; where that is not known, how long it took now."""
    if node.ran is not None or outcome is None:
        return node
    return node.model_copy(update={"ran": outcome.plan.node(node.id).ran})


def _is_older(turn: Turn, outcome: PlanRan) -> bool:
    return turn.answer is not None and turn.answer.data_version != outcome.data_version
