"""Ask: conversations and scope in the sidebar, the conversation, and the evidence beside it."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from app import services, state
from app.components import mounts
from app.components.answer import AnswerView, draw_turn
from app.components.controls import draw_button
from app.components.set_in_hand import SetInHand, draw_set_in_hand
from app.panels.answer_opinions import SaidOfAnswer, draw_citation_opinion, said_of
from app.panels.evidence import draw_evidence, draw_marks, draw_widths, read_evidence
from app.panels.jobs import draw_filling, load_sample
from app.panels.secrets import draw_secret
from app.presenting.answer_parts import in_hand_after, says_reused
from app.presenting.wording import counted
from app.running.attendance import current_session
from app.views.ask import actions
from app.views.ask.conversations import draw_conversations
from app.views.ask.welcome import draw_welcome
from core.domain.answer import ConversationSet
from core.domain.conversation import Conversation, Turn
from core.domain.fields import PromiseLevel
from core.domain.ids import ConversationId
from core.domain.trust.permission import Action
from core.errors import NotFoundError
from core.jobs.kinds import READ_CELLS

SHOWN = 12
OPENING_POLL_S = 0.2

PROMISES = {
    "bucket": "As the bucket",
    PromiseLevel.STRICT.value: "Strict",
    PromiseLevel.BALANCED.value: "Balanced",
    PromiseLevel.BROAD.value: "Broad",
}
"""Promise levels of one question, as they are chosen beside it."""
ANSWERING = {"orchestrator": "Planned first", "loop": "Calling tools", "offline": "Quotes alone"}
"""Ways to answer a question where a model is configured."""


def page() -> None:
    """Draw the page; while the workbench is being opened, what stands on it without."""
    if not services.has_opened():
        _draw_zones(_draw_opening, lambda: draw_widths(state.width()))
        return
    session = services.session()
    actions.accept_subject()
    conversation = _opened()
    turns = session.conversations.turns(conversation.id) if conversation else []
    actions.accept_link(turns)
    with st.sidebar:
        draw_conversations(session.conversations.list(), conversation.id if conversation else None)
        _draw_scope(conversation)
    is_gone = conversation is None and state.conversation()
    _draw_zones(
        _draw_gone if is_gone else lambda: _draw_log(conversation, turns),
        _evidence,
        lambda: _draw_set(conversation, turns),
    )


def _draw_zones(
    draw_log: Callable[[], None],
    draw_panel: Callable[[], None],
    draw_set: Callable[[], None] = lambda: None,
) -> None:
    """The conversation, below it the set in hand and the question's box, and the panel beside."""
    with st.container(key="zones"):
        left, right = st.columns([1, 1])
    with left, st.container(horizontal_alignment="center"), st.container(width=800):
        with st.container(height=500, border=False, key="log", autoscroll=False):
            draw_secret()
            with st.container(key="pending"):
                mounts.pending(key="pending-question", data={"asked": state.asked()})
            draw_log()
        with st.container(key="in-hand"):
            draw_set()
        draw_filling((READ_CELLS,))
        st.chat_input("Ask about your documents", key="question", on_submit=actions.submit)
    with right, st.container(key="evidence-panel"):
        draw_panel()


@st.fragment(run_every=OPENING_POLL_S)
def _draw_opening() -> None:
    if services.has_opened():
        st.rerun()
    st.space("large")
    st.title("Ask your documents")
    st.caption("Opening the collection …")


def _opened() -> Conversation | None:
    asked = state.conversation()
    if asked is None:
        return None
    try:
        found = services.session().conversations.get(asked)
    except NotFoundError:
        return None
    state.remember_conversation(found.id)
    return found


def _draw_gone() -> None:
    st.warning("This conversation is not there: it was deleted, or the link is not complete.")
    draw_button("Begin a new conversation", state.forget_conversation, key="begin")


def _draw_scope(conversation: Conversation | None) -> None:
    session = services.session()
    found = session.documents.buckets()
    if not found:
        return
    names = [bucket.name for bucket in found]
    chosen = conversation.buckets if conversation else state.scope()
    key = f"scope-{conversation.id if conversation else 'new'}"

    def changed() -> None:
        buckets = tuple(state.widget(key, ()))
        if conversation:
            session.conversations.set_scope(conversation.id, buckets)
        else:
            state.scope.set(buckets)

    picked = st.multiselect(
        "Ask in",
        names,
        default=[name for name in chosen if name in names],
        key=key,
        placeholder="All buckets",
        on_change=changed,
    )
    st.caption(actions.describe_count(tuple(picked)))
    st.selectbox(
        "How sure",
        list(PROMISES),
        index=list(PROMISES).index(state.promise()),
        format_func=PROMISES.__getitem__,
        key="question-promise",
        on_change=lambda: state.promise.set(str(state.widget("question-promise") or "bucket")),
        help="How sure a clause must be to count as present or absent, for the questions that you ask now. "
        "The buckets themselves keep their level.",
    )
    _draw_answering()


