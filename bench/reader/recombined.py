"""Written questions once more: with parts of other written questions in their places, typed as people type.

A part takes the place of one that follows the same word, plays the same role and has the same polarity, so
that most of what comes out is a sentence. Source: mention replacement, Dai and Adel 2020, "An Analysis of
Simple Data Augmentation for Named Entity Recognition".
"""

from __future__ import annotations

import random
import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from bench.reader.contexts import pools
from bench.reader.examples import Item
from bench.reader.wear import Segment, marked_parts, worn
from core.plan.readers.trained.reading import ReadSpan, SpanRole

Place = tuple[str, SpanRole, bool, str, str, str]
_LAST_WORD = re.compile(r"([\w'’]+)\W*$")
_ARTICLES = {"a", "an", "the", "any", "some", "our", "their", "its", "no"}
_EXCHANGED = 0.5
_NUMBERS = (
    *("two", "three", "four", "five", "six", "seven", "ten", "twenty"),
    *("2", "3", "4", "5", "7", "10", "15", "20", "25"),
)


@dataclass(frozen=True, slots=True)
class Part:
    """The words of a span, with the span as it was marked."""

    text: str
    span: ReadSpan


def place_of(item: Item, span: ReadSpan) -> Place:
    """The place in which a span stands: schema, role, polarity, the word before, its first word's form, and
    the function where the span may be what says it."""
    question = item.reading.question
    before = _LAST_WORD.search(question[: span.start])
    first = question[span.start : span.end].split()[0].casefold()
    form = "article" if first in _ARTICLES else "gerund" if first.endswith("ing") else ""
    if span.role not in (SpanRole.CONDITION, SpanRole.DOCUMENT, SpanRole.PARTY):
        form = first
    schema = span.links[0].schema if span.links else _schema(item)
    function = item.reading.function if span.role is SpanRole.ASKED else ""
    return schema, span.role, span.is_negated, before[1].casefold() if before else "", form, function


def _schema(item: Item) -> str:
    return item.candidates[0].schema if item.candidates else ""


class Recombiner:
    """Makes new questions of written ones. Deterministic for a seed."""

    def __init__(self, items: Sequence[Item], seed: int) -> None:
        self._rng = random.Random(seed)
        self._items = items
        self._parts: dict[Place, list[Part]] = defaultdict(list)
        for item in items:
            if _schema(item):
                for span in item.reading.spans:
                    text = item.reading.question[span.start : span.end]
                    self._parts[place_of(item, span)].append(Part(text, span))

    def items(self, times: int, fits: Callable[[Item], bool] = lambda item: True) -> Iterator[Item]:
        """Each written question that fits so many times, each time in another way."""
        for item in self._items:
            for _ in range(times if fits(item) else 0):
                yield self._anew(item)

    def _anew(self, item: Item) -> Item:
        question = item.reading.question
        segments: list[Segment] = []
        spans: list[ReadSpan] = []
        at = 0
        for span in item.reading.spans:
            part = self._part(item, span)
            segments += [(question[at : span.start], None), (part.text, len(spans))]
            spans.append(replace(part.span, either=span.either))
            at = span.end
        segments.append((question[at:].rstrip(" ?.!"), None))
        text, keys = worn(segments, self._rng, pools(), item.reading.operation)
        found = tuple(
            replace(spans[key], start=start, end=end) for key, start, end in marked_parts(text, keys)
        )
        return replace(item, reading=replace(item.reading, question=text, spans=found))

    def _part(self, item: Item, span: ReadSpan) -> Part:
        own = Part(item.reading.question[span.start : span.end], span)
        if span.role is SpanRole.LIMIT and self._rng.random() < _EXCHANGED:
            return Part(self._rng.choice(_NUMBERS), span)
        if not _schema(item) or self._rng.random() >= _EXCHANGED:
            return own
        return self._rng.choice(self._parts[place_of(item, span)])
