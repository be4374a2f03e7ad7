"""A contract of three sentences with a warranty, and a field in words that asks for it."""

from __future__ import annotations

from bench.clauses.gold import as_document
from core.config.field_words import WordedField, definition_of_words
from core.config.fields import FieldDefinition
from core.domain.document import Page
from core.extract.base import DocumentText
from core.extract.words.candidates import RankedSentences, rank
from core.extract.words.learning import words_extractor
from core.extract.words.ranking import words_of

TEXT = """1. Term

This agreement begins on the day of its signature and ends after three years of it.

2. Warranty

The seller warrants that the goods are free of defects for a period of twelve months from delivery.

3. Notices

All notices shall be sent in writing to the addresses that are given at the end of this agreement.
"""
FIELD = definition_of_words(WordedField("Warranty period", "How long the seller warrants the goods"))


def document(text: str = TEXT, name: str = "a.txt") -> DocumentText:
    """One page of text as extraction sees it."""
    return as_document(name, [Page(page_no=1, text=text)])


def ranked(text: str = TEXT, name: str = "a.txt", field: FieldDefinition = FIELD) -> RankedSentences:
    """The sentences of a text in order, told apart by their words alone."""
    extractor = words_extractor(field)
    assert extractor is not None
    return rank(document(text, name), field, words_of(field.title, extractor, None), None)
