"""Documents: the table of the collection, and one document beside it."""

from __future__ import annotations

from dataclasses import asdict

import streamlit as st

from app import services, state
from app.components.controls import draw_page_link
from app.components.shell import draw_error, draw_said
from app.panels.evidence import draw_widths
from app.panels.jobs import rerun_on_change
from app.panels.scans import draw_scans
from app.presenting.document_pages import Span, boxes_of, page_set
from app.views.documents.document import draw_details, draw_many
from app.views.documents.table import DocumentFilters, draw_documents, draw_filters, draw_head, read_part
from core.domain.document import DocumentStatus, DocumentVersion
from core.domain.ids import DocumentId
from core.errors import NotFoundError


def page() -> None:
    """Draw the page."""
    session = services.session()
    st.title("Documents", anchor=False)
    wanted = draw_filters([bucket.name for bucket in session.documents.buckets()])
    documents = session.documents
    matching = documents.count(**asdict(wanted), with_gone=True, once=True)
    files = documents.count(**asdict(wanted), with_gone=True)
    total = documents.count(with_gone=True, once=True) if wanted.is_filtered else matching
    gone = 0
    if wanted.status is None and not wanted.has_copies:
        gone = documents.count(bucket=wanted.bucket, status=DocumentStatus.GONE, text=wanted.text)
    part = read_part(wanted, matching)
    document = _opened()
    chosen = [summary for summary in part.rows if summary.id in part.chosen]
    draw_widths("half" if document or chosen else "closed")
    with st.container(key="zones"):
        left, right = st.columns([1, 1], gap="medium")
    with left:
        draw_head(matching, total, wanted, gone, files)
        with st.container(key="scans-that-wait"):  # always there: else the table would be made anew
            draw_scans("documents")
        if matching:
            draw_documents(part, wanted.bucket)
        else:
            _draw_nothing(wanted)
    with right, st.container(key="document-panel"):
        if chosen:
            draw_many(chosen)
        elif document:
            _details(document)
    rerun_on_change()


def _draw_nothing(wanted: DocumentFilters) -> None:
    if wanted.is_filtered:
        st.info("No document fits these filters.")
        return
    st.info("There are no documents yet.")
    draw_page_link("ingest", "Add documents", "upload_file")


def _opened() -> DocumentVersion | None:
    asked, version = state.from_address("document"), state.from_address("version")
    if not asked:
        return None
    try:
        return services.session().documents.get(
            DocumentId(asked), version=int(version) if version.isdecimal() else None
        )
    except NotFoundError as error:
        draw_error(error)
        return None


@st.fragment(key="document")
def _details(document: DocumentVersion) -> None:
    draw_said()
    pages = page_set(document)
    places = [state.from_address(name) for name in ("page", "start", "end")]
    focus = None
    if places[0].isdecimal() and 1 <= int(places[0]) <= pages.pages:
        page_no, start, end = (int(place) if place.isdecimal() else 0 for place in places)
        focus = Span(page_no, start, end, boxes_of(pages, page_no, start, end))
    draw_details(document, pages, focus)
