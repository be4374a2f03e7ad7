"""What happens on Ask when something is asked, clicked, renamed or followed: the page's actions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import streamlit as st

from app import services, state
from app.components.answer import AnswerActions
from app.components.conversations import ConversationActions
from app.components.shell import guarded
from app.components.wording import counted
from core.domain.conversation import Turn
from core.domain.ids import ConversationId


@guarded
def ask(question: str) -> None:
    """Put a question in the open conversation, or begin one with it."""
    question = question.strip()
    if not question:
        return
    bench, principal = services.bench(), services.current_principal()
    current = state.conversation()
    conversation = (
        bench.conversation(current, principal)
        if current
        else bench.new_conversation(principal, state.scope())
    )
    services.turns().start(conversation.id, question, principal, buckets=conversation.buckets)
    if current is None:
        state.open_conversation(conversation.id)


def submit() -> None:
    """Take the question from the chat input."""
    ask(str(state.widget("question") or ""))


def actions() -> AnswerActions:
    """What answers can do."""
    return AnswerActions(cite=_cite, near=_near, ask=ask, stop=_stop, feedback=_feedback)


def _cite(turn: Turn, number: int) -> None:
    state.show_evidence(turn.id, "cite", number)
    st.rerun("evidence")


def _near(turn: Turn, index: int) -> None:
    state.show_evidence(turn.id, "near", index)
    st.rerun("evidence")


def _stop(turn: Turn) -> None:
    services.turns().stop(turn.id)


@guarded
def _feedback(turn: Turn, word: str) -> None:
    judged: Literal["right", "wrong", ""] = "right" if word == "right" else "wrong" if word == "wrong" else ""
    services.bench().give_feedback(turn.id, judged, services.current_principal())


def conversation_actions() -> ConversationActions:
    """What the conversation list can do."""
    return ConversationActions(open=state.open_conversation, rename=_rename, delete=_delete)


@guarded
def _rename(conversation: ConversationId, title: str) -> None:
    services.bench().rename_conversation(conversation, title, services.current_principal())


@guarded
def _delete(conversation: ConversationId) -> None:
    services.bench().delete_conversation(conversation, services.current_principal())
    if state.conversation() == conversation:
        state.forget_conversation()


def accept_link(turns: Sequence[Turn]) -> None:
    """Open the evidence that the address points at, once."""
    if not state.linked_once():
        return
    turn, cite = state.from_address("turn"), state.from_address("cite")
    if cite.isdigit() and any(t.id == turn for t in turns):
        state.show_evidence(turn, "cite", int(cite))


def describe_scope(buckets: tuple[str, ...]) -> str:
    """`45 documents in all buckets`, `12 documents in contracts and invoices`."""
    found = services.bench().buckets(services.current_principal())
    number = sum(bucket.documents for bucket in found if not buckets or bucket.name in buckets)
    where = " and ".join(buckets) if buckets else "all buckets"
    return f"{counted(number, 'document')} in {where}"
