"""The pages of a document, as images or as sheets of text, with places highlighted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from app.components import mounts
from core.domain.ids import DocumentId
from core.domain.span import Box


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


def draw_pages(
    pages: PageSet,
    *,
    key: str,
    as_text: bool,
    focus: Span | None = None,
    hits: Sequence[Span] = (),
    excerpt: Excerpt | None = None,
) -> None:
    """Mount the viewer, as high as the window leaves room. focus: scrolled into sight; hits: highlighted
    besides it; excerpt: stands above the pages."""
    mounts.pages(
        key=key,
        data={
            "document": pages.document,
            "version": pages.version,
            "hash": pages.hash,
            "title": pages.title,
            "pages": pages.pages,
            "ratio": pages.ratio,
            "mode": "text" if as_text or pages.ratio is None else "image",
            "table": pages.is_table,
            "focus": _span(focus) if focus else None,
            "hits": [_span(hit) for hit in hits],
            "excerpt": [excerpt.before, excerpt.quote, excerpt.after] if excerpt else None,
        },
    )


def _span(span: Span) -> dict[str, object]:
    found: dict[str, object] = {"page": span.page, "start": span.start, "end": span.end}
    if span.boxes is not None:
        found["boxes"] = [[box.x0, box.y0, box.x1, box.y1] for box in span.boxes]
    return found
