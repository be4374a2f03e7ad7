"""Actions of the page Documents: rows sorted, turned, chosen or opened."""

from __future__ import annotations

from app import services, state
from app.components.shell import guarded, plain
from app.panels.scans import draw_scans
from app.presenting.pages import Span
from app.presenting.wording import counted
from app.views.documents.document import DocumentActions
from app.views.documents.name_panel import NameActions
from app.views.documents.table import PART, DocumentFilters, Part, TableActions
from app.views.documents.text_search import find_in_pages
from core.domain.answer import QuotedPlace
from core.domain.document import DocumentVersion
from core.domain.evidence.change import EvidenceStanding, TextComparison
from core.domain.facts import DocumentFacts
from core.domain.fields import Family, Identity
from core.domain.ids import DocumentId
from core.domain.span import PageSpan
from core.domain.trust.permission import Action
from core.ingest.ocr import is_installed
from core.records.base import DocumentOrder


def read_part(wanted: DocumentFilters, matching: int) -> Part:
    """The rows that the address asks for; a part beyond the last one is the last one."""
    asked, number = state.from_address("sort"), state.from_address("part")
    order = DocumentOrder(asked) if asked in {each.value for each in DocumentOrder} else DocumentOrder.NAME
    falling = state.from_address("order") == "falling"
    last = max(1, -(-matching // PART))
    at = min(last, max(1, int(number))) if number.isdecimal() else 1
    rows = services.session().documents.list(
        bucket=wanted.bucket,
        status=wanted.status,
        text=wanted.text,
        limit=PART,
        offset=(at - 1) * PART,
        order=order,
        descending=falling,
        with_gone=True,
    )
    ticked = set(state.chosen())
    chosen = [summary.id for summary in rows if summary.id in ticked]
    return Part(rows, (at - 1) * PART + 1, matching, order, falling, state.from_address("document"), chosen)


def begin_again() -> None:
    """Other rows are asked for: back to the first of them, with none ticked."""
    state.choose([])
    state.to_address(part=None)


def table_actions() -> TableActions:
    """Actions of the table."""
    return TableActions(open=_open, choose=choose, sort=_sort, turn=_turn)


def choose(ids: list[DocumentId]) -> None:
    """Tick these rows and no others."""
    state.choose([str(one) for one in ids])


def _open(document: DocumentId | None) -> None:
    state.choose([])
    state.to_address(document=document, version=None, page=None, start=None, end=None)


def _sort(order: str, descending: bool) -> None:
    begin_again()
    state.to_address(sort=order, order="falling" if descending else None)


def _turn(number: int) -> None:
    begin_again()
    state.to_address(part=number if number > 1 else None)


def document_actions(document: DocumentVersion | None) -> DocumentActions:
    """Actions on documents; `document` is the open one."""
    session = services.session()

    def remove(ids: list[DocumentId]) -> None:
        removed = session.documents.remove(ids)
        _open(None)
        state.flash(f"{counted(len(removed), 'document')} removed")

    def reingest(ids: list[DocumentId]) -> None:
        job = session.documents.reingest(ids)
        state.flash(f"{counted(len(ids), 'document')} will be read again.", job)

    def read_fields() -> None:
        of = [document.summary.id] if document else []
        state.flash("The fields are being read.", session.schemas.submit_extract(documents=of))

    def read_scan() -> None:
        of = [document.summary.id] if document else []
        state.flash("The pages are being read.", session.documents.submit_ocr(of))

    def rename(name: str) -> None:
        if document is not None:
            called = session.documents.rename(document.summary.id, name)
            state.flash(f"The document is called “{plain(called)}” now.")

    def identity() -> Identity | None:
        return session.documents.identity(document.summary.id) if document else None

    def facts() -> DocumentFacts:
        assert document is not None  # asked for by the open document only
        return session.documents.facts(document.summary.id)

    def standing(focus: Span | None) -> EvidenceStanding | None:
        found = None if document is None or focus is None else _quoted(document, focus)
        return session.citations.standings([found])[0] if found is not None else None

    def compare(focus: Span | None) -> TextComparison:
        assert document is not None  # asked for by the open document only
        place = None if focus is None else PageSpan(focus.page, focus.start, focus.end)
        return session.citations.compare(document.summary.id, document.version, place)

    may_ingest = services.may(Action.INGEST)
    return DocumentActions(
        remove=guarded(remove),
        reingest=guarded(reingest),
        find=lambda words: find_in_pages(document.pages, words) if document else [],
        facts=facts,
        family=lambda: session.documents.family(document.summary.id) if document else Family(),
        open_place=lambda page, start, end: state.to_address(page=page, start=start, end=end),
        read_fields=guarded(read_fields) if may_ingest else None,
        read_scan=guarded(read_scan) if may_ingest and is_installed() else None,
        draw_scans=lambda: draw_scans("document", beside=True),
        name=NameActions(identity, guarded(rename)) if may_ingest else None,
        standing=standing,
        compare=compare,
        show_version=lambda version: state.to_address(version=version, page=None, start=None, end=None),
        close=lambda: _open(None),
    )


def _quoted(document: DocumentVersion, focus: Span) -> QuotedPlace | None:
    """The words that a link points at, as they are in the version that is open; None where it names none."""
    text = next((page.text for page in document.pages if page.page_no == focus.page), "")
    summary, quote = document.summary, text[focus.start : focus.end]
    if not quote.strip():
        return None
    return QuotedPlace(
        document=summary.id,
        title=summary.name,
        source=summary.source,
        version=document.version,
        page=focus.page,
        start=focus.start,
        end=focus.end,
        quote=quote,
    )
