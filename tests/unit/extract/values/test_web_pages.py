"""What a web page says about itself."""

from __future__ import annotations

import pytest

from core.domain.document import HTML, PAGE_DETAILS, Heading, Page
from core.domain.fields import CellStatus, TypedValue
from core.domain.ids import DocumentId
from core.extract.base import DocumentText
from core.extract.decision import TextReading
from core.extract.values.web_pages import RULES, SURE, UNSURE, contacts_in, products_in

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
        (RULES["page_publisher"], ["Acme News"]),
        (RULES["page_published"], ["2024-05-06"]),
        (RULES["page_updated"], ["2025-03-04"]),
        (RULES["page_authors"], ["Ada Lovelace", "Grace Hopper"]),
        (RULES["page_contact"], ["docs@acme.example"]),
        (RULES["page_products"], ["IQ-60", "Solis"]),
    ):
        finding = rule(document)
        assert finding.status is CellStatus.PRESENT
        assert [value.text for value in finding.values] == values
        assert [(quote.span.page_no, quote.quote) for quote in finding.spans] == [
            (2, text) for text in values
        ]


def test_what_is_not_declared_is_absent() -> None:
    document = page("Published: 2024-05-06 by the press office.")
    rules = (
        RULES["page_publisher"],
        RULES["page_published"],
        RULES["page_updated"],
        RULES["page_authors"],
        RULES["page_contact"],
        RULES["page_products"],
    )
    assert {rule(document).status for rule in rules} == {CellStatus.ABSENT}


def test_a_line_below_the_title_names_the_author() -> None:
    finding = RULES["page_authors"](page("On pumps\n\nBy Ada Lovelace and Grace Hopper\n\nPumps move water."))
    assert [value.text for value in finding.values] == ["Ada Lovelace", "Grace Hopper"]
    assert RULES["page_authors"](page("By default it is off.")).status is CellStatus.ABSENT


SPECIFIED = "Specifications: the weight is 3 kg."


def shown(text: str, heading: str = "") -> DocumentText:
    headings = (Heading(1, 0, len(heading), heading),) if heading else ()
    shown = Page(1, f"{heading}\n\n{text}" if heading else text, headings)
    pages = (shown, Page(2, "Publisher: sales@acme.io", label=PAGE_DETAILS))
    return DocumentText(DocumentId("d1"), 1, "", "Title", "a.html", "", HTML, "en", pages)


def read(document: DocumentText, readings: list[TextReading[TypedValue]]) -> list[tuple[str, float]]:
    return [(document.text[each.start : each.end], each.confidence) for each in readings]


@pytest.mark.parametrize(
    ("text", "contacts"),
    [
        ("Contact: sales@acme.io", [("sales@acme.io", SURE)]),
        ("Report bugs to bugs@acme.io.", [("bugs@acme.io", SURE)]),
        ("The user ada@acme.io has logged in.", [("ada@acme.io", UNSURE)]),
        ("Write to you@example.com", []),
        ("Tel.: +44 (0)20 7946 0123", [("+44 (0)20 7946 0123", SURE)]),
        ("Phone | 020 7946 0123", [("020 7946 0123", SURE)]),
        ("Call open() with 3 arguments.", []),
        ("Address: 12 Dock Road, London", [("12 Dock Road, London", UNSURE)]),
    ],
)
def test_contacts_are_read_from_their_words(text: str, contacts: list[tuple[str, float]]) -> None:
    document = shown(text)
    assert read(document, contacts_in(document)) == contacts


def test_on_a_contact_page_every_address_is_a_contact() -> None:
    document = shown("Acme Ltd.\nada@acme.io\nAddress: 12 Dock Road, London", "Contact us")
    assert read(document, contacts_in(document)) == [("ada@acme.io", SURE), ("12 Dock Road, London", SURE)]


@pytest.mark.parametrize(
    ("text", "heading", "products"),
    [
        ("Product: Solis", "", [("Solis", SURE)]),
        (
            "Model | Flow\nAF-31S | 3 l\nAF-31L | 9 l\n\nWords | of text",
            "",
            [("AF-31S", SURE), ("AF-31L", SURE)],
        ),
        ("Model | V-31\nWeight | 3 kg", "", [("V-31", SURE)]),
        (SPECIFIED, "AquaFlow V-31 gate valve", [("AquaFlow V-31 gate valve", SURE)]),
        (f"{SPECIFIED} Price on request.", "AquaFlow valve", [("AquaFlow valve", UNSURE)]),
        (SPECIFIED, "UTF-8 and RFC-1234", []),
        ("Words of no product.", "AquaFlow V-31 gate valve", []),
        ("Name | Type\nid | int", "", []),
    ],
)
def test_products_are_read_from_labels_tables_and_headings(
    text: str, heading: str, products: list[tuple[str, float]]
) -> None:
    document = shown(text, heading)
    assert read(document, products_in(document)) == products
