"""Opinions of askers on answers and citations, and the verdicts of reviewers on these."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import streamlit as st

from app import services, state
from app.components.shell import guarded
from app.presenting.trust.review_words import outcome_words
from core.domain.conversation import Turn
from core.domain.ids import TraceId
from core.domain.trust.review import FEEDBACK_REASONS, Feedback, FeedbackWord

_UP, _DOWN = FeedbackWord.UP.value, FeedbackWord.DOWN.value
_WORDS = {_UP: "Yes", _DOWN: "No"}


@dataclass(frozen=True, slots=True)
class SaidOfAnswer:
    """Words on an answer. why: the reason for which its asker marked it as wrong; reviewed: the verdict."""

    why: str = ""
    reviewed: str = ""


def said_of(turns: Sequence[Turn]) -> dict[str, SaidOfAnswer]:
    """Words on the answers of turns, by turn; those of which nothing was said are left out."""
    traces = {turn.id: turn.answer.trace_id for turn in turns if turn.answer is not None}
    session = services.session()
    outcomes = session.reviews.outcomes(set(traces.values()))
    opinions = session.feedback.of_traces(set(traces.values()))
    found = {}
    for turn, trace in traces.items():
        own = next((each for each in opinions.get(trace, ()) if not each.citation), None)
        reviewed = outcome_words(outcomes[trace]) if trace in outcomes else ""
        if own is not None or reviewed:
            found[str(turn)] = SaidOfAnswer(own.reason if own is not None else "", reviewed)
    return found


def draw_citation_opinion(trace: str, number: int) -> None:
    """The question whether a quote says what it is cited for, with the answer that was given to it."""
    every = services.session().feedback.of_traces([trace]).get(trace, ())
    own = next((each for each in every if each.citation == number), None)
    key = f"opinion-{trace}-{number}"
    with st.container(horizontal=True, vertical_alignment="center", key="citation-opinion"):
        st.markdown(":small[Does this quote say it?]", width="content")
        st.segmented_control(
            "Does this quote say it?",
            list(_WORDS),
            default=own.word.value if own is not None else None,
            key=key,
            format_func=_WORDS.__getitem__,
            label_visibility="collapsed",
            on_change=_say,
            args=(trace, number, key, ""),
        )
        if own is not None and own.word is FeedbackWord.DOWN:
            _draw_reason(trace, number, own)


def _draw_reason(trace: str, number: int, own: Feedback) -> None:
    key = f"reason-{trace}-{number}"
    reasons = list(FEEDBACK_REASONS)
    st.selectbox(
        "What is wrong with it?",
        reasons,
        index=reasons.index(own.reason) if own.reason in reasons else 0,
        key=key,
        format_func=lambda each: FEEDBACK_REASONS[each],
        label_visibility="collapsed",
        width=230,
        on_change=_say,
        args=(trace, number, f"opinion-{trace}-{number}", key),
    )


@guarded
def _say(trace: str, number: int, key: str, reason: str) -> None:
    word = str(state.widget(key) or "")
    why = str(state.widget(reason) or "") if reason else ""
    services.session().feedback.give(TraceId(trace), word, citation=number, reason=why)
