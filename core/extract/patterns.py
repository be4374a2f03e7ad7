"""Values that regular expressions find. RE2 runs them, so that none takes for ever."""

from __future__ import annotations

from collections.abc import Iterator

from core.config.fields import FieldDefinition, PatternExtractor
from core.config.pattern import compile_pattern
from core.domain.fields import FieldType, Finding
from core.extract.base import DocumentText
from core.extract.decision import MaybeReading, TextReading, agree
from core.fields.typed import order_for, value_of
from core.text.sentences import split_sentences
from core.values.numbers import continues_amount

TOP_CHARS = 4_000
_MAX_CHARS = 2_000_000
_MAX_MATCHES = 500
_CONFIDENCE = 0.9
_AROUND = 2_000


def find_patterns(
    document: DocumentText, definition: FieldDefinition, extractor: PatternExtractor
) -> Finding | None:
    """Method `pattern`: the value of every match (of group 1, if any); None where nothing of the type is."""
    order = order_for(definition, document.text, document.language)
    readings: list[MaybeReading] = []
    for start, end in _spans(document, extractor):
        if definition.type is FieldType.BOOLEAN:
            readings.append(TextReading.at(start, end, None, _CONFIDENCE))
            continue
        found = value_of(document.text[start:end], definition, order)
        if found is None:
            continue
        last = start + found.end
        is_cut = definition.type is FieldType.MONEY and continues_amount(document.text, last)
        value = None if is_cut else found.value  # "$5" of "$5 million" is another amount
        readings.append(TextReading.at(start + found.start, last, value, _CONFIDENCE))
    return agree(document, definition, readings, extractor.method)


def _spans(document: DocumentText, extractor: PatternExtractor) -> Iterator[tuple[int, int]]:
    """Spans that the patterns match, pattern by pattern."""
    seen: set[tuple[int, int]] = set()
    for begin, text in _places(document, extractor):
        for pattern in extractor.patterns:
            for number, match in enumerate(compile_pattern(pattern).finditer(text)):
                if number >= _MAX_MATCHES:
                    break
                group = 1 if match.re.groups and match.start(1) >= 0 else 0
                start, end = match.start(group), match.end(group)
                if extractor.take == "sentence":
                    start, end = sentence_around(text, start, end)
                    start = _after_heading(document, start, end)
                span = (begin + start, begin + end)
                if start < end and span not in seen:
                    seen.add(span)
                    yield span


def _places(document: DocumentText, extractor: PatternExtractor) -> Iterator[tuple[int, str]]:
    """The texts to look in, each with where it begins."""
    if extractor.scope == "headings":
        for page, begin in zip(document.pages, document.starts, strict=True):
            for heading in page.headings:
                yield begin + heading.start, page.text[heading.start : heading.end]
        return
    limit = TOP_CHARS if extractor.scope == "top" else _MAX_CHARS
    yield 0, document.text[:limit].replace("\u00a0", " ")  # which RE2 does not take for white space


def _after_heading(document: DocumentText, start: int, end: int) -> int:
    """The begin of a sentence without the heading that it was joined to; `end` where it is a heading."""
    page = document.page_at(start)
    begin = document.starts[document.pages.index(page)]
    for heading in page.headings:
        if begin + heading.start <= start < begin + heading.end:
            return min(end, begin + heading.end)
    return start


def sentence_around(text: str, start: int, end: int) -> tuple[int, int]:
    """The span of the sentence (the first of several) that [start, end) stands in."""
    low = max(0, start - _AROUND)
    low = text.rfind("\n\n", low, start) + 2 if "\n\n" in text[low:start] else low
    high = min(len(text), end + _AROUND)
    stop = text.find("\n\n", end, high)
    high = stop if stop >= 0 else high
    for first, last in split_sentences(text, low, high):
        if first <= start < last:
            return first, last
    return start, end
