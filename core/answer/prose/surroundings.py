"""Places widened to the sentences around them: a model reads better with what stands before and behind."""

from __future__ import annotations

import functools
from collections.abc import Callable

from core.domain.answer import QuotedPlace
from core.domain.ids import DocumentId
from core.errors import NotFoundError
from core.evidence.base import PageSource
from core.records.database.visibility import Visibility
from core.text.sentences import split_sentences

WANTED_CHARS = 900
Widen = Callable[[QuotedPlace], QuotedPlace]


def widening(pages: PageSource, visibility: Visibility, wanted: int = WANTED_CHARS) -> Widen:
    """Widens a place to about `wanted` characters of its page, in whole sentences; a longer one stays.

    Each page is read once: twenty places of an answer often stand on the same few.
    """

    @functools.cache
    def page(document: str, version: int, number: int) -> str:
        return pages.page(DocumentId(document), version, number, visibility).text

    def widen(place: QuotedPlace) -> QuotedPlace:
        if place.end - place.start >= wanted:
            return place
        try:
            text = page(place.document, place.version, place.page)
        except NotFoundError:
            return place
        start, end = widened(text, place.start, place.end, wanted)
        return place.model_copy(update={"start": start, "end": end, "quote": text[start:end]})

    return widen


def widened(text: str, start: int, end: int, wanted: int) -> tuple[int, int]:
    """The span with whole sentences on both sides, by turns, as long as it is no longer than `wanted`."""
    sentences = split_sentences(text)
    before = [first for first, _ in sentences if first < start]
    behind = [last for _, last in sentences if last > end]
    behind.reverse()
    while before or behind:
        grown = False
        if before and end - before[-1] <= wanted:
            start, grown = before.pop(), True
        if behind and behind[-1] - start <= wanted:
            end, grown = behind.pop(), True
        if not grown:
            break
    return start, end
