from __future__ import annotations

from dataclasses import replace

from core.answer.cite import Draft, Numbering, Verifier
from core.domain.ids import DocumentId
from core.search.evidence.base import Span
from core.store.database.visibility import Visibility
from tests.support.library import Library

TEXT = "The cap is 500. The fee is 20."


def _span(document: DocumentId, start: int, end: int) -> Span:
    return Span(document, 1, 1, start, end, TEXT[start:end], "Deal", "deal.txt")


def _failed(draft: Draft, library: Library, question: str = "") -> set[str]:
    checks = Verifier(library, Visibility.everything(), question).check(draft)
    return {check.name for check in checks if not check.ok}


def test_a_quote_that_stands_there_holds() -> None:
    library = Library()
    document = library.add("deal.txt", TEXT)
    assert _failed(Draft((_span(document, 0, 15),)), library) == set()


def test_a_quote_that_is_not_there_fails() -> None:
    library = Library()
    document = library.add("deal.txt", TEXT)
    assert "quote" in _failed(Draft((replace(_span(document, 0, 15), quote="The cap is 900."),)), library)


def test_an_offset_beside_the_quote_fails() -> None:
    library = Library()
    document = library.add("deal.txt", TEXT)
    assert _failed(Draft((replace(_span(document, 0, 15), start=1),)), library) == {"quote"}


def test_a_page_that_is_gone_fails() -> None:
    library = Library()
    document = library.add("deal.txt", TEXT)
    assert "quote" in _failed(Draft((replace(_span(document, 0, 15), page=9),)), library)


def test_a_claim_without_a_citation_fails() -> None:
    assert "quote" in _failed(Draft(()), Library())


def test_a_number_that_nothing_cited_states_fails() -> None:
    library = Library()
    document = library.add("deal.txt", TEXT)
    assert _failed(Draft((_span(document, 0, 15),), label="Model 77"), library) == {"numbers"}
    assert _failed(Draft((_span(document, 0, 15),), label="Model 77"), library, "Is it model 77?") == set()


def test_a_claim_of_markdown_is_shown_without_signs_and_cited_word_for_word() -> None:
    span = replace(_span(DocumentId("d"), 0, 15), quote="2. Rinse **40 seconds**.", source="rinse.md")
    claim = Numbering().claim(Draft((span,)), ())
    assert (claim.text, claim.citations[0].quote) == ("2. Rinse 40 seconds.", "2. Rinse **40 seconds**.")
    plain = Numbering().claim(Draft((replace(span, source="rinse.txt"),)), ())
    assert plain.text == "2. Rinse **40 seconds**."
