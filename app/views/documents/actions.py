"""Actions of the page Documents: rows sorted, turned or opened; documents removed, read again, named."""

from __future__ import annotations

from collections.abc import Sequence

from app import services, state
from app.components.shell import guarded, plain
from app.presenting.document_pages import Span
from app.presenting.wording import counted
from core.domain.answer import QuotedPlace
from core.domain.document import DocumentVersion
from core.domain.evidence.change import EvidenceStanding, TextComparison
from core.domain.ids import DocumentId
from core.domain.span import PageSpan


def begin_again() -> None:
    """Other rows are asked for: back to the first of them, with none ticked."""
    state.chosen.set([])
    state.to_address(part=None)


def open_document(document: str | None) -> None:
    """Show a document beside the table, or none."""
    state.chosen.set([])
    state.to_address(document=document, version=None, page=None, start=None, end=None)


def copies_shown() -> list[str]:
    """The documents whose copies stand below them in the table; the address has them."""
    return [id for id in state.from_address("copies").split(",") if id]


def show_copies(document: str) -> None:
    """Show the copies of a document below it in the table, or no more."""
    shown = copies_shown()
    left = [id for id in shown if id != document] if document in shown else [*shown, document]
    state.to_address(copies=",".join(left) or None)


def sort(order: str, descending: bool) -> None:
    """Put the table in another order."""
    begin_again()
    state.to_address(sort=order, order="falling" if descending else None)


def turn(number: int) -> None:
    """Show another part of the rows."""
    begin_again()
    state.to_address(part=number if number > 1 else None)


@guarded
def remove(ids: Sequence[DocumentId]) -> None:
    """Remove documents for good."""
    removed = services.session().documents.remove(ids)
    open_document(None)
    state.flash(f"{counted(len(removed), 'document')} removed")


@guarded
def reingest(ids: Sequence[DocumentId]) -> None:
    """Read their originals again, as a job."""
    job = services.session().documents.reingest(ids)
    state.flash(f"{counted(len(ids), 'document')} will be read again.", job)


@guarded
def read_fields(document: DocumentId) -> None:
    """Read the fields of a document, as a job."""
    state.flash("The fields are being read.", services.session().schemas.submit_extract(documents=[document]))


@guarded
def read_scan(document: DocumentId) -> None:
    """Recognise the text of its pages, as a job."""
    state.flash("The pages are being read.", services.session().documents.submit_ocr([document]))


@guarded
def rename(document: DocumentId, name: str) -> None:
    """Call a document so; "" for the name that its text says."""
    called = services.session().documents.rename(document, name)
    state.flash(f"The document is called “{plain(called)}” now.")


def show_version(version: int) -> None:
    """Show another version of the open document."""
    state.to_address(version=version, page=None, start=None, end=None)


def standing(document: DocumentVersion, focus: Span | None) -> EvidenceStanding | None:
    """How the words that a link points at stand now; None where it names none."""
    place = None if focus is None else _quoted(document, focus)
    return services.session().citations.standings([place])[0] if place is not None else None


def compare(document: DocumentVersion, focus: Span | None) -> TextComparison:
    """The text of this version and of the newest, at a place or in whole."""
    place = None if focus is None else PageSpan(focus.page, focus.start, focus.end)
    return services.session().citations.compare(document.summary.id, document.version, place)


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
