"""A reading over one schema, with what the words of its spans are read by."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from core.plan.catalogue import FieldEntry, SchemaEntry
from core.plan.language.lexicon.meaning import Known
from core.plan.language.pieces import FieldSenses, Piece
from core.plan.language.reading.read import ParsedQuestion
from core.plan.language.syntax.tree import Operand, Test
from core.plan.reader.exact_reading import UnreadableError, mentions_of, senses_of_field
from core.plan.reader.reading import FieldLink, QuestionReading, ReadSpan

SURE_OF_LINK = 0.9
"""Probability of a field, or a part, from which on what else the words may name is of no interest."""


@dataclass(frozen=True, slots=True)
class SchemaReading:
    """A reading over one schema. mentions: what the exact readers make of the whole question."""

    reading: QuestionReading
    schema: SchemaEntry
    known: Known
    today: date
    mentions: ParsedQuestion

    def link(self, span: ReadSpan) -> FieldLink:
        """The best field of the schema that a span means. Raises UnreadableError where it means none."""
        own = next((link for link in span.links if link.schema == self.schema.name), None)
        if own is None:
            raise UnreadableError
        return own

    def entry(self, span: ReadSpan) -> FieldEntry:
        """The field that a span means. Raises UnreadableError where the schema has none of that name."""
        entry = self.schema.field(self.link(span).field)
        if entry is None:
            raise UnreadableError
        return entry

    def senses(self, span: ReadSpan) -> FieldSenses:
        """The field that a span means, for certain. Raises UnreadableError as `entry` does."""
        return senses_of_field(self.entry(span))

    def mentions_in(self, text: str) -> ParsedQuestion:
        """The words of a text with what the exact readers make of them."""
        return mentions_of(text, self.known, self.today)

    def piece(self, span: ReadSpan, meaning: Operand) -> Piece:
        """The words of a span with their meaning."""
        return Piece(0, 1, self.reading.text(span), meaning, "as the reader reads it")

    def test(self, span: ReadSpan, operand: Operand) -> Test:
        """The condition that a document is what the words of a span name."""
        return Test((self.piece(span, operand),), None, None, operand)
