"""Conditions on values: the field is the reader's, the value in the words of a span is read exactly."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from datetime import timedelta

from core.domain.fields import FieldType
from core.domain.predicate import Operator
from core.plan.catalogue import FieldEntry
from core.plan.language.lexicon.lexicon import KIND, NAME
from core.plan.language.pieces import (
    Comparator,
    Computed,
    Currency,
    DayRange,
    DocumentSet,
    FieldSenses,
    Noun,
    Parties,
    Piece,
    Policy,
    Quantity,
    UnknownWord,
    Values,
    stems,
)
from core.plan.language.reading.composition import joined
from core.plan.language.reading.dates import says_over
from core.plan.language.rewriting.rewording import in_plain_words, in_written_words
from core.plan.language.syntax.negation import ConditionParser
from core.plan.language.syntax.tree import Any, Expression, Not, Test
from core.plan.reader.conditions.base import SchemaReading
from core.plan.reader.conditions.kinds import SpanKinds
from core.plan.reader.exact_reading import UnreadableError
from core.plan.reader.reading import ReadSpan
from core.text.analyse import STOP_WORDS
from core.values.places import POSTAL, canonical_place

_LITERALS = (Quantity, DayRange, Values, UnknownWord, Computed, Policy, Currency)
_STATES = frozenset(("force", "active", "valid", "running", "live"))
_ENDS = frozenset(stems("expiration expiry expires end until termination valid due"))
_POSTAL = re.compile(rf"(?<![\w.-])(?:{'|'.join(POSTAL)})(?![\w.-])")
_ONWARD = re.compile(
    r"\s+(?:on|onwards?|upwards?|forward|and\s+(?:later|after|up|above|over|below|under|before|earlier)|"
    r"or\s+(?:later|earlier|more|less|above|below|higher|lower|longer|shorter|over|under|after|before))\b",
    re.IGNORECASE,
)
_OVER_BY = re.compile(r"\b(?:already\s+)?over\s+(?=(?:by|before|after|since|in|on|until)\b)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class SpanValues(SchemaReading):
    """Conditions on values in the spans of one reading over one schema."""

    def condition(self, span: ReadSpan, kinds: SpanKinds) -> Expression:
        """The condition of a span on a value. Raises UnreadableError where no value of its field is read."""
        currency = self._of_currency(span)
        if currency is not None:
            return currency
        entry = self.entry(span)
        if entry.name == KIND:
            return kinds.condition(span)
        found = self._of_exact_value(span, entry)
        if found is None and entry.type is FieldType.DATE and self._is_over(span, entry):
            fields = self.senses(span)
            over = DayRange(None, self.today - timedelta(days=1), is_relative=True)
            found = Test((self.piece(span, fields),), fields, None, over)
        if found is None and entry.name == NAME:
            return kinds.condition(
                span
            )  # "the consulting agreements" are called so, and have no value for it
        if found is None:
            raise UnreadableError
        is_negated = span.is_negated and not isinstance(found, Not)
        return Not(found) if is_negated else found

    def _of_exact_value(self, span: ReadSpan, entry: FieldEntry) -> Expression | None:
        """The condition that the exact readers find in a span, on its field; None for none."""
        fields = self.senses(span)
        text = self._with_places(in_plain_words(in_written_words(self._with_bounds(span))), entry)
        if entry.type is FieldType.DATE:
            text = _OVER_BY.sub(" ", text)
        if entry.type is FieldType.DATE and set(text.casefold().split()) & _STATES:
            raise UnreadableError  # "in force on 1 July" is between two days of a document
        pieces = joined(self.mentions_in(text).pieces, self.known.lexicon, self.today)
        if entry.type is FieldType.TEXT:
            pieces = tuple(p for p in pieces if not isinstance(p.meaning, (Noun, DocumentSet)))
        parser = ConditionParser(pieces)
        parsed = parser.parse()
        found = _of_field(parsed, fields, entry) if parsed is not None else None
        unknown = [p for p in parser.leftover if _is_unknown_name(p)]
        if entry.type is not FieldType.TEXT or not unknown:
            return found
        others = tuple(Test((p,), fields, None, UnknownWord()) for p in unknown)
        if found is not None:
            return Any((*others, found))  # "Quebec or Texas law": nothing is under Quebec's
        return Any(others) if others[1:] else others[0]

    def _is_over(self, span: ReadSpan, entry: FieldEntry) -> bool:
        """True of "have run out" and its like, of a day on which something ends."""
        is_end = bool(set(stems(entry.title)) & _ENDS)
        return is_end and says_over(self.reading.text(span), self.reading.question)

    def _of_currency(self, span: ReadSpan) -> Expression | None:
        """The condition that amounts are in a currency, where words say no more: "not in euros"."""
        pieces = self.mentions_in(self.reading.text(span)).pieces
        found = [piece.meaning for piece in pieces if isinstance(piece.meaning, Currency)]
        says_more = (Quantity, Comparator, FieldSenses)  # "a USD cap of more than half a million"
        if len(found) != 1 or any(isinstance(piece.meaning, says_more) for piece in pieces):
            return None
        op = Operator.NOT_EQUAL if span.is_negated else Operator.EQUAL
        return Test((self.piece(span, found[0]),), None, op, found[0])

    def _with_places(self, text: str, entry: FieldEntry) -> str:
        """The text with postal abbreviations of states as their names, where the field has such values."""
        values = self.known.lexicon.catalogue.values
        own = {each.text for each in values if (each.schema, each.field) == (entry.schema, entry.name)}
        if entry.type is not FieldType.TEXT or not any(canonical_place(each) for each in own):
            return text
        return _POSTAL.sub(lambda match: POSTAL[match[0]], text)

    def _with_bounds(self, span: ReadSpan) -> str:
        """The words of a span, and those that compare right before or behind it: "stuff under [44 lbs]"."""
        question, tokens = self.reading.question, self.mentions.tokens
        start, end = span.start, span.end
        for piece in self.mentions.pieces:
            if not isinstance(piece.meaning, Comparator):
                continue
            first, last = tokens[piece.first].start, tokens[piece.end - 1].end
            if last <= span.start and not question[last : span.start].strip():
                start = first
            behind = [each for each in self.reading.spans if each.start >= last]
            is_of_next = any(not question[last : each.start].strip() for each in behind)
            if first >= span.end and not question[span.end : first].strip() and not is_of_next:
                end = last
        onward = _ONWARD.match(question, end)
        return question[start : onward.end() if onward else end]


def _is_unknown_name(piece: Piece) -> bool:
    return (
        isinstance(piece.meaning, UnknownWord)
        and piece.text[:1].isupper()
        and piece.text.casefold() not in STOP_WORDS
    )


def _of_field(expression: Expression, fields: FieldSenses, entry: FieldEntry) -> Expression | None:
    """The conditions with values, on one field; None where a value cannot be of it, or none is there."""
    if isinstance(expression, Test):
        return _on_field(expression, fields, entry)
    if isinstance(expression, Not):
        part = _of_field(expression.part, fields, entry)
        return replace(expression, part=part) if part is not None else None
    known = [each for each in expression.parts if not _is_plain_unknown(each)]
    chosen = known or expression.parts  # "fall under the law of Iowa": "fall" is no law beside one
    parts = tuple(p for each in chosen if (p := _of_field(each, fields, entry)) is not None)
    if not parts:
        return None
    return parts[0] if len(parts) == 1 else replace(expression, parts=parts)


def _is_plain_unknown(part: Expression) -> bool:
    return (
        isinstance(part, Test)
        and isinstance(part.operand, UnknownWord)
        and all(piece.text.islower() for piece in part.pieces)
    )


def _on_field(test: Test, fields: FieldSenses, entry: FieldEntry) -> Test | None:
    operand = test.operand
    if not isinstance(operand, (*_LITERALS, Parties)):
        return None
    if isinstance(operand, DayRange) and operand.hint:
        operand = replace(operand, hint="")
    if isinstance(operand, DayRange) and entry.type is FieldType.DURATION and operand.length is None:
        return None
    if isinstance(operand, Values):
        own = tuple(v for v in operand.values if v.schema == entry.schema and v.field == entry.name)
        if not own:
            return None
        operand = replace(operand, values=own)
    if test.span is not None:
        return test
    piece = Piece(0, 1, entry.title, fields, "as the reader reads it")
    return replace(test, fields=fields, operand=operand, hint="", pieces=(piece, *test.pieces))
