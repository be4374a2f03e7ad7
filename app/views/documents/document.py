"""One document beside the table: its state, its pages, its text searched, and what can be done with it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import PurePath

import streamlit as st

from app import links, services, state
from app.components.controls import draw_button
from app.components.document_fields import NAMES, SUMMARY, draw_statements
from app.components.pages import draw_pages, draw_view
from app.components.result_blocks import draw_sheet, table
from app.components.shell import plain, source_words
from app.components.text_changes import draw_comparison, draw_standing
from app.panels.scans import draw_scans
from app.presenting.document_pages import PageSet, Span
from app.presenting.wording import PART_STATE, counted, date, language, read_by, size, state_of
from app.views.documents import actions
from app.views.documents.name_panel import draw_family, draw_name
from app.views.documents.summaries import draw_summarise, draw_summary_actions, written_of
from app.views.documents.table import kind_of
from core.domain.document import (
    PDF,
    DocumentStatus,
    DocumentSummary,
    DocumentVersion,
    FilePart,
    Page,
    PartState,
)
from core.domain.principal import in_words
from core.domain.trust.permission import Action
from core.ingest.ocr import is_installed
from core.text.file_parts import by_kind, gaps_in_words, part_in_words

READ = "Read of this file"
MOST_COPIES = 5  # named in a line
MOST_PLACES = 12  # of parts of one kind, named in their row
COLOURS = {
    DocumentStatus.READY: "blue",
    DocumentStatus.UNREADABLE: "violet",
    DocumentStatus.FAILED: "orange",
    DocumentStatus.GONE: "gray",
}


def draw_details(document: DocumentVersion, pages: PageSet, focus: Span | None) -> None:
    """The whole panel."""
    summary = document.summary
    with st.container(horizontal=True, vertical_alignment="center", wrap=False):
        st.subheader(plain(summary.name), anchor=False)
        st.space("stretch")
        draw_button(
            "Close the document",
            actions.open_document,
            None,
            icon="close",
            type="tertiary",
            key="close-document",
        )
    _draw_facts(document)
    _draw_standing(document, focus)
    draw_family(services.session().documents.family(summary.id))
    _draw_actions(document)
    if not document.pages:
        st.info("There are no pages to show.")
        return
    hits, at = _draw_search(document)
    names = [*pages.views, READ, *NAMES]
    key = f"document-tabs-{'-'.join(pages.views)}"
    tabs = dict(zip(names, st.tabs(names, key=key, on_change="rerun"), strict=True))
    shown = hits[at] if hits else focus
    for name in names:
        if tabs[name].open:
            with tabs[name]:
                if name == READ:
                    _draw_parts(document.parts)
                    continue
                if name in pages.views:
                    draw_view(name, pages, key=f"document-{name}", focus=shown, hits=hits)
                else:
                    marked = [*hits, *_draw_statements(name, document, focus)]
                    draw_pages(pages, key=f"document-{name}", as_text=False, focus=shown, hits=marked)


def _draw_parts(parts: Sequence[FilePart]) -> None:
    """Kinds of things in the file beside its plain text, what was not read first."""
    if not parts:
        st.info("Nothing was noted beside the text of this file. Of an older ingest, Re-ingest looks again.")
        return
    order = [PartState.UNREAD, PartState.LEFT_OUT, PartState.READ]
    rows = [
        {"cells": [PART_STATE[part.state], part_in_words(replace(part, place="")), part.place, part.reason]}
        for part in sorted(by_kind(parts, MOST_PLACES), key=lambda part: order.index(part.state))
    ]
    draw_sheet("document-parts", [table(READ, ("State", "Part", "Where", "Reason"), rows)])


def _draw_standing(document: DocumentVersion, focus: Span | None) -> None:
    """What has become of an older version, and of the words in it that a link points at."""
    summary = document.summary
    if summary.is_gone or document.version == summary.version:
        return
    standing = actions.standing(document, focus)
    if standing is not None:
        draw_standing(standing, lambda: actions.compare(document, focus), key="document")
        return
    with st.expander(
        f"Changed since version {document.version}", icon=":material/history:", on_change="rerun"
    ) as box:
        if box.open:
            draw_comparison(actions.compare(document, None))


def _draw_statements(name: str, document: DocumentVersion, focus: Span | None) -> list[Span]:
    if document.version != document.summary.version:
        st.info("Fields are kept for the newest version. Choose it above to see them.")
        return []
    if document.summary.is_gone:
        st.info("Fields are not kept of documents that are gone.")
        return []
    facts, written = services.session().documents.facts(document.summary.id), {}
    if name == SUMMARY and facts.schema:
        draw_summary_actions(document.summary)
        written = written_of(document.summary.id)
    read = partial(actions.read_fields, document.summary.id) if services.may(Action.INGEST) else None
    return draw_statements(name, facts, focus, read, written)


def is_scan(summary: DocumentSummary) -> bool:
    """True where a document is images of pages, without text."""
    return summary.status is DocumentStatus.UNREADABLE and summary.media_type == PDF and summary.pages > 0


def _draw_facts(document: DocumentVersion) -> None:
    summary = document.summary
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        colour = "orange" if summary.gaps else COLOURS[summary.status]
        st.badge(state_of(summary), color=colour)  # type: ignore[arg-type]
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
        back = "should its site give it again, it comes back by itself"
        back = back if is_of_the_web else "adding the file again brings it back"
        st.warning(
            f"**{plain(summary.note)}**  \nNew questions do not look at it. Its pages stay readable for "
            f"answers that cite them; {back}."
        )
    elif summary.reason:
        st.warning(plain(summary.reason))
    elif summary.gaps:
        st.caption(f"Not all of this file was read: {plain(gaps_in_words(document.parts))}.")
    if is_scan(summary) and not (services.may(Action.INGEST) and is_installed()):
        draw_scans("document", beside=True)
    if same := services.session().documents.with_copies([summary.id]).get(summary.id):
        named = "; ".join(f"[{plain(each.source)}]({links.place(each.id)})" for each in same[:MOST_COPIES])
        named += f" and {len(same) - MOST_COPIES:,} more" if len(same) > MOST_COPIES else ""
        st.caption(f"The same words as {named}. They are counted once.")
    if summary.acl:
        st.caption(f"Open to {plain(in_words(summary.acl))}.")


def _draw_actions(document: DocumentVersion) -> None:
    summary, may_ingest = document.summary, services.may(Action.INGEST)
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        link = f"/api/documents/{summary.id}/original?version={document.version}"
        st.markdown(f"[Download original]({link})", width="content")
        if may_ingest and not summary.is_gone:
            draw_name(summary)
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
        if summary.status is DocumentStatus.UNREADABLE and document.pages and may_ingest and is_installed():
            draw_button(
                "Read by OCR",
                actions.read_scan,
                summary.id,
                key="read-scan",
                type="tertiary",
                icon="document_scanner",
                help="Recognise the text of the page images, as a job",
            )
        if st.button("Remove", key="remove", type="tertiary", icon=":material/delete:"):
            confirm_removal([summary])
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


def _draw_search(document: DocumentVersion) -> tuple[list[Span], int]:
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
        hits = find_in_pages(document.pages, words or "")
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


def draw_many(chosen: Sequence[DocumentSummary]) -> None:
    """Actions on all ticked documents at once."""
    st.subheader(f"{counted(len(chosen), 'document')} chosen", anchor=False)
    pages, passages = sum(s.pages for s in chosen), sum(s.passages for s in chosen)
    st.caption(f"{counted(pages, 'page')} · {counted(passages, 'passage')}")
    with st.container(horizontal=True):
        there = [summary.id for summary in chosen if not summary.is_gone]
        if len(there) > 1:
            draw_summarise("summarise-many", "Summarise", there)
        if there:
            draw_button("Re-ingest", actions.reingest, there, icon="refresh", key="reingest-many")
        if st.button("Remove", icon=":material/delete:", key="remove-many"):
            confirm_removal(chosen)
        draw_button("Clear the choice", state.chosen.set, [], key="clear-choice", type="tertiary")


@st.dialog("Remove documents")
def confirm_removal(chosen: Sequence[DocumentSummary]) -> None:
    """Ask once, and say what goes."""
    for summary in chosen[:8]:
        st.markdown(f"- {plain(summary.name)}")
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


MOST = 500


def find_in_pages(pages: Iterable[Page], words: str) -> list[Span]:
    """Every place where the words stand, in reading order, at most 500; any white space matches any other.

    Case is ignored. Blank words give [].
    """
    parts = words.split()
    if not parts:
        return []
    pattern = re.compile(r"\s+".join(re.escape(part) for part in parts), re.IGNORECASE)
    found: list[Span] = []
    for page in pages:
        for match in pattern.finditer(page.text):
            found.append(Span(page.page_no, match.start(), match.end()))
            if len(found) == MOST:
                return found
    return found
