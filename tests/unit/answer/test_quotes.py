"""Quotes that break off inside a sentence."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.answer.cite import Draft
from core.answer.quotes import complete_or_mark, with_notes
from core.domain.ids import DocumentId
from core.search.evidence.base import Span
from tests.support.scored_sentences import scored

LONG = " and".join(f" the sum of part {n}" for n in range(20))


def draft_of(text: str, quote: str) -> Draft:
    start = text.index(quote)
    return Draft((Span(DocumentId("d"), 1, 1, start, start + len(quote), quote, "A", "a.txt"),))


def marked(text: str, quote: str) -> str:
    return complete_or_mark(draft_of(text, quote), lambda _: text).quote


@pytest.mark.parametrize(
    ("text", "quote", "shown"),
    [
        (
            "The cap shall not exceed $5,000. It ends.",
            "The cap shall not exceed",
            "The cap shall not exceed $5,000.",
        ),
        ("Caps shall not\nexceed five.\n\nNext.", "Caps shall not", "Caps shall not exceed five."),
        (f"The price is{LONG}.", "The price is", "The price is \u2026"),
        ("The cap shall not exceed", "The cap shall not exceed", "The cap shall not exceed \u2026"),
        ("The fee is due, and interest runs.", "interest runs.", "\u2026 interest runs."),
    ],
)
def test_a_cut_sentence_is_completed_or_marked(text: str, quote: str, shown: str) -> None:
    assert marked(text, quote) == shown


@pytest.mark.parametrize(
    ("text", "quote"),
    [
        ("The fee is due. It is USD 5.", "The fee is due."),
        ("PRICE\nThe fee is due.", "PRICE"),
        ("Price | 5 |\nNext | 6 |", "Price | 5 |"),
        ("name: Acme | due: 2023-04-01\nname: Beta | due: 2022-01-02", "name: Acme | due: 2023-04-01"),
        ("- first item\n- second item", "- first item"),
        ("Power 330 W\nModule efficiency 20 %", "Power 330 W"),
        ("Title of it\n\nmore text", "Title of it"),
    ],
)
def test_whole_sentences_headings_items_and_rows_stay(text: str, quote: str) -> None:
    assert marked(text, quote) == " ".join(quote.split())


def test_the_citation_quotes_the_page_still() -> None:
    text = "The liability shall not exceed $5,000. It ends."
    (span,) = complete_or_mark(draft_of(text, "The liability shall not exceed"), lambda _: text).spans
    assert text[span.start : span.end] == span.quote


@pytest.mark.parametrize(
    ("mark", "note", "is_told"),
    [
        ("¹", "1 Without fuel.", True),
        ("¹", "¹ Without fuel.", True),
        ("¹", "2 Without fuel.", False),
        ("", "1 a", False),
    ],
)
def test_a_note_whose_mark_stands_in_a_quote_goes_with_it(mark: str, note: str, is_told: bool) -> None:
    text, first = f"A trip costs $90{mark}\n{note}", f"A trip costs $90{mark}"
    quote, whole = draft_of(text, first).spans[0], scored(text)
    quote = replace(quote, source=whole.candidate.stored.source)
    found = with_notes(quote, [whole])
    assert [each.quote for each in found] == [first, *([note] if is_told else [])]
    assert all(text[each.start : each.end] == each.quote for each in found)


def test_a_page_that_is_gone_changes_nothing() -> None:
    draft = draft_of("The liability shall not exceed", "The liability")
    assert complete_or_mark(draft, lambda _: None) is draft
    assert complete_or_mark(Draft(()), lambda _: None) == Draft(())
