"""Sentences that lead in a list or an example carry it: "has one of the following classes:"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from core.answer.blocks import find_blocks
from core.answer.cite import Draft, Layout
from core.domain.document import Page
from core.errors import NotFoundError
from core.evidence.base import PageSource, Span
from core.records.database.visibility import Visibility

MOST_ITEMS = 12
_MARK = re.compile(
    r"^\s*(?:[-*\u2022\u2013\u25aa\u25e6\u2023]|(?:\d{1,3}|[A-Za-z]|[ivxlcIVXLC]{1,6})[.)])\s+"
)
_NEARLY_ALL = 0.8  # of a quote's characters: a bullet or a line break may be all that is new
LONGEST = 300  # characters that are quoted of an item, and of an example
_GAP = re.compile(
    r"\s{0,12}(?:[-*\u2022\u2013\u25aa\u25e6\u2023]\s{1,4})?"
)  # between the colon and the first item


def with_what_follows(layout: Layout, pages: PageSource, visibility: Visibility) -> Layout:
    """The layout with what its quotes lead in, of the first quote that does; a list is cut at MOST_ITEMS.

    What an item says is not quoted a second time.
    """
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
        before = layout.drafts[: at + 1]
        led_in = (_item(span, page, start, end) for start, end in places[:MOST_ITEMS])
        items = tuple(each for each in led_in if not _is_shown(each, before))
        gaps = layout.gaps
        if len(places) > MOST_ITEMS:
            gaps = (*gaps, f"The list goes on: {len(places) - MOST_ITEMS} more are on the page.")
        others = [each for each in layout.drafts[at + 1 :] if not _is_shown(each, (*before, *items))]
        aside = layout.aside if others else ""
        return replace(layout, drafts=(*before, *items, *others), gaps=gaps, aside=aside)
    return layout


def _is_shown(draft: Draft, shown: Sequence[Draft]) -> bool:
    """True where the shown quotes hold nearly all of each span of a draft, or one has its very words."""
    spans = [span for each in shown for span in each.spans]
    return bool(draft.spans) and all(_holds(spans, span) for span in draft.spans)


def _holds(shown: Sequence[Span], span: Span) -> bool:
    if any(_bare(each.quote) == _bare(span.quote) for each in shown):
        return True
    place = (span.document, span.version, span.page_no)
    same_page = (each for each in shown if (each.document, each.version, each.page_no) == place)
    shared = sum(max(0, min(each.end, span.end) - max(each.start, span.start)) for each in same_page)
    return shared >= _NEARLY_ALL * (span.end - span.start)


def _bare(quote: str) -> str:
    """Words of a quote without the mark of its item and its last sign."""
    return " ".join(_MARK.sub("", quote).split()).rstrip(".;,:").casefold()


def _led_in(page: Page, end: int) -> Sequence[tuple[int, int]]:
    """Items of the list that begins at `end`, rows of the table, or the paragraph alone; () for a heading."""
    text = page.text
    for block in find_blocks(page):
        if _GAP.fullmatch(text, end, max(end, block.items[0][0])) and block.items[0][0] >= end:
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
