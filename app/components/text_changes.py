"""Old and new text of a document side by side, and the line that says how a cited place stands now."""

from __future__ import annotations

from collections.abc import Callable
from html import escape

import streamlit as st

from app.components.controls import draw_page_link
from app.components.shell import plain
from app.presenting.wording import counted, date
from core.domain.evidence.change import EvidenceStanding, EvidenceState, ParagraphChange, TextComparison

_TAGS = {"removed": "del", "added": "ins"}
# What went is struck through and what came is underlined: the colours are a help, not the message.
_STYLE = """<style>
.text-changes{display:grid;grid-template-columns:repeat(2,minmax(0,1fr));gap:0 1rem;font-size:.9rem}
.text-changes h4{margin:0 0 .3rem;padding:0;font-size:.85rem;font-weight:650}
.text-changes p{margin:0;padding:.45rem .6rem;overflow-wrap:anywhere}
.text-changes p{border-top:1px solid rgba(128,128,128,.35)}
.text-changes p.cited{border-left:3px solid rgba(217,119,6,.9)}
.text-changes p.none{opacity:.75;font-style:italic}
.text-changes del{background:rgba(217,119,6,.2);text-decoration:line-through}
.text-changes ins{background:rgba(37,99,235,.2);text-decoration:underline}
</style>"""


def draw_standing(found: EvidenceStanding, compare: Callable[[], TextComparison], *, key: str) -> None:
    """How a cited place stands now: nothing of what is current, quietly where its words are the same."""
    if found.state is EvidenceState.CURRENT:
        return
    if found.state is EvidenceState.SAME_WORDS:
        when = f" (version {found.newest}, {date(found.at)})" if found.at else ""
        st.caption(f"{found.note.rstrip('.')}{when}.")
        return
    with st.container(key=f"standing-{key}"):
        st.warning(plain(found.note), icon=":material/history:")
        if found.state is EvidenceState.CHANGED:
            _draw_link(found)
            draw_comparison(compare(), found)


def draw_comparison(found: TextComparison, standing: EvidenceStanding | None = None) -> None:
    """The changed paragraphs of two versions, side by side."""
    if not found.changes:
        st.caption("The text of both versions is the same.")
        return
    at = f", {date(standing.at)}" if standing is not None and standing.at else ""
    st.html(_STYLE + comparison_html(found, at))
    if found.left_out:
        st.caption(f"{counted(found.left_out, 'further paragraph')} changed too.")


def comparison_html(found: TextComparison, at: str = "") -> str:
    """The changed paragraphs in two columns; all text is escaped. at: behind the word "newest"."""
    heads = f"<h4>Version {found.before_version}</h4><h4>Version {found.version} (newest{at})</h4>"
    rows = "".join(_row(each) for each in found.changes)
    label = "Old and new text side by side"
    return f'<div class="text-changes" role="group" aria-label="{label}">{heads}{rows}</div>'


def _draw_link(found: EvidenceStanding) -> None:
    place = found.place
    where = {"page": str(place.page_no), "start": str(place.start), "end": str(place.end)} if place else {}
    draw_page_link("documents", "Open the page as it is now", "open_in_new", document=found.document, **where)


def _row(change: ParagraphChange) -> str:
    name = ' class="cited"' if change.is_cited else ""
    old = _side(change, "added")
    new = _side(change, "removed")
    return _cell(old, name, "Not in this version: it is new.") + _cell(new, name, "No longer there.")


def _side(change: ParagraphChange, without: str) -> str:
    """One version of a paragraph, with what only it has marked."""
    pieces = []
    for part in change.parts:
        if part.side == without:
            continue
        tag, text = _TAGS.get(part.side), escape(part.text)
        pieces.append(f"<{tag}>{text}</{tag}>" if tag else text)
    return "".join(pieces)


def _cell(text: str, name: str, nothing: str) -> str:
    return f"<p{name}>{text}</p>" if text else f'<p class="none">{nothing}</p>'
