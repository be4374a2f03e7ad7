"""Who sells and who buys."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.domain.fields import CellStatus
from core.extract.sides import RULES, contract_customer, contract_vendor, receipt_vendor
from core.extract.tables import read_rows
from tests.support.document_text import document_text

_LEASE = (
    "LEASE AGREEMENT\n\nThis Lease Agreement is entered into as of May 1, 2020 by and between"
    ' Delta Properties LLC, a Delaware limited liability company ("Landlord"), and Prairie Foods, Inc.'
    ' ("Tenant"). The parties agree.'
)


def test_a_contract_says_the_sides_by_what_it_calls_its_parties() -> None:
    document = document_text(_LEASE)

    vendor, customer = contract_vendor(document), contract_customer(document)

    assert (vendor.status, vendor.values[0].text) == (CellStatus.PRESENT, "Delta Properties LLC")
    assert customer.values[0].text == "Prairie Foods, Inc."
    assert customer.spans[0].quote.startswith("Prairie Foods")


def test_parties_without_roles_are_candidates_for_both_sides() -> None:
    text = _LEASE.replace("Landlord", "Delta").replace("Tenant", "Prairie")

    finding = contract_vendor(document_text(text))

    assert finding.status is CellStatus.UNCERTAIN
    assert len(finding.candidates) == 2


def test_the_vendor_of_an_invoice_is_the_name_behind_its_title() -> None:
    text = "Invoice 10442 - ACME Corporation\nInvoice number: 10442\nBill to: Northwind Utilities LLC\n"

    finding = receipt_vendor(document_text(text, title="Invoice 10442 - ACME Corporation"))

    assert (finding.values[0].text, finding.spans[0].quote) == ("ACME Corporation", "ACME Corporation")


def test_the_buyer_of_a_receipt_is_not_its_vendor() -> None:
    text = "RECEIPT 7\n\nBig Sky Tires\nReceipt number: 7\nSold to: Northwind Utilities LLC\nTotal: $5.00\n"

    finding = receipt_vendor(document_text(text, title="Receipt 7 - Big Sky Tires"))

    assert finding.status is CellStatus.PRESENT
    assert finding.values[0].text == "Big Sky Tires"


def test_a_list_of_many_invoices_has_no_total_of_one() -> None:
    text = "invoice | total\ninvoice: 1 | total: $5.00\ninvoice: 2 | total: $6.00\n"
    document = document_text(text, media_type="text/csv")
    document = replace(document, rows=tuple(read_rows(document)[0]))

    finding = RULES["receipt_total"](document)

    assert finding.status is CellStatus.ABSENT
    assert "its rows" in finding.note


@pytest.mark.parametrize("name", ["Address: Suite 2512", "Prairie (North)"])
def test_a_line_of_an_address_or_a_name_cut_short_is_no_side(name: str) -> None:
    finding = contract_customer(document_text(_LEASE.replace("Prairie Foods, Inc.", name)))

    assert finding.status is not CellStatus.PRESENT
