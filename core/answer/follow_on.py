"""Sentences that lead in a list or an example carry it: "has one of the following classes:"."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from core.answer.blocks import find_blocks
from core.answer.cite import Draft, Layout
from core.domain.document import Page
from core.errors import NotFoundError
from core.evidence.base import PageSource, Span
from core.records.database.visibility import Visibility

MOST_ITEMS = 12
LONGEST = 300  # characters that are quoted of an item, and of an example
_NEAR = 6  # characters between the colon and the first item: white space and a bullet


def with_what_follows(layout: Layout, pages: PageSource, visibility: Visibility) -> Layout:
    """The layout with what its quotes lead in, of the first quote that does; a list is cut at MOST_ITEMS."""
    for at, draft in enumerate(layout.drafts):
        if not draft.spans or not draft.spans[-1].quote.endswith(":"):
            continue
        span = draft.spans[-1]
        try:
            page = pages.page(span.document, span.version, span.page_no, visibility)
        except NotFoundError:
            continue
        places = _led_in(page, span.end)
        if not places:
            continue
        items = tuple(_item(span, page, start, end) for start, end in places[:MOST_ITEMS])
        gaps = layout.gaps
        if len(places) > MOST_ITEMS:
            gaps = (*gaps, f"The list goes on: {len(places) - MOST_ITEMS} more are on the page.")
        drafts = (*layout.drafts[: at + 1], *items, *layout.drafts[at + 1 :])
        return replace(layout, drafts=drafts, gaps=gaps)
    return layout


def _led_in(page: Page, end: int) -> Sequence[tuple[int, int]]:
    """Items of the list that begins at `end`, rows of the table, or the paragraph alone; () for a heading."""
    text = page.text
    for block in find_blocks(page):
        if 0 <= block.items[0][0] - end <= _NEAR:
            return block.items
    start = end + len(text[end:]) - len(text[end:].lstrip())
    stop = text.find("\n\n", start)
    stop = len(text) if stop < 0 else stop
    if start >= stop or any(heading.start == start for heading in page.headings):
        return ()
    rows = []
    at = start
    for line in text[start:stop].split("\n"):
        if " | " not in line:
            break
        rows.append((at, at + len(line.rstrip())))
        at += len(line) + 1
    return rows if len(rows) > 1 else ((start, stop),)


def _item(lead: Span, page: Page, start: int, end: int) -> Draft:
    if end - start > LONGEST:
        cut = page.text.rfind(" ", start, start + LONGEST)
        end = cut if cut > start else start + LONGEST
    quote = page.text[start:end]
    return Draft((replace(lead, start=start, end=end, quote=quote),), marker="-", is_led_in=True)
