"""The evidence panel: the cited page with its words highlighted, its text, and why it was found."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import streamlit as st

from app import services, state
from app.components import mounts
from app.components.controls import draw_button, draw_page_link
from app.components.pages import draw_view
from app.components.shell import plain, source_words
from app.components.text_changes import draw_standing
from app.presenting import answer_parts
from app.presenting.document_pages import Excerpt, PageSet, Span, place_pages
from app.presenting.wording import brief
from app.state import Kind, Width
from core.domain.answer import Answer, Citation, NearPassage
from core.domain.conversation import Turn, find_turn
from core.domain.evidence.change import EvidenceStanding, TextComparison
from core.domain.ids import ConversationId, DocumentId
from core.domain.search import SearchHit, SearchQuery
from core.domain.span import Box, PageSpan
from core.errors import GroundworkError, NotFoundError

FLEX = {"closed": "0 0 0px;display:none", "half": "0 0 42%", "wide": "0 0 62%"}
WORDS: dict[Kind, str] = {
    "cite": "Citation",
    "near": "Nearest passage",
    "present": "● Present",
    "absent": "○ Absent",
    "uncertain": "◆ Uncertain",
    "unreadable": "▲ Unreadable",
    "row": "Row",
    "item": "Evidence",
    "set": "In hand",
}


@dataclass(frozen=True, slots=True)
class Evidence:
    """One cited place. numbers: all citations (or near passages) of its answer, in order."""

    turn: Turn
    kind: Kind
    number: int
    numbers: tuple[int, ...]
    place: Citation | NearPassage
    pages: PageSet | None
    boxes: tuple[Box, ...] = ()
    buckets: tuple[str, ...] = ()
    missing: str = ""
    is_removed: bool = False
    excerpt: Excerpt | None = None
    standing: EvidenceStanding | None = None
    compare: Callable[[], TextComparison] | None = None


def draw_widths(width: Width) -> None:
    """The widths of the two columns: style alone, so that nothing is drawn again when the panel opens."""
    column = ".st-key-zones [data-testid=stColumn]"
    st.html(
        f"<style>{column}:nth-of-type(2){{flex:{FLEX[width]};min-width:0}}"
        f"{column}:nth-of-type(1){{flex:1 1 0;min-width:0}}</style>"
    )


def draw_marks(shown: tuple[str, Kind, int] | None) -> None:
    """Tell the answers on the page which of their places is open: its chip is marked, and no other."""
    turn, kind, number = shown or (None, None, None)
    data = {"turn": turn, "kind": kind, "number": number}
    mounts.marks(key="marks", data=data, on_close_change=state.close_evidence)


def draw_evidence(found: Evidence | None) -> None:
    """Toolbar, title and tabs of one cited place."""
    with st.container(horizontal=True, vertical_alignment="center", gap="small", wrap=False, key="ev-bar"):
        if found:
            at = found.numbers.index(found.number)
            draw_button(
                "Previous citation",
                _step,
                -1,
                icon="chevron_left",
                key="ev-back",
                type="tertiary",
                disabled=at == 0,
            )
            word = WORDS.get(found.kind, "In this group")
            st.markdown(f"**{word} {at + 1} of {len(found.numbers)}**", width="content")
            draw_button(
                "Next citation",
                _step,
                1,
                icon="chevron_right",
                key="ev-next",
                type="tertiary",
                disabled=at + 1 == len(found.numbers),
            )
        draw_panel_buttons("Close the evidence")
    if found:
        st.caption(f"Question: {plain(brief(found.turn.question, 90))}", help=plain(found.turn.question))
    if found is None:
        st.info("Click a citation in an answer: its page opens here at the quoted words.")
        return
    if found.pages is None:
        _draw_gone(found)
        return
    _draw_place(found)
    if found.standing is not None and found.compare is not None:
        draw_standing(found.standing, found.compare, key="evidence")
    _draw_tabs(found)


def draw_panel_buttons(closing: str) -> None:
    """At the end of the bar of what stands beside the conversation. closing: what the last one is called."""
    st.space("stretch")
    wide = state.width() == "wide"
    draw_button(
        "Narrower" if wide else "Wider",
        state.set_width,
        "half" if wide else "wide",
        icon="close_fullscreen" if wide else "open_in_full",
        key="ev-width",
        type="tertiary",
    )
    draw_button(closing, state.close_evidence, icon="close", key="ev-close", type="tertiary")


def _draw_gone(found: Evidence) -> None:
    title = plain(found.place.title)
    st.markdown(f"**{title}**, page {found.place.page}")
    said = (
        f"“{title}” was removed"
        if found.is_removed
        else f"This page cannot be opened now: {plain(found.missing)}"
    )
    st.warning(f"{said}. The quote is kept as it was cited.".replace("..", "."))
    st.markdown(f"> {plain(found.place.quote)}")


def _draw_place(found: Evidence) -> None:
    place = found.place
    st.markdown(f"**{plain(place.title)}**, page {place.page}")
    note = f"version {place.version}"
    if found.pages is not None and found.pages.mark:
        note += f" · {found.pages.mark}"
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.caption(f"{source_words(place.source)} · {plain(note)}", width="content")
        draw_page_link(
            "documents",
            "Open document",
            "open_in_new",
            document=place.document,
            version=str(place.version),
            page=str(place.page),
            start=str(place.start),
            end=str(place.end),
        )


def _draw_tabs(found: Evidence) -> None:
    place, pages = found.place, found.pages
    assert pages is not None
    views = [view for view in pages.views if view != "Page as it was"]
    names = ["Page image" if view == "Pages" else view for view in views]
    names.append("Why this passage")
    tabs = st.tabs(names, key=f"ev-tabs-{'-'.join(names)}", on_change="rerun")
    focus = Span(place.page, place.start, place.end, found.boxes)
    for view, name, tab in zip(views, names, tabs, strict=False):
        if tab.open:
            with tab:
                excerpt = None if view == "Text" else found.excerpt
                draw_view(view, pages, key=f"ev-{name}", focus=focus, excerpt=excerpt)
    if tabs[-1].open:
        with tabs[-1]:
            question = found.turn.question
            _draw_scores(
                _find_scores(question, found.buckets, place.document, place.page, place.start), question
            )


def _draw_scores(hit: SearchHit | None, question: str) -> None:
    st.caption(f"The question, searched again now: {plain(question)}")
    if hit is None:
        st.markdown(
            "A search for the whole question does not list this passage among its first 50: it was found on "
            "another way, such as the document that the question names."
        )
        return
    rows = [
        ("Rank", f"{hit.rank}", "place in the list"),
        ("Combined score", f"{hit.score:.3f}", "words and meaning together; the list is ordered by it"),
        (
            "Words in common",
            "none" if hit.keyword is None else f"{hit.keyword:.2f}",
            "rare words of the question that stand in the passage",
        ),
        (
            "Meaning",
            "not among the nearest" if hit.cosine is None else f"{hit.cosine:.3f}",
            "likeness of question and passage, 1 is equal",
        ),
        (
            "Best sentence",
            "unknown" if hit.sentence_cosine is None else f"{hit.sentence_cosine:.3f}",
            "likeness of question and the closest sentence",
        ),
    ]
    lines = "\n".join(f"| {name} | {value} | {note} |" for name, value, note in rows)
    st.markdown(f"| Measure | Value | What it says |\n|---|---:|---|\n{lines}")
    if hit.section:
        st.markdown("Section: " + " › ".join(plain(part) for part in hit.section))
    st.markdown("The passage:")
    st.text(hit.text)


DEPTH = 50


def read_evidence(conversation: ConversationId, shown: tuple[str, Kind, int]) -> Evidence | None:
    """The place that the panel points at; None where it is gone."""
    session = services.session()
    try:
        turns = session.conversations.turns(conversation)
        buckets = session.conversations.get(conversation).buckets
    except NotFoundError:
        return None
    turn = find_turn(turns, shown[0])
    if turn is None or turn.answer is None:
        return None
    kind, number = shown[1], shown[2]
    places = _places(turn.answer, kind)
    place = places.get(number)
    if place is None:
        return None
    numbers = tuple(places)
    try:
        found = place_pages(place)
        (standing,) = session.citations.standings([place])
    except GroundworkError as error:
        is_removed = isinstance(error, NotFoundError)
        return Evidence(
            turn, kind, number, numbers, place, None, missing=error.message, is_removed=is_removed
        )
    return Evidence(
        turn,
        kind,
        number,
        numbers,
        place,
        found.pages,
        found.boxes,
        buckets,
        standing=standing,
        compare=lambda: session.citations.compare(
            DocumentId(place.document), place.version, PageSpan(place.page, place.start, place.end)
        ),
        excerpt=found.excerpt,
    )


def _places(answer: Answer, kind: Kind) -> dict[int, Citation | NearPassage]:
    """The places of one kind in an answer, by number."""
    if kind == "cite":
        return {c.n: c for c in answer.citations}
    return {
        **(dict(enumerate(answer.nearest)) if kind == "near" else answer_parts.citations_of(answer, kind))
    }


def _step(step: int) -> None:
    """Go to the next or the previous citation of the same answer."""
    shown = state.evidence()
    conversation = state.conversation()
    if not shown or not conversation:
        return
    turns = services.session().conversations.turns(conversation)
    turn = find_turn(turns, shown[0])
    answer = turn.answer if turn is not None else None
    if answer is None:
        return
    kind, number = shown[1], shown[2]
    numbers = list(_places(answer, kind))
    at = numbers.index(number) + step if number in numbers else -1
    if 0 <= at < len(numbers):
        state.show_evidence(shown[0], kind, numbers[at])


def _find_scores(
    question: str, buckets: tuple[str, ...], document: str, page: int, start: int
) -> SearchHit | None:
    """The passage around this place as a search for the question ranks it now; None where it is not found."""
    session = services.session()
    for documents in ((), (DocumentId(document),)):
        query = SearchQuery(question, top_k=DEPTH, buckets=buckets, documents=documents)
        for hit in session.documents.search(query).hits:
            if hit.document == document and hit.page == page and hit.start <= start < hit.end:
                return hit
    return None
