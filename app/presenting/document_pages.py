"""Pages of documents as the viewer draws them: their sizes, places on them, and the words around a place."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from app import services
from app.presenting.wording import read_by
from core.domain.answer import Citation, NearPassage
from core.domain.document import HTML, MARKDOWN, DocumentVersion
from core.domain.ids import DocumentId
from core.domain.span import Box, PageSpan
from core.ingest.markdown_page import MOST_CHARS
from core.ingest.stored_page import CITED

AROUND = 240  # characters
View = Literal["Pages", "Text", "Table", "As it reads", "Page as it was"]
"""A way in which a document is shown."""


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
    views: tuple[View, ...] = ("Text",)  # the first one is shown first
    labels: tuple[str, ...] = ()  # of the sheets of a table
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


def is_marked(pages: PageSet, focus: Span) -> bool:
    """True where a place can be marked in a document as it reads: its words are no markup themselves."""
    place = PageSpan(focus.page, focus.start, focus.end)
    found = services.session().documents.stored_page(pages.document, pages.version, place)
    return found is not None and f'id="{CITED}"' in found


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
        views=_views(document, has_images=size is not None),
        labels=tuple(page.label for page in document.pages) if summary.is_table else (),
        mark=read_by(document.metadata),
    )


def _views(document: DocumentVersion, *, has_images: bool) -> tuple[View, ...]:
    kind = document.summary.media_type
    if has_images:
        return "Pages", "Text"
    if document.summary.is_table and document.pages:
        return "Table", "Text"
    if kind == MARKDOWN and sum(len(page.text) for page in document.pages) <= MOST_CHARS:
        return "As it reads", "Text"
    return ("Text", "Page as it was") if kind == HTML else ("Text",)


def boxes_of(pages: PageSet, page_no: int, start: int, end: int) -> tuple[Box, ...]:
    """Boxes of the span on the page image; () where there are none."""
    if pages.ratio is None or end <= start:
        return ()
    return tuple(
        services.session().documents.boxes(pages.document, pages.version, page_no, [(start, end)])[0]
    )
