"""Correction of what an answer went wrong by: a cell, a word, or the plan; and the answer after it."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from app import links, services
from app.components.controls import draw_button, draw_page_link
from app.components.shell import plain
from app.panels.plan_answer import linked
from app.presenting.answer_parts import fields_of
from app.views.review import actions
from core.domain.answer import Answer
from core.domain.document import DocumentSummary
from core.domain.fields import Cell, CellStatus
from core.domain.ids import DocumentId, TraceId
from core.domain.trust.permission import Action
from core.domain.trust.review import ReviewItem
from core.domain.value_text import shown_all
from core.errors import GroundworkError

_MOST_CELLS = 200
_DEEDS = {"correct": "It should be", "absent": "It is not in the document", "confirm": "It is right as it is"}


def draw_correction(item: ReviewItem, answer: Answer) -> None:
    """What can be corrected, folded away until it is wanted; then the answer that comes of it."""
    with st.expander("Correct the cause", key="review-correct", on_change="rerun") as opened:
        if not opened.open:
            return
        cell, word, plan = st.tabs(["A cell", "A word", "The plan"])
        with cell:
            _draw_cell(item, answer)
        with word:
            _draw_word(item)
        with plan:
            _draw_plan(item, answer)
        st.divider()
        _draw_again(item)


def _draw_cell(item: ReviewItem, answer: Answer) -> None:
    found = _cells(answer)
    if not found:
        st.markdown("This answer rests on no cell of a field.")
        return
    names = {
        f"{each.document} {each.field}": f"{title}: {_stated(each)} · {document.name}"
        for each, document, title in found
    }
    chosen = st.selectbox(
        "Cell", list(names), key=f"correct-cell-{item.id}", format_func=lambda each: names.get(each, each)
    )
    document, _, field = str(chosen).partition(" ")
    with st.container(horizontal=True, vertical_alignment="bottom"):
        deed = st.selectbox(
            "What is right",
            list(_DEEDS),
            key=f"correct-deed-{item.id}",
            format_func=_DEEDS.__getitem__,
            width=230,
        )
        value = ""
        if deed == "correct":
            value = st.text_input(
                "Value",
                key=f"correct-value-{item.id}",
                placeholder="2024-03-01, $1,250.00, 30 days",
                width=260,
            )
        draw_button(
            "Correct the cell",
            actions.correct_cell,
            item.id,
            document,
            field,
            deed,
            value,
            key="correct-cell",
            type="primary",
            disabled=deed == "correct" and not value.strip(),
        )
    draw_page_link("documents", "Open the document", "open_in_new", document=document)


def _draw_word(item: ReviewItem) -> None:
    session = services.session()
    if not services.may(Action.CONFIGURE):
        st.markdown("Words are given a meaning by admins: ask one, with the words that were misread.")
        return
    named = {each.name: each for each in session.schemas.list()}
    with st.container(horizontal=True, vertical_alignment="bottom"):
        phrase = st.text_input("Words of the question", key=f"correct-phrase-{item.id}", width=230)
        schema = named[
            st.selectbox(
                "mean a field of",
                list(named),
                key=f"correct-schema-{item.id}",
                format_func=lambda name: named[name].title,
                width=180,
            )
        ]
        titles = {each.name: each.title for each in schema.fields}
        field = st.selectbox(
            "Field",
            list(titles),
            index=None,
            key=f"correct-field-{item.id}-{schema.name}",
            format_func=lambda name: titles.get(name, name),
            width=220,
        )
        draw_button(
            "Add the words",
            actions.correct_word,
            item.id,
            phrase,
            field,
            schema.name,
            key="correct-word",
            disabled=field is None or not phrase.strip(),
        )


def _draw_plan(item: ReviewItem, answer: Answer) -> None:
    others = answer.other_readings
    if others:
        chosen = st.radio(
            "Another reading of the question",
            range(len(others)),
            key=f"correct-reading-{item.id}",
            format_func=lambda at: _reading(answer, at),
        )
        draw_button(
            "Read it so from now on", actions.correct_plan, item.id, others[chosen].plan, key="correct-plan"
        )
    else:
        st.markdown("No other reading of this question was found.")
    st.link_button("Open its plan", links.inspector(question=item.question), type="secondary")


def _draw_again(item: ReviewItem) -> None:
    """The question asked again, after what was corrected."""
    with st.container(horizontal=True, vertical_alignment="center"):
        is_asked = st.button("Ask again", key="review-again", icon=":material/replay:")
        st.markdown(":small[With what was corrected, as its asker would. Nobody is told.]", width="content")
    if not is_asked:
        return
    try:
        found = services.session().replays.replay(TraceId(item.trace))
    except GroundworkError as error:
        st.warning(f"{plain(error.message)} {plain(error.next_step)}")
        return
    if found.after is None:
        st.warning(plain(found.refusal))
        return
    if found.is_equal:
        st.info("The answer is the same as before.")
        return
    st.markdown("**The answer now:**")
    st.markdown(linked(found.after))
    draw_button(
        "This is right: keep it as an evaluation case",
        actions.keep_case,
        item.id,
        item.trace,
        key="review-keep-case",
    )


def _cells(answer: Answer) -> list[tuple[Cell, DocumentSummary, str]]:
    """The cells that an answer may have gone wrong by: of its documents, in its fields."""
    session = services.session()
    called = {column.name: column.title for column in session.matrix.columns(None, None)}
    found: list[tuple[Cell, DocumentSummary, str]] = []
    for part in answer.parts or (answer,):
        fields = [name for name in fields_of(part) if name in called]
        ids = documents_of(part)
        if not fields or not ids:
            continue
        known = session.documents.by_id(ids)
        cells = session.matrix.cells(list(known), fields)
        found += [(each, known[each.document], called[each.field]) for each in cells]
    return found[:_MOST_CELLS]


def documents_of(answer: Answer) -> Sequence[DocumentId]:
    """The documents of an answer, those first that it shows."""
    table = answer.table.documents if answer.table is not None else ()
    cited = [each.document for each in answer.citations]
    lists = answer.ledger.documents if answer.ledger is not None else None
    counted = (*lists.present, *lists.uncertain, *lists.absent) if lists is not None else ()
    every = dict.fromkeys(each for each in (*table, *cited, *counted) if each)
    return [DocumentId(each) for each in every][:_MOST_CELLS]


def _stated(cell: Cell) -> str:
    finding = cell.finding
    return shown_all(finding.values) if finding.status is CellStatus.PRESENT else finding.status.value


def _reading(answer: Answer, at: int) -> str:
    other = answer.other_readings[at]
    return plain(other.text) if other.count is None else f"{plain(other.text)} ({other.count:,})"
