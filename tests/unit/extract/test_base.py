"""One text over several pages, and the way back."""

from __future__ import annotations

import pytest

from core.config.fields import (
    FieldDefinition,
    HeadExtractor,
    KeyValueExtractor,
    RuleExtractor,
    Schema,
    WordsExtractor,
)
from core.domain.fields import FieldType
from core.extract.base import opening_fields
from tests.support.document_text import document_text


def test_a_quote_holds_the_characters_of_its_page() -> None:
    document = document_text("first page", "second page")
    start = document.text.index("second")

    quote = document.quote(start, start + 6)

    assert (quote.span.page_no, quote.span.start, quote.span.end, quote.quote) == (2, 0, 6, "second")
    assert document.span(quote) == (start, start + 6)


def test_a_span_over_two_pages_is_cut_at_the_first_ones_end() -> None:
    document = document_text("one two", "three")

    quote = document.quote(4, len(document.text))

    assert (quote.span.page_no, quote.quote) == (1, "two")


def test_a_span_that_begins_between_pages_belongs_to_the_next_page() -> None:
    document = document_text("one ", "", "three")

    quote = document.quote(3, len(document.text))

    assert (quote.span.page_no, quote.quote) == (3, "three")


def test_an_offset_of_an_unknown_page_is_an_error() -> None:
    with pytest.raises(KeyError):
        document_text("one").offset(7, 0)


def test_a_document_of_blank_pages_is_not_readable() -> None:
    assert not document_text(" ", "\n").is_readable
    assert not document_text().is_readable
    assert document_text("", "x").is_readable


RULE = RuleExtractor(rule="parties")


def field(name: str, kind: FieldType, *extractors: object) -> FieldDefinition:
    return FieldDefinition(name=name, title=name, type=kind, extractors=extractors)  # type: ignore[arg-type]


def test_parties_dates_and_names_come_first_unless_trained_heads_decide_them() -> None:
    schema = Schema(
        name="deals",
        title="Deals",
        fields=(
            field("buyer", FieldType.PARTY, RULE),
            field("signed", FieldType.DATE, KeyValueExtractor(keys=("signed",))),
            field("ends", FieldType.DATE, HeadExtractor(head="ends"), RULE),
            field("called", FieldType.TEXT, RuleExtractor(rule="document_name")),
            field("price", FieldType.MONEY, RULE),
            field("witness", FieldType.PARTY),
            field("escrow_agent", FieldType.PARTY, WordsExtractor(meaning="Who keeps what is deposited")),
        ),
    )
    assert opening_fields(schema) == ("buyer", "signed", "called")
