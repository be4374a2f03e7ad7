"""Passages: runs of sentences of a size that one forward pass of the encoder takes.

Measured on LegalBench-RAG and chunking_eval: 200 tokens or a little more with up to 50 of overlap, a new
passage at a heading where that leaves 200 to the one before.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from core.domain.document import PAGE_DETAILS, Heading, Link, LinkKind, Page
from core.domain.ids import DocumentId
from core.domain.passage import Passage
from core.domain.span import PageSpan
from core.encode.base import TokenCounter
from core.text.sentences import split_sentences

# A word of more characters is one unknown token to WordPiece; it counts by its length, so that ten
# megabytes of base64 become many passages instead of one.
LONG_WORD_CHARS = 100
UNNAMED = DocumentId("")


@dataclass(frozen=True, slots=True)
class ChunkProfile:
    """Sizes in tokens. minimum: of every passage of a longer document; fit: the most that is aimed at."""

    minimum: int
    fit: int
    hard_max: int
    overlap: int


PROFILES = {
    "standard": ChunkProfile(minimum=200, fit=254, hard_max=500, overlap=50),
    "long": ChunkProfile(minimum=1_200, fit=1_400, hard_max=2_000, overlap=100),  # about 1,000 English words
}


@dataclass(frozen=True, slots=True)
class _Units:
    """The document's sentences in order: where each stands, and its tokens as a running sum."""

    page: NDArray[np.int32]  # index into the pages given
    start: NDArray[np.int64]
    end: NDArray[np.int64]
    total: NDArray[np.int64]  # (n + 1,): tokens before unit i
    is_border: NDArray[np.bool_]  # a heading or a page begins here
    is_heading: NDArray[np.bool_]
    sections: list[tuple[str, ...]]

    def tokens(self, first: int, last: int) -> int:
        return int(self.total[last] - self.total[first])


def chunk(
    pages: Sequence[Page],
    counter: TokenCounter,
    profile: str = "standard",
    *,
    document: DocumentId = UNNAMED,
    version: int = 0,
    links: Sequence[Link] = (),
) -> list[Passage]:
    """The passages of a document, in reading order; [] where no page has text.

    A document with at least the profile's minimum of tokens has no passage below it, and none above its hard
    maximum. A page with that many is cut by itself; shorter ones are joined with their neighbours.
    Everything but white space stands in some passage. Each holds the images and PDFs that are linked from
    within it, and those that its pages hold at no known place.
    """
    # What a page declares about itself is asked through its fields. As a passage it would repeat the end
    # of the text before it to reach the least size, and rank beside it for every name of a site.
    pages = [page for page in pages if page.label != PAGE_DETAILS]
    sizes = PROFILES[profile]
    units = _split(pages, counter, sizes)
    if not units.sections:
        return []
    cuts = _document_cuts(units, sizes, min(sizes.fit, max(counter.window, sizes.minimum)))
    by_page = _links_by_page(links)
    return [
        _passage(pages, units, cut, ordinal, document, version, by_page) for ordinal, cut in enumerate(cuts)
    ]


@dataclass(frozen=True, slots=True)
class _Cut:
    """Units [first, last) of one passage; own: the first that the passage before does not hold."""

    first: int
    last: int
    own: int


def _split(pages: Sequence[Page], counter: TokenCounter, sizes: ChunkProfile) -> _Units:
    page_of: list[int] = []
    spans: list[tuple[int, int]] = []
    counts: list[NDArray[np.int64]] = []
    borders: list[bool] = []
    headings: list[bool] = []
    sections: list[tuple[str, ...]] = []
    trail: list[Heading] = []
    largest = sizes.minimum
    for index, page in enumerate(pages):
        places = _Places.of(page.text, counter)
        units, heads = _page_units(page, places, largest)
        if not units:
            continue
        sums = places.before(np.array([end for _, end in units], dtype=np.int64))
        counts.append(np.diff(sums, prepend=0))
        for number, (unit, heading) in enumerate(zip(units, heads, strict=True)):
            if heading is not None:
                trail = [above for above in trail if above.level < heading.level] + [heading]
            page_of.append(index)
            spans.append(unit)
            borders.append(number == 0 or heading is not None)
            headings.append(heading is not None)
            sections.append(tuple(above.text for above in trail))
    tokens = np.concatenate(counts) if counts else np.zeros(0, dtype=np.int64)
    places_array = np.array(spans, dtype=np.int64).reshape(-1, 2)
    return _Units(
        page=np.array(page_of, dtype=np.int32),
        start=places_array[:, 0],
        end=places_array[:, 1],
        total=np.concatenate([np.zeros(1, dtype=np.int64), np.cumsum(tokens)]),
        is_border=np.array(borders, dtype=np.bool_),
        is_heading=np.array(headings, dtype=np.bool_),
        sections=sections,
    )


