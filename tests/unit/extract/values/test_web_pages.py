"""What a web page says about itself."""

from __future__ import annotations

from core.domain.document import HTML, PAGE_DETAILS, Page
from core.domain.fields import CellStatus
from core.domain.ids import DocumentId
from core.extract.base import DocumentText
from core.extract.values.web_pages import (
    page_authors,
    page_contact,
    page_products,
    page_published,
    page_publisher,
    page_updated,
)

DETAILS = """Publisher: Acme News
Published: 2024-05-06
Updated: 2025-03-04
Author: Ada Lovelace; Grace Hopper
Contact: docs@acme.example
Products: IQ-60; Solis"""


def page(text: str, details: str = "") -> DocumentText:
    pages = (Page(1, text), *([Page(2, details, label=PAGE_DETAILS)] if details else []))
    return DocumentText(DocumentId("d1"), 1, "", "Title", "a.html", "", HTML, "en", pages)


def test_each_fact_is_read_from_its_line_and_cites_it() -> None:
    document = page("Author: Somebody Else\nUpdated: 1999-01-01", DETAILS)
    for rule, values in (
        (page_publisher, ["Acme News"]),
        (page_published, ["2024-05-06"]),
        (page_updated, ["2025-03-04"]),
        (page_authors, ["Ada Lovelace", "Grace Hopper"]),
        (page_contact, ["docs@acme.example"]),
        (page_products, ["IQ-60", "Solis"]),
    ):
        finding = rule(document)
        assert finding.status is CellStatus.PRESENT
        assert [value.text for value in finding.values] == values
        assert [(quote.span.page_no, quote.quote) for quote in finding.spans] == [
            (2, text) for text in values
        ]


def test_what_is_not_declared_is_absent() -> None:
    document = page("Published: 2024-05-06 by the press office.")
    rules = (page_publisher, page_published, page_updated, page_authors, page_contact, page_products)
    assert {rule(document).status for rule in rules} == {CellStatus.ABSENT}


def test_a_line_below_the_title_names_the_author() -> None:
    finding = page_authors(page("On pumps\n\nBy Ada Lovelace and Grace Hopper\n\nPumps move water."))
    assert [value.text for value in finding.values] == ["Ada Lovelace", "Grace Hopper"]
    assert page_authors(page("By default it is off.")).status is CellStatus.ABSENT
