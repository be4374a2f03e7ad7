"""Answers that wait for documents being read: how far that is, and the new answer once it is done."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import streamlit as st

from app import services
from app.presenting.wording import counted
from core.domain.answer import Answer
from core.domain.conversation import Turn
from core.errors import GroundworkError

LOOK_EVERY_S = 2
LOOK_AT_MANY_EVERY_S = 20
MANY = 1_000
"""Documents that an answer waits for, from which on nobody sees the number change within seconds."""
MOST = 3
"""Answers of one conversation that are looked after at a time, the newest."""


def draw_waiting(turns: Sequence[Turn]) -> None:
    """A line below the conversation for each answer that waits; both change by themselves."""
    waiting = [(turn, turn.answer) for turn in turns if turn.answer is not None and turn.answer.pending]
    for turn, answer in waiting[-MOST:]:
        if services.session().updates.progress(answer) is not None:
            every = LOOK_EVERY_S if len(answer.pending) < MANY else LOOK_AT_MANY_EVERY_S
            st.fragment(_following(turn, answer, is_newest=turn is turns[-1]), run_every=every)()


def _following(turn: Turn, answer: Answer, *, is_newest: bool) -> Callable[[], None]:
    def follow() -> None:
        session = services.session()
        progress = session.updates.progress(answer)
        if progress is None or not progress.left:
            try:
                session.updates.update(turn.conversation, turn.id)
            except GroundworkError as error:
                st.caption(f"The answer could not be given anew: {error.message}")
                return
            st.rerun()
        of = "this answer" if is_newest else f"“{turn.question}”"
        st.caption(
            f":material/hourglass_top: Still reading {counted(progress.left, 'document')} "
            f"of {progress.documents:,} that {of} needs. It follows up by itself."
        )

    return follow
