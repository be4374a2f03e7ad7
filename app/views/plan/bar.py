"""Above the graph: the question, how to begin, and what can be done with the plan as a whole."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

import streamlit as st

from app import state
from app.components.controls import draw_button, draw_page_link
from app.components.shell import moment, plain
from app.presenting.wording import counted
from app.views.plan import edits, open_plan
from app.views.plan.open_plan import OpenPlan
from core.domain.audit import Audit
from core.plan.clarify import Clarify
from core.plan.ir.nodes import node_types, spec_of_type

QUESTION = "plan-question"


def draw_question(question: str, buckets: Sequence[str]) -> None:
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
            open_plan.ask(asked, tuple(chosen))
            st.rerun()


def draw_way_back(to: Mapping[str, str]) -> None:
    """A link to the conversation that the plan comes from; to: what its address holds."""
    if to:
        draw_page_link("ask", "Back to the conversation", "arrow_back", **to)


def draw_begin(starters: Sequence[str], audits: Sequence[Audit]) -> None:
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
                draw_button(each, open_plan.ask, each, (), key=f"begin-{number}", type="tertiary")
        if not starters:
            st.caption("There are no examples for these documents: write a question above.")
    with right:
        st.markdown("**Or go on with a saved audit**")
        draw_audits(audits)
        st.markdown("**Or open a plan that was exported**")
        draw_import("begin")


def draw_audits(audits: Sequence[Audit]) -> None:
    """The saved audits, each to be opened."""
    if not audits:
        st.caption("None is saved yet. A plan is kept under a name by “Audit”, beside its answer.")
        return
    for each in audits:
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            draw_button(each.name, open_plan.open_audit, each.id, key=f"audit-{each.id}", icon="bookmark")
            st.caption(f"{counted(each.runs, 'run')} · saved {moment(each.updated_at)}", width="content")


def draw_import(key: str) -> None:
    """A file, or JSON that is pasted."""
    file = st.file_uploader("Plan as JSON", ["json"], key=f"{key}-file", label_visibility="collapsed")
    text = st.text_area("Or paste it", key=f"{key}-text", height=90, placeholder='{"format": 1, "plan": {…}}')
    given = file.getvalue() if file is not None else text.encode()
    draw_button(
        "Open this plan",
        open_plan.open_file,
        given,
        key=f"{key}-open",
        icon="file_open",
        disabled=not given.strip(),
    )


def draw_clarify(clarify: Clarify) -> None:
    """Clarification needed before there is a plan, with choices."""
    st.warning(plain(clarify.reason), icon=":material/help:")
    with st.container(horizontal=True):
        for number, each in enumerate(clarify.options):
            more = f" ({counted(each.documents, 'document')})" if each.documents is not None else ""
            draw_button(f"{each.label}{more}", open_plan.ask, each.question, (), key=f"clarify-{number}")


def draw_bar(found: OpenPlan, audits: Sequence[Audit]) -> None:
    """One row: run, undo, nodes, files."""
    draft, has_run = found.draft, found.run is not None
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="plan-bar"):
        draw_button(
            "Run again" if has_run else "Run",
            edits.run_plan,
            key="run",
            icon="play_arrow",
            type="primary" if not has_run else "secondary",
            disabled=bool(found.problems) or found.is_running,
        )
        _draw_step("Undo", "undo", bool(draft.past), edits.undo, "Take the last change back")
        _draw_step(
            "Redo", "redo", bool(draft.future), edits.redo, "Make the change again that was taken back"
        )
        _draw_step("Reset", "restart_alt", draft.is_changed, edits.reset, "Back to the plan as it was made")
        with st.popover("Add a node", icon=":material/add:", key=f"palette-{found.revision}"):
            st.caption("Behind the node that is open")
            for kind in filter(lambda each: each.begins, map(spec_of_type, node_types())):
                draw_button(
                    f"{kind.word}: {kind.about[:1].lower()}{kind.about[1:]}",
                    edits.add,
                    kind.type,
                    key=f"add-{kind.type}",
                    type="tertiary",
                )
        with st.popover("Open", icon=":material/folder_open:", key=f"open-{found.revision}"):
            draw_audits(audits)
            draw_import("bar")
            draw_button("Begin anew", open_plan.close, key="close", type="tertiary")
        with st.popover("Share", icon=":material/ios_share:", key="share"):
            _draw_share(found.plan.question)


def _draw_step(word: str, icon: str, can: bool, action: Callable[[], None], why: str) -> None:
    draw_button(word, action, key=f"step-{word.lower()}", icon=icon, disabled=not can, help=why)


def _draw_share(question: str) -> None:
    name = re.sub(r"[^a-z0-9]+", "-", question.lower()).strip("-")[:60] or "plan"
    st.download_button(
        "Export as JSON",
        edits.exported,
        file_name=f"{name}.json",
        mime="application/json",
        key="export",
        icon=":material/download:",
        on_click="ignore",
    )
    everybody = st.toggle("Everybody may open the link", True, key="share-everybody")
    if st.button("Make a link", key="make-link", icon=":material/link:"):
        address = edits.shared(everybody)
        origin = (st.context.url or "").split("/inspector")[0].rstrip("/")
        st.code(f"{origin}{address}", language=None, wrap_lines=True)
        st.caption("Whoever opens it sees what they may see: other documents, perhaps other numbers.")
    draw_page_link("ask", "Back to Ask", "forum")
