"""Conditions of a reading: its spans as tests of a syntax tree, values and names in them read exactly."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import date

from core.plan.catalogue import SchemaEntry
from core.plan.language.lexicon.lexicon import KIND
from core.plan.language.lexicon.meaning import Known
from core.plan.language.pieces import DayRange, DocumentSet, FieldSenses, Negator, Noun, Piece
from core.plan.language.reading.composition import with_kinds_of
from core.plan.language.reading.read import ParsedQuestion
from core.plan.language.syntax.tree import All, Expression, Not, Test
from core.plan.reader.conditions.base import SchemaReading
from core.plan.reader.conditions.conjunction import join
from core.plan.reader.conditions.exclusion import is_excluded
from core.plan.reader.conditions.kinds import SpanKinds, included_kinds
from core.plan.reader.conditions.names import SpanNames
from core.plan.reader.conditions.schema_choice import schema_of
from core.plan.reader.conditions.tidy import fit_to_schema, repetitions, tidy
from core.plan.reader.conditions.values import SpanValues
from core.plan.reader.exact_reading import UnreadableError, mentions_of
from core.plan.reader.reading import QuestionReading, ReadSpan, SpanRole

_CONDITIONS = (SpanRole.CONDITION, SpanRole.VALUE, SpanRole.PARTY, SpanRole.DOCUMENT)
_REACH = 40  # characters from a word that negates to the span that it is said of


class Conditions:
    """Conditions of one reading, and its kind of documents. Raises UnreadableError, AskBackError."""

    def __init__(self, reading: QuestionReading, known: Known, today: date) -> None:
        whole, reading = reading, tidy(reading)
        included = included_kinds(reading)
        self._explained = (*repetitions(whole, reading), *included)
        reading = replace(reading, spans=tuple(each for each in reading.spans if each not in included))
        self._known = known
        self._today = today
        self._mentions = mentions_of(reading.question, known, today)
        schema = schema_of(reading, self._mentions, known.lexicon)
        if schema is None:
            raise UnreadableError
        self.schema: SchemaEntry = schema
        self._also = tuple(
            piece.meaning
            for each in included
            for piece in mentions_of(reading.text(each), known, today).pieces
            if isinstance(piece.meaning, Noun)
        )
        self._subject: Noun | None = None
        self._take(fit_to_schema(reading, schema, self._mentions))

    def _take(self, reading: QuestionReading) -> None:
        """Go on with these spans."""
        own = (reading, self.schema, self._known, self._today, self._mentions)
        self._reading = reading
        self._spans = SchemaReading(*own)
        self._names = SpanNames(*own)
        self._kinds = SpanKinds(*own, beside=self._also)
        self._values = SpanValues(*own)

    def outside(self) -> ParsedQuestion:
        """The question with the pieces that no span of the reading explains."""
        tokens = self._mentions.tokens
        spans = (*self._reading.spans, *self._explained)
        negated = [span for span in spans if span.is_negated]

        def is_read(piece: Piece) -> bool:
            start, end = tokens[piece.first].start, tokens[piece.end - 1].end
            if isinstance(piece.meaning, Negator) and any(_is_near(start, end, each) for each in negated):
                return True
            return any(start < span.end and end > span.start for span in spans)

        return replace(self._mentions, pieces=tuple(p for p in self._mentions.pieces if not is_read(p)))

    def _field(self, span: ReadSpan) -> FieldSenses:
        return self._spans.senses(span)

    def _is_excluded(self, span: ReadSpan) -> bool:
        return is_excluded(span, self._reading)

    def _noun(self) -> Noun | None:
        """The kind of document that is asked about."""
        asked = [
            span
            for span in self._reading.of(SpanRole.KIND)
            if not (self._names.things(span) or self._kinds.is_said_by_field(span))
            and not self._is_excluded(span)
        ]
        if asked:
            return with_kinds_of(self._kinds.either(asked), self._also)
        nouns = [p.meaning for p in self.outside().pieces if isinstance(p.meaning, Noun)]
        found = next((n for n in nouns if n.schema in ("", self.schema.name)), None)
        return with_kinds_of(found, self._also) if found is not None else None

    def _where(self, spans: Sequence[ReadSpan] | None = None) -> Expression | None:
        """The conditions of some spans together; of all of them, with kinds that are left out, for None."""
        chosen = self._reading.of(*_CONDITIONS) if spans is None else spans
        parts = [
            (span, found)
            for span in chosen
            if not self._is_implied(span)
            for found in [self._condition_or_none(span, chosen)]
            if found is not None
        ]
        if spans is not None:
            return join(sorted(parts, key=_start_of), self._reading.question)
        parts += self._of_kinds()
        return self._with_states(join(sorted(parts, key=_start_of), self._reading.question))

    def _of_kinds(self) -> list[tuple[ReadSpan, Expression]]:
        """The conditions of kinds that are things, or that are left out."""
        parts: list[tuple[ReadSpan, Expression]] = []
        for span in self._reading.of(SpanRole.KIND):
            things = self._names.things(span)
            if things:
                of_these = self._spans.test(span, DocumentSet(things))
                parts.append((span, Not(of_these) if self._is_excluded(span) else of_these))
            elif self._is_excluded(span):
                parts.append((span, Not(self._spans.test(span, self._kinds.kind(span)))))
        return parts

    def _is_implied(self, span: ReadSpan) -> bool:
        """True where a kind is left out that the documents asked about are not of anyway."""
        is_left_out = span.role is SpanRole.VALUE and span.is_negated
        if not is_left_out or self._spans.entry(span).name != KIND:
            return False
        asked = self._subject or self._kinds.any_noun()
        return asked is not None and bool(asked.kind) and self._kinds.kind(span).kind != asked.kind

    def _with_states(self, found: Expression | None) -> Expression | None:
        """With what the grammar reads outside all spans as a condition of its own: "still running"."""
        states = [
            Test((p,), None, None, p.meaning)
            for p in self.outside().pieces
            if isinstance(p.meaning, DayRange) and p.meaning.hint
        ]
        parts = (*([found] if found is not None else []), *states)
        return None if not parts else parts[0] if len(parts) == 1 else All(parts)

    def _condition_or_none(self, span: ReadSpan, beside: Sequence[ReadSpan]) -> Expression | None:
        """The condition of a span; None for a comparison without a value among others, as "older stuff".

        Its words are then left for the coverage to tell, but where another span says the value of the field.
        """
        is_marked = span.probability == 1.0  # by a person, who is told what cannot be read
        if span.role is not SpanRole.VALUE or len(beside) < 2 or is_marked:
            return self._condition(span)
        try:
            return self._condition(span)
        except UnreadableError:
            same = [each for each in beside if each != span and each.role is SpanRole.VALUE]
            if not any(each.links[:1] and each.links[0].field == span.links[0].field for each in same):
                others = tuple(each for each in self._reading.spans if each != span)
                self._take(replace(self._reading, spans=others))
            return None

    def _condition(self, span: ReadSpan) -> Expression:
        if span.role is SpanRole.CONDITION:
            fields = self._field(span)
            test = Test((self._spans.piece(span, fields),), fields)
            return Not(test) if span.is_negated else test
        if span.role is SpanRole.VALUE:
            return self._value(span)
        found = self._names.party(span) if span.role is SpanRole.PARTY else self._names.document(span)
        return Not(found) if self._is_excluded(span) else found

    def _value(self, span: ReadSpan) -> Expression:
        return self._values.condition(span, self._kinds)


def _start_of(part: tuple[ReadSpan, Expression]) -> int:
    return part[0].start


def _is_near(start: int, end: int, span: ReadSpan) -> bool:
    """True where words stand so close to a span that they may negate it."""
    return span.start - _REACH <= end <= span.start or span.end <= start <= span.end + _REACH
