"""Pages of documents as the viewer draws them: their sizes, places on them, and the words around a place."""

from __future__ import annotations

from dataclasses import dataclass

from app import services
from app.presenting.wording import read_by
from core.domain.answer import Citation, NearPassage
from core.domain.document import DocumentVersion
from core.domain.ids import DocumentId
from core.domain.span import Box

AROUND = 240  # characters


@dataclass(frozen=True, slots=True)
class PageSet:
    """A version's pages as the viewer draws them. ratio: height / width; None where there is only text."""

    document: DocumentId
    version: int
    hash: str
    title: str
    pages: int
    ratio: float | None
    is_table: bool
    mark: str = ""  # how its text came about, where the file does not hold it


@dataclass(frozen=True, slots=True)
class Span:
    """A place to highlight; without boxes the viewer asks for them when the page comes into sight."""

    page: int
    start: int
    end: int
    boxes: tuple[Box, ...] | None = None


@dataclass(frozen=True, slots=True)
class Excerpt:
    """The words of a place with the text around them, to be read without the page."""

    before: str
    quote: str
    after: str


def excerpt_of(text: str, start: int, end: int) -> Excerpt:
    """The span with up to 240 characters before and after it, cut between words."""
    head, tail = text[max(0, start - AROUND) : start], text[end : end + AROUND]
    if start > AROUND:
        head = "…" + head[head.find(" ") :] if " " in head else "…"
    if end + AROUND < len(text):
        tail = tail[: tail.rfind(" ")] + " …" if " " in tail else "…"
    return Excerpt(head, text[start:end], tail)


@dataclass(frozen=True, slots=True)
class PlacePages:
    """The pages around a cited place, with its boxes and its words; excerpt: None where it has none."""

    pages: PageSet
    boxes: tuple[Box, ...]
    excerpt: Excerpt | None


def place_pages(place: Citation | NearPassage) -> PlacePages:
    """The pages of the version that a place is in. Raises GroundworkError where they cannot be read."""
    document = services.session().documents.get(DocumentId(place.document), version=place.version)
    pages = page_set(document)
    text = document.pages[place.page - 1].text if place.page <= pages.pages else ""
    return PlacePages(
        pages,
        boxes_of(pages, place.page, place.start, place.end),
        excerpt_of(text, place.start, place.end) if place.end > place.start else None,
    )


def page_set(document: DocumentVersion) -> PageSet:
    """Pages of this version, with the way in which the viewer draws them."""
    session, summary = services.session(), document.summary
    size = session.documents.page_size(summary.id, document.version, 1) if document.pages else None
    return PageSet(
        document=summary.id,
        version=document.version,
        hash=summary.version_key(document.version),
        title=summary.name,
        pages=len(document.pages),
        ratio=size.height_pt / size.width_pt if size else None,
        is_table=summary.is_table,
        mark=read_by(document.metadata),
    )


def boxes_of(pages: PageSet, page_no: int, start: int, end: int) -> tuple[Box, ...]:
    """Boxes of the span on the page image; () where there are none."""
    if pages.ratio is None or end <= start:
        return ()
    return tuple(
        services.session().documents.boxes(pages.document, pages.version, page_no, [(start, end)])[0]
    )
