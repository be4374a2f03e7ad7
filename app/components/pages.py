"""The pages of a document, as images or as sheets of text, with places highlighted."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from app.components import mounts
from app.presenting.document_pages import Excerpt, PageSet, Span, View, is_marked


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


def draw_view(
    view: View,
    pages: PageSet,
    *,
    key: str,
    focus: Span | None = None,
    hits: Sequence[Span] = (),
    excerpt: Excerpt | None = None,
) -> None:
    """The pages in one of their views; the place is marked in each, if need be in the text."""
    if view == "Table":
        _draw_grid(pages, key=key, focus=focus, hits=hits)
        return
    if view == "As it reads" and focus and focus.end > focus.start and not is_marked(pages, focus):
        st.caption("These words are markup, which is shown in the stored text alone.")
        view = "Text"
    if view in ("As it reads", "Page as it was"):
        draw_stored_page(pages, key=key, focus=focus)
        return
    draw_pages(pages, key=key, as_text=view == "Text", focus=focus, hits=hits, excerpt=excerpt)


def _draw_grid(pages: PageSet, *, key: str, focus: Span | None, hits: Sequence[Span]) -> None:
    mounts.grid(
        key=key,
        data={
            "document": pages.document,
            "version": pages.version,
            "hash": pages.hash,
            "title": pages.title,
            "labels": list(pages.labels),
            "focus": _span(focus) if focus else None,
            "hits": [_span(hit) for hit in hits],
        },
    )


def draw_stored_page(pages: PageSet, *, key: str, focus: Span | None = None) -> None:
    """Mount a web page as it was, in a frame where nothing runs. focus: marked where its words stand once."""
    mounts.stored_page(
        key=key,
        data={
            "document": pages.document,
            "version": pages.version,
            "hash": pages.hash,
            "title": pages.title,
            "focus": _span(focus) if focus and focus.end > focus.start else None,
        },
    )


def _span(span: Span) -> dict[str, object]:
    found: dict[str, object] = {"page": span.page, "start": span.start, "end": span.end}
    if span.boxes is not None:
        found["boxes"] = [[box.x0, box.y0, box.x1, box.y1] for box in span.boxes]
    return found
