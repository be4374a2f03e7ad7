"""Learning: words that nobody knows, corrections that questions are planned by, and what failed."""

from __future__ import annotations

import streamlit as st

from app import services, state
from app.components.controls import draw_button
from app.components.shell import plain
from app.presenting.wording import counted
from app.views.learning import actions, failures, tables
from core.domain.audit import UncoveredPhrase
from core.domain.trust.failures import FAILURE_STAGES

_PHRASES, _LESSONS = 500, 500


def page() -> None:
    """Draw the page."""
    st.title("Learning", anchor=False)
    _draw_done()
    session = services.session()
    found = session.learning.uncovered(limit=_PHRASES)
    st.header("Words that were not understood", anchor=False)
    if found:
        _draw_phrases(found)
    else:
        st.info("Every word of the questions so far was understood, or is dealt with. Nothing is to be done.")
    tables.draw_ignored(session.learning.ignored_phrases(), actions.bring_back)
    _draw_lessons()
    _draw_failures()


def _draw_failures() -> None:
    session = services.session()
    st.header("What failed", anchor=False)
    found = session.failures.shapes()
    if not found:
        st.info("No question has failed since failures are noted.")
        return
    stage = st.segmented_control(
        "Stage",
        list(FAILURE_STAGES),
        key="stage",
        bind="query-params",
        format_func=failures.stage_words,
        label_visibility="collapsed",
    )
    chosen = failures.shown(found, stage or "")
    st.markdown(failures.found_words(found, chosen))
    asked = state.from_address("shape")
    failures.draw_shapes(chosen, asked, actions.open_shape)
    if any(each.shape == asked for each in found):
        failures.draw_shape(session.failures.shape(asked), actions.ask_again)


def _draw_done() -> None:
    done = state.undo()
    if not done:
        return
    said = f"“{plain(done[1])}” is ignored."
    if done[0] == "synonym":
        said = f"“{plain(done[1])}” means {plain(done[4])} now, from the next question on."
    with st.container(horizontal=True, vertical_alignment="center", key="done"):
        st.markdown(f":material/check: {said}", width="content")
        draw_button("Undo", actions.take_back, key="undo")


def _draw_phrases(found: list[UncoveredPhrase]) -> None:
    session = services.session()
    by, down = state.from_address("by") or "count", state.from_address("down") != "0"
    with st.container(horizontal=True, vertical_alignment="center"):
        text = st.text_input(
            "Find",
            key="find",
            bind="query-params",
            placeholder="Find words or questions",
            type="search",
            width=300,
            label_visibility="collapsed",
        )
        shown = tables.ordered(tables.matching(found, text or ""), by, down)
        most = " (the most frequent)" if len(found) == _PHRASES else ""
        st.markdown(f"**{len(shown):,}** of **{counted(len(found), 'phrase')}**{most}", width="content")
        tables.draw_export(shown)
    if not shown:
        st.info("No words and no question have this text.")
        return
    asked = state.from_address("phrase")
    tables.draw_phrases(shown, asked, (by, down), actions.open_phrase, actions.sort_phrases)
    opened = next((each for each in found if each.phrase == asked), None)
    if opened is not None:
        tables.draw_phrase(opened, session.schemas.list(), actions.add_synonym, actions.ignore)
    else:
        st.markdown(":small[Choose a row to give its words a meaning, or to ignore them.]")


def _draw_lessons() -> None:
    session = services.session()
    st.header("Corrections", anchor=False)
    found = session.learning.failures(limit=_LESSONS, only_corrected=True)
    if not found:
        st.info(
            "No question was corrected yet. A correction is kept when a question that went wrong is asked "
            "with one of the meanings offered, or when its plan is changed and saved as an audit."
        )
        return
    newest = ", the newest" if len(found) == _LESSONS else ""
    st.markdown(
        f"**{counted(len(found), 'correction')}**{newest}. Questions like these are planned the same way."
    )
    asked = state.from_address("lesson")
    tables.draw_lessons(found, asked, actions.open_lesson)
    opened = next((each for each in found if each.id == asked), None)
    if opened is not None:
        tables.draw_lesson(opened, actions.forget)