@dataclass(frozen=True, slots=True)
class _Places:
    """Positions of the tokens of a page, with long words counted by their length."""

    starts: NDArray[np.int64]
    ends: NDArray[np.int64]

    @classmethod
    def of(cls, text: str, counter: TokenCounter) -> _Places:
        offsets = np.array(counter.offsets(text), dtype=np.int64).reshape(-1, 2)
        starts, ends = offsets[:, 0], offsets[:, 1]
        long = np.nonzero(ends - starts > LONG_WORD_CHARS)[0]
        if long.size:
            pieces = [np.arange(starts[i] + LONG_WORD_CHARS, ends[i], LONG_WORD_CHARS) for i in long]
            extra = np.concatenate(pieces)
            starts = np.sort(np.concatenate([starts, extra]))
            ends = np.append(starts[1:], ends[-1])
        return cls(starts, ends)

    def before(self, positions: NDArray[np.int64]) -> NDArray[np.int64]:
        """Number of tokens that begin before each position."""
        return np.searchsorted(self.starts, positions, side="left")


def _page_units(
    page: Page, places: _Places, largest: int
) -> tuple[list[tuple[int, int]], list[Heading | None]]:
    """The page's sentences with, for one that begins a heading, that heading; none above `largest` tokens."""
    units: list[tuple[int, int]] = []
    heads: list[Heading | None] = []
    position = 0
    for heading in page.headings:
        if heading.start < position or heading.end > len(page.text) or heading.end <= heading.start:
            continue
        units += split_sentences(page.text, position, heading.start)
        heads += [None] * (len(units) - len(heads))
        units += split_sentences(page.text, heading.start, heading.end)
        if len(units) > len(heads):
            heads.append(heading)
            heads += [None] * (len(units) - len(heads))
        position = heading.end
    units += split_sentences(page.text, position)
    heads += [None] * (len(units) - len(heads))
    return _without_giants(page.text, units, heads, places, largest)


def _without_giants(
    text: str, units: list[tuple[int, int]], heads: list[Heading | None], places: _Places, largest: int
) -> tuple[list[tuple[int, int]], list[Heading | None]]:
    if not units:
        return units, heads
    spans = np.array(units, dtype=np.int64)
    first, last = places.before(spans[:, 0]), places.before(spans[:, 1])
    if int((last - first).max()) <= largest:
        return units, heads
    cut: list[tuple[int, int]] = []
    cut_heads: list[Heading | None] = []
    for unit, head, low, high in zip(units, heads, first.tolist(), last.tolist(), strict=True):
        pieces = list(_pieces(text, unit, places, low, high, largest)) if high - low > largest else [unit]
        cut += pieces
        cut_heads += [head] + [None] * (len(pieces) - 1)
    return cut, cut_heads


def _pieces(
    text: str, unit: tuple[int, int], places: _Places, low: int, high: int, largest: int
) -> Iterator[tuple[int, int]]:
    """`unit` in runs of at most `largest` tokens, between words where there is a space to cut at."""
    start = unit[0]
    while high - low > largest:
        border = low + largest
        gaps = np.nonzero(places.starts[low + 1 : border + 1] > places.ends[low:border])[0]
        if gaps.size:
            border = low + 1 + int(gaps[-1])
        position = int(places.starts[border])
        yield start, start + len(text[start:position].rstrip())
        start, low = position, border
    yield start, unit[1]


def _document_cuts(units: _Units, sizes: ChunkProfile, fit: int) -> list[_Cut]:
    """Cuts of the whole document: long pages and runs of short ones each by themselves."""
    count = len(units.sections)
    if units.tokens(0, count) < sizes.minimum:
        return [_Cut(0, count, 0)]
    cuts: list[_Cut] = []
    for first, last in _segments(units, sizes.minimum):
        if units.tokens(first, last) >= sizes.minimum:
            cuts += _segment_cuts(units, first, last, sizes, fit)
        elif first > 0:
            # A few short pages between long ones: the end of the page before makes up what lacks.
            begin = int(np.searchsorted(units.total, units.total[last] - sizes.minimum, side="right")) - 1
            cuts.append(_Cut(begin, last, first))
        else:
            end = int(np.searchsorted(units.total, units.total[first] + sizes.minimum, side="left"))
            cuts.append(_Cut(first, end, first))
    return cuts


def _segments(units: _Units, minimum: int) -> Iterator[tuple[int, int]]:
    borders = np.nonzero(np.diff(units.page, prepend=-1))[0].tolist()
    borders.append(len(units.sections))
    run = 0
    for first, last in pairwise(borders):
        if units.tokens(first, last) >= minimum:
            if run < first:
                yield run, first
            yield first, last
            run = last
    if run < borders[-1]:
        yield run, borders[-1]


