"""One turn of a conversation: the question, and the answer with all that can be done with it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

import streamlit as st

from app import links, state
from app.components import mounts
from core.domain.answer import LEDGER_LISTS, Answer
from core.domain.conversation import Turn, TurnState, part_of_turn
from core.domain.evidence.change import EvidenceStanding
from core.domain.trust.review import FEEDBACK_REASONS
from core.guard.answer_notes import guard_notes

Action = Callable[[Turn, Any], None]
"""What a page does with an answer: it gets the turn, and the values that the browser sent."""
_OF_THE_WHOLE = (
    "restore",
    "forget",
    "again",
    "stop",
    "feedback",
    "share",
)  # of several questions


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


def draw_turn(turn: Turn, view: AnswerView, scope: str, actions: Mapping[str, Action]) -> None:
    """The question and its answer, running or not, as two chat messages."""
    with st.chat_message("user", avatar=":material/person:"):
        st.text(turn.question)
        for note in guard_notes(turn.answer) if turn.answer is not None else ():
            st.caption(f":material/shield: {note}")
    with st.chat_message("assistant", avatar=":material/layers:"):
        _mount(turn, view, scope, actions)
        for sql in statements(turn.answer):
            with st.expander("SQL of this answer", icon=":material/database:"):
                st.code(sql, language="sql", wrap_lines=True)
                st.markdown(f"[Edit and run it again]({links.rows_by_sql(sql)})")


def statements(answer: Answer | None) -> list[str]:
    """The SQL that an answer over rows rests on, of each part of it."""
    answers = (answer.parts or (answer,)) if answer is not None else ()
    nodes = (node for each in answers for node in (each.plan or {}).get("nodes", ()))
    return [node["sql"] for node in nodes if node.get("type") == "query"]


def state_of(turn: Turn, running: bool) -> str:
    """The turn's state as it is shown: one that runs in no process was interrupted."""
    if turn.state is TurnState.RUNNING and not running:
        return TurnState.INTERRUPTED.value
    return turn.state.value


_LEFT_OUT: Mapping[str, Any] = {
    **LEDGER_LISTS,
    "plan": True,
    "other_readings": {"__all__": {"plan"}},
    "clarification": {"options": {"__all__": {"plan"}}},
}


def answer_json(
    turn: Turn, standings: Callable[[Answer], Mapping[int, EvidenceStanding]] = lambda _: {}
) -> dict[str, Any] | None:
    """The answer as the browser needs it: without its plans and lists, but with whether it rests on a plan.

    standings: those of citations that are current are left out.
    """
    answer = turn.answer
    if answer is None:
        return None
    data = answer.model_dump(mode="json", by_alias=True, exclude={**_LEFT_OUT, "parts": True})
    parts = [
        {
            **part.model_dump(mode="json", by_alias=True, exclude=_LEFT_OUT),
            "planned": _has_plan(part),
            "map": _map_address(part),
            "standings": _noted(standings(part)),
        }
        for part in answer.parts
    ]
    noted = _noted(standings(answer))
    own = {"planned": _has_plan(answer), "map": _map_address(answer)}
    return {**data, **own, "parts": parts, "standings": noted}


def _noted(standings: Mapping[int, EvidenceStanding]) -> dict[str, dict[str, str | bool]]:
    """What is to be said of citations, by number."""
    return {
        str(n): {"state": each.state.value, "note": each.note, "stands": each.stands}
        for n, each in standings.items()
        if each.note
    }


def _has_plan(answer: Answer) -> bool:
    return bool((answer.plan or {}).get("nodes"))


def _map_address(answer: Answer) -> str:
    """The address of the ways that an answer tells, on the map; "" for any other answer."""
    plan = answer.plan or {}
    for node in plan.get("nodes", ()):
        if node["id"] == plan.get("answer_node") and node["type"] == "connect":
            buckets = node["scope"]["buckets"]
            bucket = {"bucket": buckets[0]} if len(buckets) == 1 else {}
            return links.ways(node["one"], node["other"], **bucket)
    return ""


def _mount(turn: Turn, view: AnswerView, scope: str, actions: Mapping[str, Action]) -> None:
    key = f"answer-{turn.id}"

    def act(name: str, sent: Any) -> None:
        number = sent.get("of") if isinstance(sent, dict) and name not in _OF_THE_WHOLE else None
        part = part_of_turn(turn, int(number)) if number is not None else None
        actions[name](part or turn, sent)

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
    mounts.answer(key=key, data=data, **state.on_sent(key, {name: partial(act, name) for name in actions}))
