"""One document beside the table: its state, its pages, its text searched, and what can be done with it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import PurePath

import streamlit as st

from app import state
from app.components.controls import draw_button
from app.components.document_fields import NAMES, draw_statements
from app.components.pages import draw_pages, draw_stored_page
from app.components.shell import plain, source_words
from app.components.text_changes import draw_comparison, draw_standing
from app.presenting.pages import PageSet, Span
from app.presenting.wording import STATUS, counted, date, language, named, read_by, size
from app.views.documents.family_panel import draw_family
from app.views.documents.name_panel import NameActions, draw_name
from app.views.documents.table import kind_of
from core.domain.document import HTML, PDF, DocumentStatus, DocumentSummary, DocumentVersion
from core.domain.evidence.change import EvidenceStanding, TextComparison
from core.domain.facts import DocumentFacts
from core.domain.fields import Family
from core.domain.ids import DocumentId
from core.domain.principal import in_words

STORED = "Page as it was"
COLOURS = {
    DocumentStatus.READY: "blue",
    DocumentStatus.UNREADABLE: "violet",
    DocumentStatus.FAILED: "orange",
    DocumentStatus.GONE: "gray",
}


@dataclass(frozen=True, slots=True)
class DocumentActions:
    """Actions of the page on documents. read_fields, read_scan, name: None for who may not.

    standing, compare: how a place in an older version stands now; its old and new text.
    draw_scans: the button that reads all scans, and gets what that needs.
    """

    remove: Callable[[list[DocumentId]], None]
    reingest: Callable[[list[DocumentId]], None]
    find: Callable[[str], list[Span]]
    facts: Callable[[], DocumentFacts]
    family: Callable[[], Family]
    open_place: Callable[[int, int, int], None]
    read_fields: Callable[[], None] | None
    read_scan: Callable[[], None] | None
    draw_scans: Callable[[], None]
    name: NameActions | None
    show_version: Callable[[int], None]
    standing: Callable[[Span | None], EvidenceStanding | None]
    compare: Callable[[Span | None], TextComparison]
    close: Callable[[], None]


def draw_details(
    document: DocumentVersion, pages: PageSet, focus: Span | None, actions: DocumentActions
) -> None:
    """The whole panel."""
    summary = document.summary
    with st.container(horizontal=True, vertical_alignment="center", wrap=False):
        st.subheader(plain(named(summary)), anchor=False)
        st.space("stretch")
        draw_button("Close the document", actions.close, icon="close", type="tertiary", key="close-document")
    _draw_facts(document, actions)
    _draw_standing(document, focus, actions)
    draw_family(actions.family())
    _draw_actions(document, actions)
    if not document.pages:
        st.info("There are no pages to show.")
        return
    hits, at = _draw_search(actions)
    is_web_page = summary.media_type == HTML
    names = [*(["Pages", "Text"] if pages.ratio else ["Text", STORED] if is_web_page else ["Text"]), *NAMES]
    tabs = dict(zip(names, st.tabs(names, key=f"document-tabs-{len(names)}", on_change="rerun"), strict=True))
    shown = hits[at] if hits else focus
    for name in names:
        if tabs[name].open:
            with tabs[name]:
                if name == STORED:
                    draw_stored_page(pages, key="document-stored", focus=shown)
                    continue
                marked = hits
                if name in NAMES:
                    marked = [*hits, *_draw_statements(name, document, focus, actions)]
                as_text = name == "Text"
                draw_pages(pages, key=f"document-{name}", as_text=as_text, focus=shown, hits=marked)


def _draw_standing(document: DocumentVersion, focus: Span | None, actions: DocumentActions) -> None:
    """What has become of an older version, and of the words in it that a link points at."""
    summary = document.summary
    if summary.is_gone or document.version == summary.version:
        return
    standing = actions.standing(focus)
    if standing is not None:
        draw_standing(standing, lambda: actions.compare(focus), key="document")
        return
    with st.expander(
        f"Changed since version {document.version}", icon=":material/history:", on_change="rerun"
    ) as box:
        if box.open:
            draw_comparison(actions.compare(None))


def _draw_statements(
    name: str, document: DocumentVersion, focus: Span | None, actions: DocumentActions
) -> list[Span]:
    if document.version != document.summary.version:
        st.info("Fields are kept for the newest version. Choose it above to see them.")
        return []
    if document.summary.is_gone:
        st.info("Fields are not kept of documents that are gone.")
        return []
    return draw_statements(name, actions.facts(), focus, actions.open_place, actions.read_fields)


def is_scan(summary: DocumentSummary) -> bool:
    """True where a document is images of pages, without text."""
    return summary.status is DocumentStatus.UNREADABLE and summary.media_type == PDF and summary.pages > 0


def _draw_facts(document: DocumentVersion, actions: DocumentActions) -> None:
    summary = document.summary
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.badge(STATUS[summary.status], color=COLOURS[summary.status])  # type: ignore[arg-type]
        is_of_the_web = "://" in summary.source
        place = source_words(summary.source if is_of_the_web else PurePath(summary.source).name)
        facts = [
            summary.bucket,
            summary.doc_type or kind_of(summary),
            counted(len(document.pages), "page"),
            counted(summary.passages, "passage"),
            date(summary.updated_at),
            *filter(None, [read_by(document.metadata)]),
        ]
        more = (
            f"{summary.source}\n\n{size(summary.size_bytes)}, {language(summary.language)}, "
            f"added {summary.updated_at.isoformat(timespec='seconds')}"
        )
        st.caption(f"{place} · {plain(' · '.join(facts))}", width="content", help=plain(more))
    if summary.is_gone:
        st.warning(
            f"**{plain(summary.note)}**  \nNew questions do not look at it. Its pages stay readable for "
            "answers that cite them; should the site give it again, it comes back by itself."
        )
    elif summary.reason:
        st.warning(plain(summary.reason))
    if is_scan(summary) and actions.read_scan is None:
        actions.draw_scans()
    if summary.acl:
        st.caption(f"Open to {plain(in_words(summary.acl))}.")


def _draw_actions(document: DocumentVersion, actions: DocumentActions) -> None:
    summary = document.summary
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        link = f"/api/documents/{summary.id}/original?version={document.version}"
        st.markdown(f"[Download original]({link})", width="content")
        if actions.name is not None and not summary.is_gone:
            draw_name(summary, actions.name)
        if not summary.is_gone:
            draw_button(
                "Re-ingest",
                actions.reingest,
                [summary.id],
                key="reingest",
                type="tertiary",
                icon="refresh",
                help="Read the original again",
            )
        if summary.status is DocumentStatus.UNREADABLE and document.pages and actions.read_scan:
            draw_button(
                "Read by OCR",
                actions.read_scan,
                key="read-scan",
                type="tertiary",
                icon="document_scanner",
                help="Recognise the text of the page images, as a job",
            )
        if st.button("Remove", key="remove", type="tertiary", icon=":material/delete:"):
            confirm_removal([summary], actions)
        if summary.version > 1:
            versions = list(range(summary.version, 0, -1))
            key = f"version-{summary.id}"
            st.selectbox(
                "Version",
                versions,
                index=versions.index(document.version),
                key=key,
                width=210,
                format_func=lambda v: f"Version {v}" + (" (newest)" if v == summary.version else ""),
                label_visibility="collapsed",
                on_change=lambda: actions.show_version(int(state.widget(key))),
            )


def _draw_search(actions: DocumentActions) -> tuple[list[Span], int]:
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        words = st.text_input(
            "Find in this document",
            key="find",
            type="search",
            width=220,
            bind="query-params",
            placeholder="Find in this document",
            label_visibility="collapsed",
        )
        hits = actions.find(words or "")
        if not words or not words.strip():
            return [], 0
        at = min(state.hit_of(words), max(0, len(hits) - 1))
        draw_button(
            "Previous hit",
            state.set_hit,
            words,
            at - 1,
            icon="keyboard_arrow_up",
            key="hit-back",
            type="tertiary",
            disabled=at == 0,
        )
        draw_button(
            "Next hit",
            state.set_hit,
            words,
            at + 1,
            icon="keyboard_arrow_down",
            key="hit-next",
            type="tertiary",
            disabled=at + 1 >= len(hits),
        )
        pages = len({hit.page for hit in hits})
        place = (
            f"{at + 1:,} of {counted(len(hits), 'hit')} on {counted(pages, 'page')}" if hits else "Not found"
        )
        st.caption(place, width="content")
    return hits, at


def draw_many(chosen: Sequence[DocumentSummary], actions: DocumentActions, clear: Callable[[], None]) -> None:
    """Actions on all ticked documents at once."""
    st.subheader(f"{counted(len(chosen), 'document')} chosen", anchor=False)
    pages, passages = sum(s.pages for s in chosen), sum(s.passages for s in chosen)
    st.caption(f"{counted(pages, 'page')} · {counted(passages, 'passage')}")
    with st.container(horizontal=True):
        there = [summary.id for summary in chosen if not summary.is_gone]
        if there:
            draw_button("Re-ingest", actions.reingest, there, icon="refresh", key="reingest-many")
        if st.button("Remove", icon=":material/delete:", key="remove-many"):
            confirm_removal(chosen, actions)
        draw_button("Clear the choice", clear, key="clear-choice", type="tertiary")


@st.dialog("Remove documents")
def confirm_removal(chosen: Sequence[DocumentSummary], actions: DocumentActions) -> None:
    """Ask once, and say what goes."""
    for summary in chosen[:8]:
        st.markdown(f"- {plain(named(summary))}")
    if len(chosen) > 8:
        st.markdown(f"- and {len(chosen) - 8:,} more")
    passages = sum(summary.passages for summary in chosen)
    st.markdown(
        f"All versions, the original {'file' if len(chosen) == 1 else 'files'} and "
        f"{counted(passages, 'passage')} "
        "go for good. Answers that cite them keep their quotes, but the pages cannot be opened any more."
    )
    with st.container(horizontal=True):
        if st.button(f"Remove {counted(len(chosen), 'document')}", type="primary"):
            actions.remove([summary.id for summary in chosen])
            st.rerun()
        if st.button("Keep"):
            st.rerun()
