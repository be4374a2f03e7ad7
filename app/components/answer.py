"""One turn of a conversation: the question, and the answer with all that can be done with it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import streamlit as st

from app import state
from app.components import mounts
from core.domain.answer import Answer
from core.domain.conversation import Turn, TurnState, part_of_turn
from core.domain.evidence.change import EvidenceStanding
from core.domain.trust.review import FEEDBACK_REASONS
from core.guardrails.answer_notes import guard_notes


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
    change: Callable[[Turn, dict[str, Any]], None]
    reading: Callable[[Turn, int], None]
    restore: Callable[[Turn], None]
    forget: Callable[[Turn], None]
    ask: Callable[[str], None]
    again: Callable[[Turn], None]
    stop: Callable[[Turn], None]
    feedback: Callable[[Turn, str, str], None]
    share: Callable[[Turn], None]


@dataclass(frozen=True, slots=True)
class AnswerView:
    """Setting of an answer. running: this process answers it, or did a moment ago and has all its events.

    shown: what of it is open as evidence, by kind and number; of: in which of several questions in one, ""
    where it is one. reveal: bring its question to the log's top. remembered: its wording is read from now on
    as its reading was changed; reused: it was read so, by an earlier change of its wording. refusal: why a
    change could not be made and what to do, behind in which of the questions. standings: how the citations of
    an answer stand now, by number. why: the reason for which it was marked as wrong. reviewed: a reviewer's
    verdict on it, in a sentence.
    """

    running: bool
    shown: tuple[str, int] | None = None
    of: str = ""
    reveal: bool = False
    remembered: bool = False
    reused: bool = False
    refusal: tuple[str, str, str] | None = None
    standings: Callable[[Answer], Mapping[int, EvidenceStanding]] = lambda _: {}
    why: str = ""
    reviewed: str = ""


def draw_turn(turn: Turn, view: AnswerView, scope: str, actions: AnswerActions) -> None:
    """The question and its answer, running or not, as two chat messages."""
    with st.chat_message("user", avatar=":material/person:"):
        st.text(turn.question)
        for note in guard_notes(turn.answer) if turn.answer is not None else ():
            st.caption(f":material/shield: {note}")
    with st.chat_message("assistant", avatar=":material/layers:"):
        _mount(turn, view, scope, actions)


def state_of(turn: Turn, running: bool) -> str:
    """The turn's state as it is shown: one that runs in no process was interrupted."""
    if turn.state is TurnState.RUNNING and not running:
        return TurnState.INTERRUPTED.value
    return turn.state.value


_PLANS: Mapping[str, Any] = {
    "plan": True,
    "other_readings": {"__all__": {"plan"}},
    "clarification": {"options": {"__all__": {"plan"}}},
}


def answer_json(
    turn: Turn, standings: Callable[[Answer], Mapping[int, EvidenceStanding]] = lambda _: {}
) -> dict[str, Any] | None:
    """The answer as the browser needs it: without its plans, but with whether it rests on one.

    standings: those of citations that are current are left out.
    """
    answer = turn.answer
    if answer is None:
        return None
    data = answer.model_dump(mode="json", by_alias=True, exclude={**_PLANS, "parts": True})
    parts = [
        {
            **part.model_dump(mode="json", by_alias=True, exclude=_PLANS),
            "planned": _has_plan(part),
            "standings": _noted(standings(part)),
        }
        for part in answer.parts
    ]
    noted = _noted(standings(answer))
    return {**data, "planned": _has_plan(answer), "parts": parts, "standings": noted}


def _noted(standings: Mapping[int, EvidenceStanding]) -> dict[str, dict[str, str | bool]]:
    """What is to be said of citations, by number."""
    return {
        str(n): {"state": each.state.value, "note": each.note, "stands": each.stands}
        for n, each in standings.items()
        if each.note
    }


def _has_plan(answer: Answer) -> bool:
    return bool((answer.plan or {}).get("nodes"))


def _mount(turn: Turn, view: AnswerView, scope: str, actions: AnswerActions) -> None:
    key = f"answer-{turn.id}"

    def sent(name: str) -> Any:
        return state.sent(key, name)

    def of(name: str) -> Turn:
        """The turn that was meant, or the one of its questions."""
        value = sent(name)
        number = value.get("of") if isinstance(value, dict) else None
        return (part_of_turn(turn, int(number)) if number is not None else None) or turn

    data = {
        "turn": turn.id,
        "conversation": turn.conversation,
        "question": turn.question,
        "state": state_of(turn, view.running),
        "answer": answer_json(turn, view.standings),
        "feedback": turn.feedback,
        "why": view.why,
        "reasons": [list(each) for each in FEEDBACK_REASONS.items()],
        "reviewed": view.reviewed,
        "scope": scope,
        "shown": [*view.shown, view.of] if view.shown else None,
        "changed": turn.first is not None,
        "remembered": view.remembered,
        "reused": view.reused,
        "refusal": list(view.refusal) if view.refusal else None,
        "reveal": view.reveal,
    }
    mounts.answer(
        key=key,
        data=data,
        on_cite_change=lambda: actions.cite(of("cite"), int(sent("cite")["n"])),
        on_near_change=lambda: actions.near(of("near"), int(sent("near")["i"])),
        on_place_change=lambda: actions.place(
            of("place"), str(sent("place")["part"]), int(sent("place")["number"])
        ),
        on_choose_change=lambda: actions.choose(of("choose"), dict(sent("choose"))),
        on_everything_change=lambda: actions.everything(of("everything")),
        on_have_change=lambda: actions.have(of("have")),
        on_afresh_change=lambda: actions.afresh(of("afresh")),
        on_change_change=lambda: actions.change(of("change"), dict(sent("change"))),
        on_reading_change=lambda: actions.reading(of("reading"), int(sent("reading")["number"])),
        on_restore_change=lambda: actions.restore(turn),
        on_forget_change=lambda: actions.forget(turn),
        on_ask_change=lambda: actions.ask(str(sent("ask")["text"])),
        on_again_change=lambda: actions.again(turn),
        on_stop_change=lambda: actions.stop(turn),
        on_feedback_change=lambda: actions.feedback(
            turn, str(sent("feedback")["word"]), str(sent("feedback").get("why", ""))
        ),
        on_share_change=lambda: actions.share(turn),
        on_done_change=lambda: None,
    )
