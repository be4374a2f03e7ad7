"""What kind of document it is."""

from __future__ import annotations

import pytest

from core.config.schema_store import shipped_schemas
from core.extract.recognise import recognise
from tests.support.document_text import document_text

_SCHEMAS = list(shipped_schemas().values())


@pytest.mark.parametrize(
    ("text", "title", "kind"),
    [
        (
            "This Lease is entered into by and between A Inc. and B LLC. The parties agree.",
            "Lease",
            "contracts",
        ),
        (
            "This Agreement is made today. Invoices are payable within 60 days of the date of the invoice.\n"
            "Vendor and customer agree on GBP 5,000 in total.",
            "Framework Agreement",
            "contracts",
        ),
        ("RECEIPT\nReceipt number: 7\nSold to: B LLC\nTotal paid: $5.00", "Receipt 7", "invoices"),
        ("Rated power 60 kW\nWeight 74 kg\nDegree of protection IP54", "IQ-60 Datasheet", "datasheets"),
        ("This is to certify that X fulfils the requirements of ISO 9001.", "Certificate", "certificates"),
        ("Maintenance every month. Warning: do not open.", "Maintenance Manual", "manuals"),
        ("Called to order at 7 pm\nMembers present: Ann\nQuorum met? Yes", "Meeting of May", "minutes"),
        ("# Mail down\n\n## Timeline\n\n## Root cause\n\n## Action items", "Mail down", "incidents"),
        ("Policy Number: P-7\nLast revised: May 3, 2023\n1. Purpose", "Travel Policy", "policies"),
        ("SECURITIES AND EXCHANGE COMMISSION\nFORM 10-K\nCommission file number 1-77", "Acme", "filings"),
        ("Budget ordinance\nFiscal year 2025\nTotal expenditures $5.00", "Proposed Budget", "budgets"),
        ("Rechnung\nRechnungsnummer: 7\nRechnungsdatum: 7. Mai 2014\nGesamtbetrag 5,00 EUR", "7", "invoices"),
        ("Facture n\u00b0 7\nDate de facture : 7 mai 2014\nTotal TTC : 5,00 \u20ac", "7", "invoices"),
        ("Factuur\nFactuurnummer: 7\nFactuurdatum: 7 mei 2014\nTotaal \u20ac 5,00", "7", "invoices"),
        (
            "Factura\nN\u00famero de factura: 7\nBase imponible 4,00\nImporte total 5,00 \u20ac",
            "7",
            "invoices",
        ),
    ],
)
def test_a_document_is_known_by_its_words(text: str, title: str, kind: str) -> None:
    assert recognise(document_text(text, title=title), _SCHEMAS).schema == kind


@pytest.mark.parametrize("text", ["", "The whale is the largest animal that ever lived.", "A film of 1994."])
def test_what_is_not_sure_is_generic(text: str) -> None:
    assert recognise(document_text(text, title="Notes"), _SCHEMAS).schema == "generic"


def test_a_page_that_no_other_kind_claims_is_a_web_page() -> None:
    page = document_text("The whale is the largest animal.", title="Whales", media_type="text/html")
    assert recognise(page, _SCHEMAS).schema == "pages"
    without = [schema for schema in _SCHEMAS if schema.name != "pages"]
    assert recognise(page, without).schema == "generic"


def test_a_contract_as_html_is_a_contract() -> None:
    text = "This Lease is entered into by and between A Inc. and B LLC. The parties agree."
    page = document_text(text, title="Lease", source="lease.html", media_type="text/html")
    assert recognise(page, _SCHEMAS).schema == "contracts"


def test_a_page_of_a_site_is_claimed_by_more_words_only() -> None:
    text = "Maintenance of a database: this guide says what to do."
    title, kind = "Routine tasks", "text/html"
    on_disk = document_text(text, title=title, source="a.html", media_type=kind)
    on_site = document_text(text, title=title, source="https://acme.example/a.html", media_type=kind)
    assert recognise(on_disk, _SCHEMAS).schema == "manuals"
    assert recognise(on_site, _SCHEMAS).schema == "pages"
