"""Above the graph: the question, how to begin, and what can be done with the plan as a whole."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import streamlit as st

from app import state
from app.components.controls import draw_button, draw_page_link
from app.components.shell import moment, plain
from app.presenting.wording import counted
from core.domain.audit import Audit
from core.plan.clarify import Clarify
from core.plan.ir.nodes import node_types, spec_of_type

QUESTION = "plan-question"


@dataclass(frozen=True, slots=True)
class BarActions:
    """Actions of the bar. file: opens a plan that was exported; share: gives the address of a short link."""

    ask: Callable[[str, tuple[str, ...]], None]
    run: Callable[[], None]
    undo: Callable[[], None]
    redo: Callable[[], None]
    reset: Callable[[], None]
    add: Callable[[str], None]
    audit: Callable[[str], None]
    file: Callable[[bytes], None]
    share: Callable[[bool], str]
    export: Callable[[], str]
    close: Callable[[], None]


@dataclass(frozen=True, slots=True)
class BarState:
    """State of the bar: which actions can be done now. name: of the file that is exported."""

    revision: int
    can_run: bool
    has_run: bool
    can_undo: bool
    can_redo: bool
    is_changed: bool
    name: str


def draw_question(question: str, buckets: Sequence[str], ask: Callable[[str, tuple[str, ...]], None]) -> None:
    """The question that a plan is made for, and where it is asked; what is typed stays until it is put."""
    default = state.show_question(QUESTION, question)
    with (
        st.form("question-form", border=False),
        st.container(horizontal=True, vertical_alignment="bottom"),
    ):
        asked = st.text_input(
            "Question",
            value=default,
            key=QUESTION,
            placeholder="Which contracts lack force majeure?",
            width="stretch",
            max_chars=2000,
        )
        chosen = st.multiselect("In", list(buckets), key="question-in", placeholder="All buckets", width=220)
        if st.form_submit_button("Draw the plan", icon=":material/account_tree:") and asked.strip():
            ask(asked, tuple(chosen))
            st.rerun()


def draw_way_back(to: Mapping[str, str]) -> None:
    """A link to the conversation that the plan comes from; to: what its address holds."""
    if to:
        draw_page_link("ask", "Back to the conversation", "arrow_back", **to)


def draw_begin(starters: Sequence[str], audits: Sequence[Audit], actions: BarActions) -> None:
    """Ways to begin where nothing is open: a question, a saved audit, a file."""
    st.markdown(
        "Put a question, and see **how it would be answered before anything runs**: which documents are "
        "asked, by which conditions, and what is computed of them. Then run it, change a step, and see what "
        "that changes."
    )
    left, right = st.columns(2, gap="large")
    with left:
        st.markdown("**Begin with a question**")
        if not starters:
            st.caption("Write one above. Examples stand here once documents with known fields are read.")
        with st.container(key="starters"):
            for number, each in enumerate(starters):
                draw_button(each, actions.ask, each, (), key=f"begin-{number}", type="tertiary")
        if not starters:
            st.caption("There are no examples for these documents: write a question above.")
    with right:
        st.markdown("**Or go on with a saved audit**")
        draw_audits(audits, actions.audit)
        st.markdown("**Or open a plan that was exported**")
        draw_import(actions.file, "begin")


def draw_audits(audits: Sequence[Audit], opens: Callable[[str], None]) -> None:
    """The saved audits, each to be opened."""
    if not audits:
        st.caption("None is saved yet. A plan is kept under a name by “Audit”, beside its answer.")
        return
    for each in audits:
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            draw_button(each.name, opens, each.id, key=f"audit-{each.id}", icon="bookmark")
            st.caption(f"{counted(each.runs, 'run')} · saved {moment(each.updated_at)}", width="content")


def draw_import(opens: Callable[[bytes], None], key: str) -> None:
    """A file, or JSON that is pasted."""
    file = st.file_uploader("Plan as JSON", ["json"], key=f"{key}-file", label_visibility="collapsed")
    text = st.text_area("Or paste it", key=f"{key}-text", height=90, placeholder='{"format": 1, "plan": {…}}')
    given = file.getvalue() if file is not None else text.encode()
    draw_button(
        "Open this plan", opens, given, key=f"{key}-open", icon="file_open", disabled=not given.strip()
    )


def draw_clarify(clarify: Clarify, ask: Callable[[str, tuple[str, ...]], None]) -> None:
    """Clarification needed before there is a plan, with choices."""
    st.warning(plain(clarify.reason), icon=":material/help:")
    with st.container(horizontal=True):
        for number, each in enumerate(clarify.options):
            more = f" ({counted(each.documents, 'document')})" if each.documents is not None else ""
            draw_button(f"{each.label}{more}", ask, each.question, (), key=f"clarify-{number}")


def draw_bar(at: BarState, audits: Sequence[Audit], actions: BarActions) -> None:
    """One row: run, undo, nodes, files."""
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="plan-bar"):
        draw_button(
            "Run again" if at.has_run else "Run",
            actions.run,
            key="run",
            icon="play_arrow",
            type="primary" if not at.has_run else "secondary",
            disabled=not at.can_run,
        )
        _draw_step("Undo", "undo", at.can_undo, actions.undo, "Take the last change back")
        _draw_step("Redo", "redo", at.can_redo, actions.redo, "Make the change again that was taken back")
        _draw_step("Reset", "restart_alt", at.is_changed, actions.reset, "Back to the plan as it was made")
        with st.popover("Add a node", icon=":material/add:", key=f"palette-{at.revision}"):
            st.caption("Behind the node that is open")
            for kind in map(spec_of_type, node_types()):
                draw_button(
                    f"{kind.word}: {kind.about[:1].lower()}{kind.about[1:]}",
                    actions.add,
                    kind.type,
                    key=f"add-{kind.type}",
                    type="tertiary",
                )
        with st.popover("Open", icon=":material/folder_open:", key=f"open-{at.revision}"):
            draw_audits(audits, actions.audit)
            draw_import(actions.file, "bar")
            draw_button("Begin anew", actions.close, key="close", type="tertiary")
        with st.popover("Share", icon=":material/ios_share:", key="share"):
            _draw_share(at, actions)


def _draw_step(word: str, icon: str, can: bool, action: Callable[[], None], why: str) -> None:
    draw_button(word, action, key=f"step-{word.lower()}", icon=icon, disabled=not can, help=why)


def _draw_share(at: BarState, actions: BarActions) -> None:
    st.download_button(
        "Export as JSON",
        actions.export,
        file_name=f"{at.name}.json",
        mime="application/json",
        key="export",
        icon=":material/download:",
        on_click="ignore",
    )
    everybody = st.toggle("Everybody may open the link", True, key="share-everybody")
    if st.button("Make a link", key="make-link", icon=":material/link:"):
        address = actions.share(everybody)
        origin = (st.context.url or "").split("/inspector")[0].rstrip("/")
        st.code(f"{origin}{address}", language=None, wrap_lines=True)
        st.caption("Whoever opens it sees what they may see: other documents, perhaps other numbers.")
    draw_page_link("ask", "Back to Ask", "forum")
