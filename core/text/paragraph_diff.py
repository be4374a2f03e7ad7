"""Differences between two texts by paragraph and word, and the place of words in a text that has changed."""

from __future__ import annotations

import difflib
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import zip_longest

from core.domain.evidence_change import ParagraphChange, TextPart
from core.domain.span import PageSpan

_BLANK = re.compile(r"\n[ \t]*\n\s*")
_LINE = re.compile(r"\n")
_SPACE = re.compile(r"\s+")
_TOKEN = re.compile(r"\s+|\w+|[^\w\s]")
_ALIKE = 0.4  # of their words: less, and one paragraph went while another came
_MOST_PAIRS = 10_000  # comparisons of paragraphs within one block; beyond it they are paired in order
_MOST_TOKENS = 4_000  # of a paragraph that is compared word by word
_MOST_PARAGRAPHS = 5_000  # of a text whose order is compared


@dataclass(frozen=True)
class PageParagraph:
    """A paragraph of a page: its characters [start, end) there."""

    page_no: int
    start: int
    end: int
    text: str

    @cached_property
    def key(self) -> str:
        """The text by which paragraphs are equal: line breaks and runs of blanks do not matter."""
        return _SPACE.sub(" ", self.text).strip()

    @cached_property
    def words(self) -> Counter[str]:
        """Its words with their number."""
        return Counter(self.key.split())


def paragraphs(page_no: int, text: str) -> list[PageParagraph]:
    """The paragraphs of a page: what blank lines part, or else each line."""
    parting = _BLANK if _BLANK.search(text.strip()) else _LINE
    found, start = [], 0
    for match in parting.finditer(text):
        found.append(PageParagraph(page_no, start, match.start(), text[start : match.start()]))
        start = match.end()
    found.append(PageParagraph(page_no, start, len(text), text[start:]))
    return [each for each in found if each.key]


def paragraphs_of(texts: Mapping[int, str]) -> list[PageParagraph]:
    """The paragraphs of all pages, in order."""
    return [each for page_no in sorted(texts) for each in paragraphs(page_no, texts[page_no])]


def holding(found: Iterable[PageParagraph], place: PageSpan) -> list[PageParagraph]:
    """Those of the paragraphs in which the place lies."""
    end = max(place.end, place.start + 1)
    return [
        each
        for each in found
        if each.page_no == place.page_no and each.start < end and place.start < each.end
    ]


def place_of(quote: str, texts: Mapping[int, str], near: int) -> PageSpan | None:
    """Where words stand, first on page `near`; None where they do not.

    Whatever the line breaks, and never within a longer word or number: "$5,000" is not in "$5,000,000".
    """
    words = quote.split()
    if not words:
        return None
    before = r"(?<![\w])(?<!\d[.,])" if words[0][0].isalnum() else ""
    after = r"(?![\w])(?![.,]\d)" if words[-1][-1].isalnum() else ""
    pattern = re.compile(before + r"\s+".join(map(re.escape, words)) + after)
    for page_no in sorted(texts, key=lambda each: (abs(each - near), each)):
        if (match := pattern.search(texts[page_no])) is not None:
            return PageSpan(page_no, match.start(), match.end())
    return None


def changed_paragraphs(
    before: Sequence[PageParagraph], now: Sequence[PageParagraph], cited: Sequence[PageParagraph] = ()
) -> list[ParagraphChange]:
    """The paragraphs that differ, with the words that do; those of `cited` first, else in their order.

    Source of the alignments: Ratcliff and Metzener 1988, as in difflib, without its guess at junk.
    """
    marked = {(each.page_no, each.start) for each in cited}
    found = [
        _change(one, other, one is not None and (one.page_no, one.start) in marked)
        for one, other in _pairs(before, now)
    ]
    return sorted(found, key=lambda each: not each.is_cited)


_Pair = tuple[PageParagraph | None, PageParagraph | None]


def _pairs(before: Sequence[PageParagraph], now: Sequence[PageParagraph]) -> Iterator[_Pair]:
    first = 0
    while first < min(len(before), len(now)) and before[first].key == now[first].key:
        first += 1
    before, now = before[first:], now[first:]
    while before and now and before[-1].key == now[-1].key:
        before, now = before[:-1], now[:-1]
    if max(len(before), len(now)) > _MOST_PARAGRAPHS:
        yield from _without_order(before, now)
        return
    matcher = difflib.SequenceMatcher(
        None, [each.key for each in before], [each.key for each in now], autojunk=False
    )
    for tag, i, j, k, m in matcher.get_opcodes():
        if tag != "equal":
            yield from _paired(before[i:j], now[k:m])


def _without_order(before: Sequence[PageParagraph], now: Sequence[PageParagraph]) -> Iterator[_Pair]:
    """Of a very long text: paragraphs that are in one version only, whatever their order."""
    old, new = {each.key for each in before}, {each.key for each in now}
    yield from _paired(
        [each for each in before if each.key not in new], [each for each in now if each.key not in old]
    )


def _paired(before: Sequence[PageParagraph], now: Sequence[PageParagraph]) -> Iterator[_Pair]:
    """Each paragraph with the one that it became, in order."""
    if len(before) * len(now) > _MOST_PAIRS:
        yield from zip_longest(before, now)
        return
    at = 0
    for one in before:
        alike = [(_likeness(one, other), -number) for number, other in enumerate(now[at:], at)]
        best = max(alike, default=(0.0, 0))
        if best[0] < _ALIKE:
            yield one, None
            continue
        yield from ((None, other) for other in now[at : -best[1]])
        yield one, now[-best[1]]
        at = -best[1] + 1
    yield from ((None, other) for other in now[at:])


def _likeness(one: PageParagraph, other: PageParagraph) -> float:
    """Share of common words in both. Source: Sorensen 1948, over multisets."""
    return 2 * (one.words & other.words).total() / (one.words.total() + other.words.total())


def _change(one: PageParagraph | None, other: PageParagraph | None, is_cited: bool) -> ParagraphChange:
    old, new = one.key if one else "", other.key if other else ""
    parts = tuple(_parts(old, new))
    before, now = (None if each is None else each.page_no for each in (one, other))
    return ParagraphChange(parts, before, now, is_cited)


def _parts(old: str, new: str) -> Iterator[TextPart]:
    one, other = _TOKEN.findall(old), _TOKEN.findall(new)
    if not one or not other or max(len(one), len(other)) > _MOST_TOKENS:
        yield from (part for part in (TextPart("removed", old), TextPart("added", new)) if part.text)
        return
    for tag, i, j, k, m in difflib.SequenceMatcher(None, one, other, autojunk=False).get_opcodes():
        if tag == "equal":
            yield TextPart("same", "".join(one[i:j]))
            continue
        if i < j:
            yield TextPart("removed", "".join(one[i:j]))
        if k < m:
            yield TextPart("added", "".join(other[k:m]))
