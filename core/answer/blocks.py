"""Finding text that belongs together on a page: numbered steps, bulleted items, a section."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from core.domain.document import Page

_STEP = re.compile(r"(?:^|(?<=\s))(?:step\s+)?(\d{1,2})[.):](?=\s)", re.IGNORECASE | re.MULTILINE)
_BULLET = re.compile(r"^[ \t]*[-*•–▪◦‣]\s+", re.MULTILINE)
_BLANK = re.compile(r"\n[ \t]*\n")
MAX_ITEMS = 40
MAX_ITEM_CHARS = 1_500


@dataclass(frozen=True, slots=True)
class Block:
    """Items of one list, in reading order, as (start, end) in the page text.

    lead: the span of the line that introduces it, (0, 0) where there is none.
    is_numbered: its first item is number `first`.
    """

    page_no: int
    items: tuple[tuple[int, int], ...]
    lead: tuple[int, int]
    is_numbered: bool
    first: int = 1

    @property
    def last(self) -> int:
        """The number of the last item of a numbered block."""
        return self.first + len(self.items) - 1


def find_blocks(page: Page, *, first: int = 1) -> list[Block]:
    """Every list of two or more items on the page, in order; numbered ones start at `first`."""
    numbered = _numbered(page, first)
    return [*numbered, *_bulleted(page, [block.lead[0] or block.items[0][0] for block in numbered])]


def continues(block: Block, page: Page) -> Block | None:
    """The list atop the next page that goes on counting where `block` stopped; None if there is none."""
    if not block.is_numbered:
        return None
    following = _runs(page.text, block.last + 1)
    if not following or following[0][0].start() > MAX_ITEM_CHARS:
        return None
    return _block(page, following[0], block.last + 1)


def _numbered(page: Page, first: int) -> list[Block]:
    return [_block(page, run, first) for run in _runs(page.text, first) if len(run) > 1]


def _runs(text: str, first: int) -> list[list[re.Match[str]]]:
    """Markers that count on from `first`, list by list, in the order of their first markers.

    A list that is indented below an item of another interrupts it; the outer one then counts on.
    """
    runs: list[list[re.Match[str]]] = []
    current: list[list[re.Match[str]]] = []  # the outermost list first
    for match in _STEP.finditer(text):
        number = int(match.group(1))
        depth = _indent(text, match)
        while len(current) > 1 and depth is not None and depth < (_indent(text, current[-1][0]) or 0):
            current.pop()
        last = current[-1][-1] if current else None
        is_nested = depth is not None and last is not None and depth > (_indent(text, last) or 0) + 1
        if last and not is_nested and number == int(last.group(1)) + 1 and _is_near(last, match):
            current[-1].append(match)
        elif number == first:
            if current and not is_nested:
                current.pop()
            current.append([match])
            runs.append(current[-1])
    return runs


def _outdent(text: str, marker: re.Match[str]) -> int:
    """Where the list around an indented one goes on: the next marker further left, else the end."""
    depth = _indent(text, marker) or 0
    following = _STEP.finditer(text, marker.end()) if depth else iter(())
    places = ((each.start(), _indent(text, each)) for each in following)
    return next((start for start, own in places if own is not None and own < depth), len(text))


def _indent(text: str, match: re.Match[str]) -> int | None:
    """Blanks before a marker at the begin of its line; None for one within a line."""
    before = text[text.rfind("\n", 0, match.start()) + 1 : match.start()]
    return None if before.strip() else len(before)


def _is_near(earlier: re.Match[str], later: re.Match[str]) -> bool:
    return later.start() - earlier.end() <= MAX_ITEM_CHARS


def _block(page: Page, run: list[re.Match[str]], first: int) -> Block:
    starts = [match.start() for match in run[:MAX_ITEMS]]
    last = run[len(starts) - 1]
    ends = [*starts[1:], min(_end_of_last(page, last.end()), _outdent(page.text, last))]
    items = tuple(_trim(page.text, s, min(e, _cut(page, s, e))) for s, e in zip(starts, ends, strict=True))
    return Block(page.page_no, items, _lead(page.text, starts[0]), is_numbered=True, first=first)


def _bulleted(page: Page, others: Sequence[int]) -> list[Block]:
    """The lists of bullets; others: where other lists begin, over which no item runs."""
    blocks: list[Block] = []
    run: list[tuple[int, int]] = []
    for match in _BULLET.finditer(page.text):
        start = match.end()
        end = _end_of_last(page, start)
        following = _BULLET.search(page.text, start)
        ends = [end, *([following.start()] if following else []), *(at for at in others if at > start)]
        item = _trim(page.text, start, min(ends))
        gap = page.text[run[-1][1] : match.start()] if run else ""
        if run and (gap.strip() or len(gap.splitlines()) > 3):
            if len(run) > 1:
                blocks.append(_bullets(page, run))
            run = []
        run.append(item)
    if len(run) > 1:
        blocks.append(_bullets(page, run))
    return blocks


def _bullets(page: Page, run: list[tuple[int, int]]) -> Block:
    line_start = page.text.rfind("\n", 0, run[0][0]) + 1
    return Block(page.page_no, tuple(run[:MAX_ITEMS]), _lead(page.text, line_start), is_numbered=False)


def _end_of_last(page: Page, start: int) -> int:
    """End of an item that starts before `start`: a blank line, a heading, or the end of the page."""
    blank = _BLANK.search(page.text, start)
    ends = [len(page.text), start + MAX_ITEM_CHARS, *([blank.start()] if blank else [])]
    return min([*ends, *(heading.start for heading in page.headings if heading.start >= start)])


def _cut(page: Page, start: int, end: int) -> int:
    """An item never runs over a heading that stands before the next item."""
    return min([end, *(h.start for h in page.headings if start < h.start < end and h.start > start + 1)])


def _lead(text: str, start: int) -> tuple[int, int]:
    before = text[:start].rstrip()
    if not before:
        return (0, 0)
    line_start = before.rfind("\n") + 1
    return _trim(text, max(line_start, len(before) - 200), len(before))


def _trim(text: str, start: int, end: int) -> tuple[int, int]:
    piece = text[start:end]
    left = len(piece) - len(piece.lstrip())
    return (start + left, start + max(left, len(piece.rstrip())))


def section_of(page: Page, offset: int) -> tuple[str, tuple[int, int]] | None:
    """The title and body span of the innermost heading above `offset`; None where no heading stands above."""
    above = [heading for heading in page.headings if heading.end <= offset]
    if not above:
        return None
    heading = max(above, key=lambda h: h.start)
    below = [h.start for h in page.headings if h.start > heading.start and h.level <= heading.level]
    return heading.text, _trim(page.text, heading.end, min([len(page.text), *below]))
