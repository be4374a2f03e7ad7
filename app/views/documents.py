"""Documents: the table of the collection, and one document beside it."""

from __future__ import annotations

import streamlit as st

from app import services, state
from app.components.document import DocumentActions, draw_details, draw_many
from app.components.document_table import Wanted, draw_filters, draw_head, draw_table, shown_choice
from app.components.evidence import draw_widths
from app.components.pages import Span
from app.components.shell import draw_error, guarded
from app.components.wording import counted
from app.evidence import boxes_of, page_set
from app.finding import find_in_pages
from core.domain.document import DocumentVersion
from core.domain.ids import DocumentId
from core.errors import NotFoundError

MOST = 5000


def page() -> None:
    """Draw the page."""
    bench, principal = services.bench(), services.current_principal()
    st.title("Documents", anchor=False)
    wanted = draw_filters([bucket.name for bucket in bench.buckets(principal)])
    found = bench.documents(
        principal, bucket=wanted.bucket, status=wanted.status, text=wanted.text, limit=MOST
    )
    found.sort(key=lambda summary: (summary.title or summary.source).casefold())
    total = len(bench.documents(principal, limit=MOST)) if wanted.is_filtered else len(found)
    document = _opened()
    chosen = shown_choice(_table_key(wanted), [summary.id for summary in found])
    draw_widths("half" if document or len(chosen) > 1 else "closed")
    with st.container(key="zones"):
        left, right = st.columns([1, 1], gap="medium")
    with left:
        draw_head(len(found), total, wanted)
        if found:
            draw_table(found, _table_key(wanted), _pick)
        else:
            st.info(
                "No document fits these filters."
                if wanted.is_filtered
                else "There are no documents yet. Add some on the page Ingest."
            )
    with right, st.container(key="document-panel"):
        if len(chosen) > 1:
            draw_many([s for s in found if s.id in set(chosen)], _actions(None))
        elif document:
            _details(document)


def _table_key(wanted: Wanted) -> str:
    """Another key for other rows: a choice of rows must not outlive the rows."""
    return f"table-{services.bench().data_version()}-{hash(wanted)}"


def _pick(chosen: list[DocumentId]) -> None:
    state.to_address(
        document=chosen[0] if len(chosen) == 1 else None, version=None, page=None, start=None, end=None
    )


def _opened() -> DocumentVersion | None:
    asked, version = state.from_address("document"), state.from_address("version")
    if not asked:
        return None
    try:
        return services.bench().document(
            DocumentId(asked),
            services.current_principal(),
            version=int(version) if version.isdigit() else None,
        )
    except NotFoundError as error:
        draw_error(error)
        return None


@st.fragment(key="document")
def _details(document: DocumentVersion) -> None:
    pages = page_set(document)
    places = [state.from_address(name) for name in ("page", "start", "end")]
    focus = None
    if places[0].isdigit() and 1 <= int(places[0]) <= pages.pages:
        page_no, start, end = (int(place) if place.isdigit() else 0 for place in places)
        focus = Span(page_no, start, end, boxes_of(pages, page_no, start, end))
    draw_details(document, pages, focus, _actions(document))


def _actions(document: DocumentVersion | None) -> DocumentActions:
    bench, principal = services.bench(), services.current_principal()

    def remove(ids: list[DocumentId]) -> None:
        removed = bench.remove(ids, principal)
        _pick([])
        state.flash(f"{counted(len(removed), 'document')} removed")

    def reingest(ids: list[DocumentId]) -> None:
        bench.reingest(ids, principal)
        state.flash(f"{counted(len(ids), 'document')} will be read again: see Jobs")

    return DocumentActions(
        remove=guarded(remove),
        reingest=guarded(reingest),
        find=lambda words: find_in_pages(document.pages, words) if document else [],
        show_version=lambda version: state.to_address(version=version, page=None, start=None, end=None),
        close=lambda: _pick([]),
    )
