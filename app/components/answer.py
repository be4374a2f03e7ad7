"""One turn of a conversation: the question, and the answer with all that can be done with it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import streamlit as st

from app import state
from app.components import mounts
from core.domain.conversation import Turn, TurnState


@dataclass(frozen=True, slots=True)
class AnswerActions:
    """Actions of a page on an answer; each gets the turn."""

    cite: Callable[[Turn, int], None]
    near: Callable[[Turn, int], None]
    place: Callable[[Turn, str, int], None]
    choose: Callable[[Turn, dict[str, Any]], None]
    everything: Callable[[Turn], None]
    have: Callable[[Turn], None]
    afresh: Callable[[Turn], None]
    ask: Callable[[str], None]
    stop: Callable[[Turn], None]
    feedback: Callable[[Turn, str], None]


@dataclass(frozen=True, slots=True)
class AnswerView:
    """Setting of an answer. running: this process answers it, or did a moment ago and has all its events.

    shown: what of it is open as evidence, by kind and number; reveal: bring its question to the log's top.
    """

    running: bool
    shown: tuple[str, int] | None = None
    reveal: bool = False


def draw_turn(turn: Turn, view: AnswerView, scope: str, actions: AnswerActions) -> None:
    """The question and its answer, running or not, as two chat messages."""
    with st.chat_message("user", avatar=":material/person:"):
        st.text(turn.question)
    with st.chat_message("assistant", avatar=":material/layers:"):
        _mount(turn, view, scope, actions)


def state_of(turn: Turn, running: bool) -> str:
    """The turn's state as it is shown: one that runs in no process was interrupted."""
    if turn.state is TurnState.RUNNING and not running:
        return TurnState.INTERRUPTED.value
    return turn.state.value


def _has_plan(turn: Turn) -> bool:
    answer = turn.answer
    return answer is not None and bool((answer.plan or {}).get("nodes"))


def _mount(turn: Turn, view: AnswerView, scope: str, actions: AnswerActions) -> None:
    key = f"answer-{turn.id}"

    def sent(name: str) -> Any:
        return state.sent(key, name)

    data = {
        "turn": turn.id,
        "conversation": turn.conversation,
        "question": turn.question,
        "state": state_of(turn, view.running),
        "answer": turn.answer.model_dump(mode="json", by_alias=True, exclude={"plan"})
        if turn.answer
        else None,
        "feedback": turn.feedback,
        "plan": _has_plan(turn),
        "scope": scope,
        "shown": list(view.shown) if view.shown else None,
        "reveal": view.reveal,
    }
    mounts.answer(
        key=key,
        data=data,
        on_cite_change=lambda: actions.cite(turn, int(sent("cite")["n"])),
        on_near_change=lambda: actions.near(turn, int(sent("near")["i"])),
        on_place_change=lambda: actions.place(turn, str(sent("place")["part"]), int(sent("place")["number"])),
        on_choose_change=lambda: actions.choose(turn, dict(sent("choose"))),
        on_everything_change=lambda: actions.everything(turn),
        on_have_change=lambda: actions.have(turn),
        on_afresh_change=lambda: actions.afresh(turn),
        on_ask_change=lambda: actions.ask(str(sent("ask")["text"])),
        on_again_change=lambda: actions.ask(turn.question),
        on_stop_change=lambda: actions.stop(turn),
        on_feedback_change=lambda: actions.feedback(turn, str(sent("feedback")["word"])),
        on_done_change=lambda: None,
    )