def _segment_cuts(units: _Units, first: int, last: int, sizes: ChunkProfile, fit: int) -> Iterator[_Cut]:
    total = units.total
    own = first
    while own < last:
        if total[last] - total[own] < sizes.minimum:
            begin = bisect_right(total, total[last] - sizes.minimum) - 1
            yield _Cut(max(first, begin), last, own)
            return
        begin, end = _next_cut(units, first, own, last, sizes, fit)
        yield _Cut(begin, end, own)
        own = end


def _next_cut(
    units: _Units, first: int, own: int, last: int, sizes: ChunkProfile, fit: int
) -> tuple[int, int]:
    """Start, overlap included, and end of the passage whose new text begins at `own`."""
    total = units.total
    begin = _overlap_start(units, first, own, sizes.overlap)
    if total[last] - total[begin] <= fit:
        return begin, last
    if total[last] - total[own] <= fit:
        return own, last
    end = max(own + 1, int(np.searchsorted(total, total[begin] + sizes.minimum, side="left")))
    furthest = bisect_right(total, total[begin] + fit) - 1
    if end > furthest:
        # The sentence that reaches the minimum overshoots the window: leave it to the next passage if a
        # little more overlap makes up for it, or else take less overlap.
        longer = bisect_right(total, total[end - 1] - sizes.minimum) - 1
        if end - 1 > own and longer >= first and total[own] - total[longer] <= sizes.overlap:
            return longer, end - 1
        return _shorter_overlap(units, begin, own, end, sizes, fit), end
    borders = np.nonzero(units.is_border[end : furthest + 1])[0]
    if borders.size:
        end += int(borders[0])
    elif units.is_heading[end - 1] and end - 1 > own and total[end - 1] - total[first] >= sizes.minimum:
        # Never leave a heading at the end of a passage where more overlap can make up its tokens.
        longer = bisect_right(total, total[end - 1] - sizes.minimum) - 1
        if longer >= first:
            return longer, end - 1
    return begin, end


def _overlap_start(units: _Units, first: int, own: int, overlap: int) -> int:
    if own == first or units.is_border[own]:
        return own
    begin = max(first, int(np.searchsorted(units.total, units.total[own] - overlap, side="left")))
    inside = np.nonzero(units.is_heading[begin + 1 : own])[0]
    return begin + 1 + int(inside[-1]) if inside.size else min(begin, own)


def _shorter_overlap(units: _Units, begin: int, own: int, end: int, sizes: ChunkProfile, fit: int) -> int:
    total = units.total
    for start in range(begin, own + 1):
        size = total[end] - total[start]
        if size < sizes.minimum:
            break
        if size <= fit:
            return start
    return begin if total[end] - total[begin] <= sizes.hard_max else own


def _passage(
    pages: Sequence[Page],
    units: _Units,
    cut: _Cut,
    ordinal: int,
    document: DocumentId,
    version: int,
    links: dict[int, list[Link]],
) -> Passage:
    parts: list[PageSpan] = []
    texts: list[str] = []
    sentences: list[tuple[int, int]] = []
    base = 0
    number = cut.first
    while number < cut.last:
        index = int(units.page[number])
        stop = min(cut.last, bisect_right(units.page, index))
        start, end = int(units.start[number]), int(units.end[stop - 1])
        shift = base - start
        begins, ends = units.start[number:stop] + shift, units.end[number:stop] + shift
        sentences += zip(begins.tolist(), ends.tolist(), strict=True)
        parts.append(PageSpan(pages[index].page_no, start, end))
        texts.append(pages[index].text[start:end])
        base += end - start + 1
        number = stop
    text = "\n".join(texts)
    near = [
        link
        for part in parts
        for link in links.get(part.page_no, ())
        if link.offset is None or part.start <= link.offset < part.end
    ]
    return Passage(
        document=document,
        version=version,
        ordinal=ordinal,
        parts=tuple(parts),
        text=text,
        section=_section(units, cut),
        tokens=units.tokens(cut.first, cut.last),
        sentences=tuple(sentences),
        images=_targets(near, "image"),
        pdfs=_targets(near, "pdf"),
    )


def _section(units: _Units, cut: _Cut) -> tuple[str, ...]:
    """The section of most of a passage's own text: a page's running head stands before its first heading."""
    sizes: dict[tuple[str, ...], int] = {}
    for number in range(cut.own, cut.last):
        section = units.sections[number]
        sizes[section] = sizes.get(section, 0) + units.tokens(number, number + 1)
    return max(sizes, key=lambda section: sizes[section])


def _links_by_page(links: Sequence[Link]) -> dict[int, list[Link]]:
    by_page: dict[int, list[Link]] = {}
    for link in links:
        by_page.setdefault(link.page_no, []).append(link)
    return by_page


def _targets(links: Sequence[Link], kind: LinkKind) -> tuple[str, ...]:
    return tuple(dict.fromkeys(link.target for link in links if link.kind == kind))
