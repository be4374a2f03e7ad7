"""Exact readings of the words of a span: what the readers that the rules use make of them."""

from __future__ import annotations

from datetime import date

from core.plan.catalogue import FieldEntry
from core.plan.language.lexicon.meaning import Known
from core.plan.language.pieces import FieldMatch, FieldSenses
from core.plan.language.reading.read import ParsedQuestion, read


class UnreadableError(Exception):
    """Words of a span could not be read exactly, or the reading fits no schema: there is no plan of it."""


def mentions_of(text: str, known: Known, today: date) -> ParsedQuestion:
    """The words of a text with what the exact readers make of them."""
    return read(text, known.lexicon, today, known.words)


def senses_of_field(entry: FieldEntry) -> FieldSenses:
    """One field, meant for certain."""
    return FieldSenses((FieldMatch(entry, 1.0, "as the reader reads it"),))
