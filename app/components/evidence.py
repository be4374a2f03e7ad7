"""The evidence panel: the cited page with its words highlighted, its text, and why it was found."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import streamlit as st

from app.components import mounts
from app.components.controls import draw_button, draw_page_link
from app.components.pages import draw_pages
from app.components.shell import plain, source_words
from app.components.text_changes import draw_standing
from app.presenting.pages import Excerpt, PageSet, Span
from app.state import Kind, Width
from core.domain.answer import Citation, NearPassage
from core.domain.conversation import Turn
from core.domain.evidence.change import EvidenceStanding, TextComparison
from core.domain.search import SearchHit
from core.domain.span import Box

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
Scores = Callable[[str, tuple[str, ...], str, int, int], SearchHit | None]


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


def draw_marks(shown: tuple[str, Kind, int] | None, close: Callable[[], None]) -> None:
    """Tell the answers on the page which of their places is open: its chip is marked, and no other."""
    turn, kind, number = shown or (None, None, None)
    mounts.marks(
        key="marks",
        data={"turn": turn, "kind": kind, "number": number},
        on_close_change=close,
    )


def draw_evidence(
    found: Evidence | None,
    width: Width,
    set_width: Callable[[Width], None],
    close: Callable[[], None],
    step: Callable[[int], None],
    scores: Scores,
) -> None:
    """Toolbar, title and tabs of one cited place."""
    with st.container(horizontal=True, vertical_alignment="center", gap="small", wrap=False, key="ev-bar"):
        if found:
            at = found.numbers.index(found.number)
            draw_button(
                "Previous citation",
                step,
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
                step,
                1,
                icon="chevron_right",
                key="ev-next",
                type="tertiary",
                disabled=at + 1 == len(found.numbers),
            )
        draw_panel_buttons(width, set_width, close, "Close the evidence")
    if found:
        st.caption(f"Question: {plain(_brief(found.turn.question))}", help=plain(found.turn.question))
    if found is None:
        st.info("Click a citation in an answer: its page opens here at the quoted words.")
        return
    if found.pages is None:
        _draw_gone(found)
        return
    _draw_place(found)
    if found.standing is not None and found.compare is not None:
        draw_standing(found.standing, found.compare, key="evidence")
    _draw_tabs(found, scores)


def draw_panel_buttons(
    width: Width, set_width: Callable[[Width], None], close: Callable[[], None], closing: str
) -> None:
    """At the end of the bar of what stands beside the conversation. closing: what the last one is called."""
    st.space("stretch")
    wide = width == "wide"
    draw_button(
        "Narrower" if wide else "Wider",
        set_width,
        "half" if wide else "wide",
        icon="close_fullscreen" if wide else "open_in_full",
        key="ev-width",
        type="tertiary",
    )
    draw_button(closing, close, icon="close", key="ev-close", type="tertiary")


def _brief(question: str) -> str:
    words = " ".join(question.split())
    return words if len(words) <= 90 else words[:89].rstrip() + "…"


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


def _draw_tabs(found: Evidence, scores: Scores) -> None:
    place, pages = found.place, found.pages
    assert pages is not None
    names = (["Page image", "Text"] if pages.ratio else ["Text"]) + ["Why this passage"]
    tabs = dict(zip(names, st.tabs(names, key=f"ev-tabs-{len(names)}", on_change="rerun"), strict=True))
    focus = Span(place.page, place.start, place.end, found.boxes)
    for name in names[:-1]:
        if tabs[name].open:
            with tabs[name]:
                is_text = name == "Text"
                draw_pages(
                    pages,
                    key=f"ev-{name}",
                    as_text=is_text,
                    focus=focus,
                    excerpt=None if is_text else found.excerpt,
                )
    if tabs["Why this passage"].open:
        with tabs["Why this passage"]:
            question = found.turn.question
            _draw_scores(scores(question, found.buckets, place.document, place.page, place.start), question)


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