def _draw_answering() -> None:
    """Who answers, where there is a choice."""
    llm = services.session().settings.llm
    if not llm.is_configured:
        return
    st.selectbox(
        "Answered by",
        list(ANSWERING),
        index=list(ANSWERING).index(state.answering() or llm.agent),
        format_func=ANSWERING.__getitem__,
        key="question-answering",
        on_change=lambda: state.answering.set(str(state.widget("question-answering") or "")),
        help=f"Planned first: the plan is made, the evidence found, then {llm.writing_model} writes. Calling "
        "tools: the model searches by itself. Every sentence is checked either way, what fails is struck, "
        "and the answer without the model stays beside it. Quotes alone: no model at all.",
    )


def _draw_set(conversation: Conversation | None, turns: list[Turn]) -> None:
    """The documents that the next question may be about; their place stays where there are none."""
    if conversation is None or not turns:
        return
    found, marked = in_hand_after(turns, conversation.cleared), state.evidence()
    id, in_hand = found or (turns[-1].id, ConversationSet())
    draw_set_in_hand(
        SetInHand(
            conversation=conversation.id,
            turn=id,
            label=in_hand.label,
            count=len(in_hand.documents),
            shown=marked[2] if marked and (marked[0], marked[1]) == (id, "set") else None,
        ),
        clear=lambda sent: actions.clear_set(conversation.id),
        place=lambda number: actions.show(id, "set", number),
    )


def _draw_log(conversation: Conversation | None, turns: list[Turn]) -> None:
    if conversation is None or not turns:
        draw_welcome(
            *actions.searchable(()),
            actions.starters(),
            actions.ask,
            load_sample,
            actions.loading,
            may_ingest=services.may(Action.INGEST),
        )
        return
    hidden = 0 if state.shows_earlier() else max(0, len(turns) - SHOWN)
    if hidden:
        draw_button(
            f"Show {counted(hidden, 'earlier question')}", state.shows_earlier.set, True, type="tertiary"
        )
    scope, marked = actions.describe_scope(conversation.buckets), state.evidence()
    link, known = state.from_address("turn").partition(".")[0], {turn.id for turn in turns}
    session = current_session()
    said = said_of(turns[hidden:])
    for turn in turns[hidden:]:
        of_turn = said.get(turn.id, SaidOfAnswer())
        whole, _, part = marked[0].partition(".") if marked else ("", "", "")
        view = AnswerView(
            running=services.turns().watch(turn.id, session) and not (turn.answer and turn.answer.is_masked),
            shown=(marked[1], marked[2]) if marked and whole == turn.id else None,
            of=part,
            reveal=turn.id == (link if link in known else turns[-1].id),
            remembered=turn.first is not None and services.session().readings.is_remembered(turn),
            reused=says_reused(turn) and services.session().readings.is_reused(turn),
            refusal=state.refusal(turn.id),
            standings=services.standings,
            why=of_turn.why,
            reviewed=of_turn.reviewed,
        )
        draw_turn(turn, view, scope, actions.ON_ANSWER)
    if any(turn.answer is not None and turn.answer.pending for turn in turns[hidden:]):
        from app.panels.answer_updates import draw_waiting  # late: not for the first paint

        draw_waiting(turns[hidden:])


@st.fragment(key="evidence")
def _evidence() -> None:
    draw_widths(state.width())
    shown = state.evidence()
    draw_marks(shown)
    if state.width() == "closed":
        return
    conversation = ConversationId(state.conversation() or "")
    if shown and shown[1] == state.PLAN:
        from app.views.ask.plan_panel import (
            draw_plan_beside,  # late: what plans need is not for the first paint
        )

        draw_plan_beside(conversation, shown[0])
        return
    found = read_evidence(conversation, shown) if shown else None
    draw_evidence(found)
    if found is not None and found.kind == "cite" and found.turn.answer is not None:
        draw_citation_opinion(found.turn.answer.trace_id, found.number)
