"""Text that belongs together on a page: steps, bulleted items, a section, and what a sentence leads in."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from core.answer.cite import Draft, Layout
from core.domain.document import Page
from core.domain.ids import DocumentId
from core.search.evidence.base import Evidence, PageSource, Span, page_at
from core.search.sentences import ScoredSentence
from core.store.database.visibility import Visibility
from core.text.analyse import analyse

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


def find_blocks(page: Page) -> list[Block]:
    """Every list of two or more items on the page, in order; numbered ones start at 1."""
    numbered = [_block(page, run, 1) for run in _runs(page.text, 1) if len(run) > 1]
    return [*numbered, *_bulleted(page, [block.lead[0] or block.items[0][0] for block in numbered])]


def continues(block: Block, page: Page) -> Block | None:
    """The list atop the next page that goes on counting where `block` stopped; None if there is none."""
    if not block.is_numbered:
        return None
    following = _runs(page.text, block.last + 1)
    if not following or following[0][0].start() > MAX_ITEM_CHARS:
        return None
    return _block(page, following[0], block.last + 1)


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


PAGES = 6
HEADING_WEIGHT = 2.0  # a step list is named by what stands above it more than by its own words
RANK_WEIGHT = 0.5
MIN_FIT = 0.25
NEARLY = 0.7  # of the best fit
OPPOSITE = 0.15  # off the fit of what is not to be done, where it is asked what is, and the other way round
_NOT = re.compile(r"\b(?:not|never|no)\b|n['\u2019]t\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Procedure:
    """Steps in order, the heading above them, and whether they carry their own numbers."""

    steps: tuple[Span, ...]
    heading: str
    title: str
    is_numbered: bool


@dataclass(frozen=True, slots=True)
class _Place:
    document: DocumentId
    version: int
    page: Page
    title: str
    source: str
    rank: int


def find_procedure(evidence: Evidence, pages: PageSource, visibility: Visibility) -> Procedure | None:
    """The best fitting list of two or more steps on the pages of the best passages; None if there is none.

    Fit: share of the question's idf in heading, lead-in line, title (twice) and items, plus how early
    the page was found. A numbered list that goes on at the top of following pages is read to its end.
    """
    found: list[tuple[float, _Place, Block, str]] = []
    for place in _places(evidence, pages, visibility):
        for block in find_blocks(place.page):
            section = section_of(place.page, block.items[0][0])
            heading = section[0] if section else ""
            fit = _fit(evidence, place, block, heading)
            found.append((fit, place, block, heading))
    best = max((fit for fit, *_ in found), default=0.0)
    if best < MIN_FIT:
        return None
    first = next(each for each in found if each[0] == best)
    # Under one heading, what is numbered are the steps, and bullets warn or explain.
    numbered = (e for e in found if e[2].is_numbered and e[1] is first[1] and e[3] == first[3])
    _, place, block, heading = next((e for e in numbered if e[0] >= NEARLY * best), first)
    spans = [*_spans(place, block), *_continued(place, block, pages, visibility)]
    return Procedure(tuple(spans), heading, place.title, block.is_numbered)


def _places(evidence: Evidence, pages: PageSource, visibility: Visibility) -> list[_Place]:
    wanted: dict[tuple[DocumentId, int, int], ScoredSentence] = {}
    for sentence in evidence.sentences:
        key = (sentence.document, sentence.version, sentence.span.page_no)
        if len(wanted) < PAGES:
            wanted.setdefault(key, sentence)
    found: list[_Place] = []
    for (document, version, page_no), sentence in wanted.items():
        stored = sentence.candidate.stored
        if page := page_at(pages, document, version, page_no, visibility):
            found.append(_Place(document, version, page, stored.name, stored.source, len(found)))
    return found


def _fit(evidence: Evidence, place: _Place, block: Block, heading: str) -> float:
    analysis = evidence.analysis
    text = place.page.text
    lead = text[block.lead[0] : block.lead[1]]
    above = set(analyse(f"{heading} {lead} {place.title}"))
    inside = set(analyse(" ".join(text[start:end] for start, end in block.items)))
    total = analysis.idf_sum or 1.0
    score = sum(
        weight * analysis.idf[term] * (HEADING_WEIGHT * (term in above) + (term in inside))
        for term, weight in analysis.terms
    )
    numbered = 0.1 if block.is_numbered else 0.0
    opposite = OPPOSITE if bool(_NOT.search(f"{heading} {lead}")) != bool(_NOT.search(analysis.text)) else 0.0
    return score / ((1 + HEADING_WEIGHT) * total) + RANK_WEIGHT / (1 + place.rank) / 2 + numbered - opposite


def _spans(place: _Place, block: Block) -> list[Span]:
    return [
        Span(
            document=place.document,
            version=place.version,
            page=block.page_no,
            start=start,
            end=end,
            quote=place.page.text[start:end],
            title=place.title,
            source=place.source,
        )
        for start, end in block.items
        if end > start
    ]


def _continued(place: _Place, block: Block, pages: PageSource, visibility: Visibility) -> Sequence[Span]:
    spans: list[Span] = []
    while block.is_numbered:
        page = page_at(pages, place.document, place.version, block.page_no + 1, visibility)
        following = continues(block, page) if page is not None else None
        if page is None or following is None:
            break
        next_place = _Place(place.document, place.version, page, place.title, place.source, place.rank)
        spans += _spans(next_place, following)
        block = following
    return spans


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
        page = page_at(pages, *span.page_key, visibility)
        places = _led_in(page, span.end) if page is not None else ()
        if page is None or not places:
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
    same_page = (each for each in shown if each.page_key == span.page_key)
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
    return Draft((lead.part(page.text, start, end),), marker="-", is_led_in=True)
