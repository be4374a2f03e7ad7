"""Contacts and products in the text of a web page."""

from __future__ import annotations

import pytest

from core.domain.document import HTML, PAGE_DETAILS, Heading, Page
from core.domain.fields import TypedValue
from core.domain.ids import DocumentId
from core.extract.base import DocumentText
from core.extract.decision import TextReading
from core.extract.values.page_text import SURE, UNSURE, contacts_in, products_in

SPECIFIED = "Specifications: the weight is 3 kg."


def page(text: str, heading: str = "") -> DocumentText:
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
    document = page(text)
    assert read(document, contacts_in(document)) == contacts


def test_on_a_contact_page_every_address_is_a_contact() -> None:
    document = page("Acme Ltd.\nada@acme.io\nAddress: 12 Dock Road, London", "Contact us")
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
    document = page(text, heading)
    assert read(document, products_in(document)) == products
