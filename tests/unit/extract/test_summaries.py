"""Summaries made of a document's own sentences."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from core.config.schema_store import shipped_schemas
from core.domain.document import PAGE_DETAILS, Page
from core.domain.evidence.sentence_vectors import SentenceVectors
from core.domain.fields import CellStatus, Extraction, FieldType, Finding, Summary, SummaryKind, TypedValue
from core.extract.base import DocumentText
from core.extract.extractor import Extractor
from core.extract.summaries import MAX_SENTENCES, summaries_of
from tests.support.document_text import document_text

CONTRACTS = shipped_schemas()["contracts"]
_PURPOSE = "Acme wishes to engage Beta Ltd to paint the bridges of the county of Kent."
_LAW = "This Agreement shall be governed by the laws of the State of New York."
_UNCAPPED = "Nothing in this Agreement limits the liability of either party for a breach of confidence."
_FEE = "The Customer shall pay an annual fee of $12,500 within thirty days of each invoice."
_FILLER = "The weather in the county is pleasant in the summer and cold in the winter months."
_TEXT = (
    f"PAINTING AGREEMENT\n\n{_PURPOSE}\n\n{_FILLER}\n\n{_LAW}\n\n{_UNCAPPED}\n\n{_FEE}\n\n"
    "Fees .................... 12\n"
)


def _present(document: DocumentText, quote: str, kind: FieldType, text: str) -> Finding:
    start = document.text.index(quote)
    value = TypedValue(kind, text, original=quote)
    spans = (document.quote(start, start + len(quote)),)
    return Finding(CellStatus.PRESENT, (value,), spans, 0.95, "rule")


def _findings(document: DocumentText) -> dict[str, Finding]:
    return {
        "parties": _present(document, "Beta Ltd", FieldType.PARTY, "Beta Ltd"),
        "governing_law": _present(document, "New York", FieldType.TEXT, "New York"),
        "uncapped_liability": _present(document, _UNCAPPED, FieldType.BOOLEAN, "true"),
        "annual_fee": _present(document, "$12,500", FieldType.MONEY, "12500.00"),
    }


def _made() -> dict[SummaryKind, Summary]:
    document = document_text(_TEXT)
    return {each.kind: each for each in summaries_of(document, CONTRACTS, _findings(document))}


def _quotes(summary: Summary) -> list[str]:
    return [each.quote for each in summary.sentences]


def test_a_summary_for_lawyers_holds_the_sentences_of_legal_clauses() -> None:
    assert _quotes(_made()[SummaryKind.LEGAL])[:2] == [_LAW, _UNCAPPED]


def test_a_financial_summary_holds_the_sentence_of_an_amount_and_no_table_of_contents() -> None:
    assert _quotes(_made()[SummaryKind.FINANCIAL]) == [_FEE]


def test_an_executive_summary_begins_with_what_the_document_is_for() -> None:
    assert _quotes(_made()[SummaryKind.EXECUTIVE])[0] == _PURPOSE


def test_an_executive_summary_is_no_longer_than_promised() -> None:
    assert len(_made()[SummaryKind.EXECUTIVE].sentences) <= MAX_SENTENCES[SummaryKind.EXECUTIVE]


def test_parties_are_the_key_entities() -> None:
    assert _made()[SummaryKind.EXECUTIVE].entities == ("Beta Ltd",)


def test_sentences_of_pressing_clauses_are_key_risks() -> None:
    assert [each.quote for each in _made()[SummaryKind.LEGAL].risks] == [_UNCAPPED]


def test_every_sentence_stands_on_its_page_where_it_says() -> None:
    document = document_text(_TEXT, f"{_FEE}\n\n{_LAW}")
    findings = _findings(document)
    found = [quote for each in summaries_of(document, CONTRACTS, findings) for quote in each.sentences]
    pages = {page.page_no: page.text for page in document.pages}
    assert found
    assert all(each.quote == pages[each.span.page_no][each.span.start : each.span.end] for each in found)


def test_the_same_sentence_on_two_pages_is_told_once() -> None:
    document = document_text(f"{_FEE}\n\n{_FILLER}", f"{_FEE}\n\n{_FILLER}")
    made = {each.kind: each for each in summaries_of(document, CONTRACTS, {})}
    assert _quotes(made[SummaryKind.FINANCIAL]) == [_FEE]


def test_a_sentence_near_to_the_whole_document_is_worth_more() -> None:
    near = "The committee met on Tuesday evening in the old town hall of Whitby."
    far = "Her cousin has lived for many years in a small house by the sea."
    text = f"{far}\n\n{near}"
    places = np.array([[1, 0, len(far)], [1, len(far) + 2, len(text)]], np.int64)
    vectors = SentenceVectors(places, np.array([[0.0, 1.0], [1.0, 0.0]], np.float32))
    central = SentenceVectors(
        np.vstack([places, [[2, 0, 5]]]), np.vstack([vectors.matrix, [[1.0, 0.0]]]).astype(np.float32)
    )
    document = document_text(text, "Minutes")
    only = summaries_of(document, CONTRACTS, {}, central)
    assert near in [each.quote for each in only[0].sentences]


def test_a_document_without_sentences_has_no_summary() -> None:
    assert summaries_of(document_text("12 34 56\n78 90"), CONTRACTS, {}) == ()


def test_extraction_of_all_fields_brings_summaries_and_of_some_fields_none() -> None:
    extractor, document = Extractor(None, {}), document_text(_TEXT)
    whole: Extraction = extractor.extract(document, CONTRACTS)
    part = extractor.extract(document, CONTRACTS, fields=["annual_fee"])
    assert (bool(whole.summaries), part.summaries) == (True, ())


def test_what_a_page_declares_about_itself_is_in_no_summary() -> None:
    declared = "Publisher: Acme sells valves and pumps of many kinds to the towns of the county for $12,500"
    pages = (Page(1, f"{_PURPOSE}\n\n{_FILLER}"), Page(2, declared, label=PAGE_DETAILS))
    document = replace(document_text(_TEXT), pages=pages)
    findings = {"parties": _present(document, "Acme sells valves", FieldType.PARTY, "Acme")}
    quotes = [quote for each in summaries_of(document, CONTRACTS, findings) for quote in _quotes(each)]
    assert quotes
    assert not any("Publisher" in quote or "valves" in quote for quote in quotes)
