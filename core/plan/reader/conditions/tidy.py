"""Spans of a reading, joined, parted and dropped as the words say, before conditions are made of them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from core.domain.fields import ORDERED, FieldType
from core.plan.catalogue import SchemaEntry
from core.plan.language.pieces import Parties
from core.plan.language.reading.read import ParsedQuestion
from core.plan.reader.conditions.base import SURE_OF_LINK
from core.plan.reader.reading import QuestionReading, ReadSpan, SpanRole
from core.text.analyse import STOP_WORDS, content_terms
from core.text.words import word_list

_LEAST_SURENESS = 0.25  # of writers' spans below it one in six was right
_SURE_OF_PRONOUN = 0.9  # of the field of words without content ("they", "may", "there")
_BETWEEN_PARTS = 2  # words between two parts of what is one span
_JOINING = frozenset(("and", "or", "but", "nor", ","))
_BESIDE_NAMES = word_list("reading", "beside_names")


def tidy(reading: QuestionReading) -> QuestionReading:
    """The reading with spans joined that stand side by side and mean one field, and no field asked for twice.

    Of two conditions on one clause, the surer one stays; words that hardly mean any field are no condition,
    so that a plan leaves them uncovered instead of restricting by them.
    """
    spans: list[ReadSpan] = []
    plain = [each for each in reading.spans if not _hardly_means(each, reading)]
    for span in plain or reading.spans:
        before = spans[-1] if spans else None
        if before is not None and _is_one(before, span, reading.question):
            spans[-1] = replace(before, end=span.end, probability=min(before.probability, span.probability))
        else:
            spans.append(span)
    own = [each for each in spans if not any(_is_said_surer(other, each) for other in spans)]
    return replace(reading, spans=tuple(own))


def repetitions(reading: QuestionReading, tidy_reading: QuestionReading) -> tuple[ReadSpan, ...]:
    """The spans of a reading that only say once more what a span of the tidy one says."""
    fields = {span.links[0].field for span in tidy_reading.spans if span.links}
    return tuple(
        span
        for span in reading.spans
        if span not in tidy_reading.spans and span.links and span.links[0].field in fields
    )


def fit_to_schema(reading: QuestionReading, schema: SchemaEntry, mentions: ParsedQuestion) -> QuestionReading:
    """The reading with names as names, and each field in one span with its value, as a schema has them."""
    spans = (
        part for each in reading.spans for part in _part_kind(_as_name(each, schema, mentions), mentions)
    )
    return replace(reading, spans=_with_values(tuple(spans), schema, reading.question))


def _hardly_means(span: ReadSpan, reading: QuestionReading) -> bool:
    """True of words that are linked to a field by little: a pronoun, or a part that plays none for sure."""
    if not span.links or span.role not in (SpanRole.CONDITION, SpanRole.VALUE, SpanRole.ASKED):
        return False
    if span.sureness < _LEAST_SURENESS:
        return True
    is_asked = span.role is SpanRole.ASKED
    is_sure = span.links[0].probability >= _SURE_OF_PRONOUN
    return not is_asked and not is_sure and not content_terms(reading.text(span))


def _is_one(before: ReadSpan, span: ReadSpan, question: str) -> bool:
    between = question[before.end : span.start].casefold()
    is_alike = before.role is span.role and before.is_negated == span.is_negated
    means_one = [link.field for link in before.links[:1]] == [link.field for link in span.links[:1]]
    joins = bool(re.search(r"[,;/&]|\b(?:and|or|nor|but|vs|versus)\b", between))
    most = _BETWEEN_PARTS if before.links else 0
    return is_alike and means_one and len(between.split()) <= most and not joins


def _is_said_surer(other: ReadSpan, span: ReadSpan) -> bool:
    """True where another span is a condition on the same clause, and the surer one, or the first of two."""
    if other is span or span.role is not SpanRole.CONDITION or other.role is not SpanRole.CONDITION:
        return False
    if not span.links or not other.links or span.links[0].field != other.links[0].field:
        return False
    return (other.probability, -other.start) > (span.probability, -span.start)


def _as_name(span: ReadSpan, schema: SchemaEntry, mentions: ParsedQuestion) -> ReadSpan:
    """A condition that is but the name of an organisation, read as that: what exists is certain."""
    if span.role not in (SpanRole.CONDITION, SpanRole.VALUE):
        return span
    own_link = next((link for link in span.links if link.schema == schema.name), None)
    entry = schema.field(own_link.field) if own_link is not None else None
    is_sure = own_link is not None and own_link.probability >= SURE_OF_LINK
    if span.role is SpanRole.VALUE and is_sure and entry is not None and entry.type is not FieldType.PARTY:
        return span  # "South African law" is no Telkom South Africa
    tokens = mentions.tokens
    own = [
        p for p in mentions.pieces if tokens[p.first].start < span.end and tokens[p.end - 1].end > span.start
    ]
    named = [p for p in own if isinstance(p.meaning, Parties)]
    rest = [t.word for p in own if p not in named for t in tokens[p.first : p.end] if t.is_word]
    is_capital = all(tokens[p.first].text[:1].isupper() for p in named)
    if not named or not is_capital or set(rest) - STOP_WORDS - _BESIDE_NAMES:
        return span
    start, end = tokens[named[0].first].start, tokens[named[-1].end - 1].end
    return replace(span, start=start, end=end, role=SpanRole.PARTY, links=())


def _part_kind(span: ReadSpan, mentions: ParsedQuestion) -> tuple[ReadSpan, ...]:
    """A kind of documents apart from the organisation that they are with: "[Beta Corp] [agreements]"."""
    if span.role is not SpanRole.KIND:
        return (span,)
    tokens = mentions.tokens
    for piece in mentions.pieces:
        start, end = tokens[piece.first].start, tokens[piece.end - 1].end
        is_name = isinstance(piece.meaning, Parties) and tokens[piece.first].text[:1].isupper()
        if is_name and span.start <= start and end < span.end:
            name = replace(span, start=start, end=end, role=SpanRole.PARTY)
            return (name, replace(span, start=end + 1))
    return (span,)


def _with_values(spans: Sequence[ReadSpan], schema: SchemaEntry, question: str) -> tuple[ReadSpan, ...]:
    """The spans with a field and the value right behind it as one: "[effective date] in [Q1 2023]"."""
    found: list[ReadSpan] = []
    for span in spans:
        before = found[-1] if found else None
        if before is not None and _is_value_of(before, span, schema, question):
            found[-1] = replace(before, end=span.end, role=SpanRole.VALUE)
        else:
            found.append(span)
    return tuple(found)


def _is_value_of(before: ReadSpan, span: ReadSpan, schema: SchemaEntry, question: str) -> bool:
    if before.role is not SpanRole.CONDITION or span.role is not SpanRole.VALUE or before.is_negated:
        return False
    between = question[before.end : span.start].split()
    entry = schema.field(before.links[0].field) if before.links else None
    is_near = len(between) <= 1 and not set(map(str.casefold, between)) & _JOINING
    return is_near and entry is not None and entry.type in ORDERED
