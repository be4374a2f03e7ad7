"""What a document is, between whom, and when."""

from __future__ import annotations

import pytest

from core.domain.fields import CellStatus, FamilyMarks, Finding, Identity, IdentityPart
from core.extract.base import DocumentText
from core.extract.document_rules import document_name, invoice_kind
from core.extract.identity import family_marks, identity_of
from core.extract.values.agreement import agreement_date, amendment_of
from core.extract.values.receipts import customer, invoice_date, invoice_number, vendor
from tests.support.document_text import document_text

OPENING = (
    'This {kind} (the "Agreement") is made as of March 9, 2024 by and between ACME Corporation, a Delaware '
    'corporation ("ACME"), and Beta Works GmbH, a German company ("Supplier").\n\nWHEREAS the parties agree'
)


def _contract(document: DocumentText) -> Identity:
    found: dict[str, Finding] = {
        "parties": Finding(CellStatus.ABSENT),
        "document_name": document_name(document),
        "agreement_date": agreement_date(document),
        "amendment_of": amendment_of(document),
    }
    return identity_of(document, found)


def test_a_contract_is_named_by_kind_parties_and_month() -> None:
    text = "SUPPLY AGREEMENT\n\n" + OPENING.format(kind="Supply Agreement")

    found = _contract(document_text(text, title="[LOGO]"))

    assert found.name == "Supply Agreement · ACME / Beta Works · Mar 2024"
    assert [each.whole for each in found.parties] == ["ACME Corporation", "Beta Works GmbH"]
    assert found.day.text == "2024-03-09"
    assert found.parties[0].quotes[0].quote == "ACME Corporation"


def test_an_amendment_says_what_it_amends() -> None:
    text = "AMENDMENT NO. 2\nTO\nSUPPLY AGREEMENT\n\n" + OPENING.format(kind="Amendment No. 2")

    assert _contract(document_text(text)).name.startswith("Amendment No. 2 to Supply Agreement · ACME / Beta")


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("MUTUAL NDA\n\nThe undersigned keeps all secrets.", ""),
        ("____ day of ____ 20__\n\nSERVICES AGREEMENT\n\nbetween [***] and [***]", "Services Agreement"),
        ("Exhibit 10.1\n\nSERVICES AGREEMENT\n\nThe parties agree.", "Services Agreement"),
    ],
)
def test_without_parties_or_day_the_rest_stands(text: str, name: str) -> None:
    found = _contract(document_text(text, title="NDA", source="nda.txt"))

    assert found.name.startswith(name or "NDA")
    assert " / " not in found.name


def test_many_parties_are_counted() -> None:
    names = [f'{word} Corporation ("{word}")' for word in ("Alder", "Birch", "Cedar", "Douglas", "Elm")]
    text = "LEASE AGREEMENT\n\nThis Lease is made by and among " + ", and ".join(names) + ".\n\nWHEREAS"

    assert "Alder / Birch + " in _contract(document_text(text)).name


def test_a_bare_heading_gives_way_to_the_name_of_the_file() -> None:
    text = "AGREEMENT\n\n" + OPENING.format(kind="Agreement")

    found = _contract(document_text(text, source="ACME_03_09_2024-EX-10.1-DISTRIBUTOR_AGREEMENT.txt"))

    assert found.name.startswith("Distributor Agreement · ACME")


def test_an_invoice_is_named_by_its_number_and_sides() -> None:
    text = "Gamma Builders Inc.\nINVOICE\nInvoice No: 4711\nDate: 2024-11-02\nBill to: City of Fairhaven"
    document = document_text(text, title="scan0001")
    found = identity_of(
        document,
        {
            "document_kind": invoice_kind(document),
            "invoice_number": invoice_number(document),
            "invoice_date": invoice_date(document),
            "vendor": vendor(document),
            "customer": customer(document),
        },
    )

    assert found.name.startswith("Invoice 4711 · Gamma Builders")
    assert found.name.endswith("Nov 2024")


def test_a_sentence_is_no_side_of_an_invoice() -> None:
    text = document_text("Invoice 4410\n\nTotal EUR 90.00 due 2 May 2025. From Voss GmbH.", title="Invoice")
    sides = {"vendor": vendor(text), "customer": customer(text)}
    found = {"invoice_number": invoice_number(text), "document_kind": invoice_kind(text), **sides}
    assert "Total" not in identity_of(text, found).name


def test_a_heading_that_ends_with_a_name_does_not_double_it() -> None:
    text = "Hire Contract Marlow\n\nMarlow Hoists Ltd hires out one hoist to Sandpiper Works plc."
    name = _contract(document_text(text, title="Hire Contract Marlow")).name
    assert "Marlow Marlow" not in name
    assert "Marlow Hoists" in name


@pytest.mark.parametrize(
    ("title", "source", "name"),
    [
        ("FLEET TIRE GUIDE", "x.txt", "Fleet Tire Guide"),
        ("invoice-register-2024", "invoice-register-2024.csv", "Invoice register 2024"),
        ("[LOGO]", "site_safety_manual.pdf", "site safety manual"),
    ],
)
def test_other_documents_keep_a_title_that_tells(title: str, source: str, name: str) -> None:
    found = identity_of(
        document_text("Check the tire of the fleet. Read this.", title=title, source=source), {}
    )

    assert found.name.casefold() == name.casefold()


@pytest.mark.parametrize("title", ["pg_dump", "CREATE TABLE AS", "25.1. Routine Vacuuming"])
def test_a_web_page_is_called_as_its_site_writes_it(title: str) -> None:
    found = identity_of(document_text("Some text.", title=title, source="http://docs.example/x.html"), {})

    assert found.name == title


@pytest.mark.parametrize("text", ["", " \n ", "\f", "§", "a" * 5_000, "AGREEMENT " * 500, "(((((" * 500])
def test_any_text_has_a_name(text: str) -> None:
    assert _contract(document_text(text, title="t.txt")).name


def test_a_party_that_is_left_blank_is_not_named_nor_guessed() -> None:
    text = (
        'DISTRIBUTOR AGREEMENT\n\nThis Agreement is made by and between Acme Widgets LLC ("Company") and '
        'XXXXXXXXXXXXXXX ("Distributor").\n\nWHEREAS Quarry Harbour Holdings supplies both'
    )

    assert _contract(document_text(text)).name == "Distributor Agreement · Acme Widgets"


def test_homes_rules_and_authorities_are_no_parties() -> None:
    text = (
        "STRATEGIC ALLIANCE AGREEMENT\n\nAcme Widgets, Inc. (a Nevada Corporation)\n\nRule 13d-1 of the "
        "Securities and Exchange Commission applies. The Annual Meeting is the annual meeting."
    )

    assert _contract(document_text(text)).name == "Strategic Alliance Agreement · Acme Widgets"


def test_an_amendment_has_its_own_title_and_the_words_that_name_its_agreement() -> None:
    text = "AMENDMENT NO. 2\n\nThis is Amendment No. 2 to the Supply Agreement dated March 9, 2024."
    identity = Identity("", IdentityPart("Amendment No. 2"), day=IdentityPart("2024-06-01"))

    marks = family_marks(document_text("First page.", text), identity)

    assert (marks.title, marks.day) == ("amendment 2", "2024-06-01")
    (found,) = marks.references
    assert (found.kinship, found.title, found.day) == ("amends", "supply agreement", "2024-03-09")
    assert (found.quote.span.page_no, found.quote.quote) == (
        2,
        "Amendment No. 2 to the Supply Agreement dated March 9, 2024",
    )


def test_an_empty_document_has_no_marks_to_go_by() -> None:
    assert family_marks(document_text(""), Identity("")) == FamilyMarks("", "")


def test_a_sheet_is_called_as_its_file_whatever_its_cells_say() -> None:
    text = "Margin Order\n\nThis Agreement is between Voss GmbH and Marlow Ltd, dated 2 May 2025."
    sheet = document_text(text, title="Orders Q2", source="Orders Q2.csv", media_type="text/csv")

    assert identity_of(sheet, {"parties": Finding(CellStatus.UNCERTAIN)}).name == "Orders Q2"
