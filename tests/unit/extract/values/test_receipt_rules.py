"""Rules of invoices and receipts, on text as OCR and layouts give it."""

from __future__ import annotations

import pytest

from core.domain.document import Page
from core.domain.fields import CellStatus, Finding
from core.domain.ids import DocumentId
from core.extract.base import DocumentText
from core.extract.values.receipts import amounts_in, currency_in
from core.extract.values.rules import RULES

RECEIPT = """TAN
KEDAI BUKU MAJU
SDN BHD
789417-W
NO.53 & 55, JALAN SAGU 18,
TAMAN DAYA, 81100 JOHOR BAHRU, JOHOR.
TEL : 07-1234567
DOCUMENT NO : TD01167104
DATE:  03/04/2018 8:13:39 PM
MODELLING CLAY  9.000  0.00  9.00
SUBTOTAL:  9.00
TOTAL QTY:  1.00
GST AMOUNT:  0.54
ROUNDED TOTAL (RM):  9.55
CASH:  10.00
CHANGE:  0.45
"""

INVOICE = """INVOICE
From: Borealis Foods Ltd.
Bill to: Acme Widgets, Inc.
Invoice No: INV-2024-0117
Invoice date: January 17, 2024
Due date: February 16, 2024
Terms: Net 30
Subtotal
$1,000.00
Sales tax  $82.50
Amount due  $1,082.50
"""


def find(rule: str, text: str) -> Finding:
    page = Page(1, text)
    return RULES[rule](
        DocumentText(DocumentId("d1"), 1, "b", "t", "t.txt", "receipt", "text/plain", "en", (page,))
    )


def said(rule: str, text: str) -> tuple[str, str]:
    found = find(rule, text)
    assert found.status is CellStatus.PRESENT, found
    return found.values[0].text, found.values[0].unit


def test_a_receipt_states_seller_date_and_total() -> None:
    assert said("vendor", RECEIPT)[0] == "KEDAI BUKU MAJU SDN BHD"
    assert said("total", RECEIPT) == ("9.55", "MYR")
    assert said("subtotal", RECEIPT) == ("9.00", "MYR")
    assert said("tax", RECEIPT) == ("0.54", "MYR")
    assert said("invoice_number", RECEIPT)[0] == "TD01167104"


def test_where_a_receipt_is_from_decides_its_date_and_is_said() -> None:
    found = find("invoice_date", RECEIPT)
    assert found.values[0].text == "2018-04-03"
    assert "day comes first" in found.note


def test_an_invoice_states_both_sides_date_and_total() -> None:
    assert said("vendor", INVOICE)[0] == "Borealis Foods Ltd."
    assert said("customer", INVOICE)[0] == "Acme Widgets, Inc."
    assert said("invoice_number", INVOICE)[0] == "INV-2024-0117"
    assert said("invoice_date", INVOICE)[0] == "2024-01-17"
    assert said("payment_terms", INVOICE)[0] == "P30D"
    assert said("total", INVOICE) == ("1082.50", "USD")


def test_an_amount_below_its_key_is_found() -> None:
    assert said("subtotal", INVOICE) == ("1000.00", "USD")


def test_a_receipt_without_a_total_has_none() -> None:
    assert find("total", "KEDAI BUKU MAJU\nTHANK YOU").status is CellStatus.ABSENT


def test_change_that_is_printed_with_a_minus_is_still_taken_off_the_cash() -> None:
    assert said("total", "SHOP\nTOTAL RM 49.40\nCASH 50.00\nCHANGE -0.60\n") == ("49.40", "MYR")


@pytest.mark.parametrize(
    ("line", "text", "unit"),
    [
        ("Total due: CHF 12\u2019345.60", "12345.60", "CHF"),
        ("Total due: CHF 8'765'432.10", "8765432.10", "CHF"),
        ("Total due: CHF 640.25", "640.25", "CHF"),
        ("Total due: NOK 7\u202f654,30", "7654.30", "NOK"),
        ("Total due: INR 23,45,678.00", "2345678.00", "INR"),
        ("Total due: USD 2,340.00-", "-2340.00", "USD"),
    ],
)
def test_an_amount_is_read_whole_with_its_currency(line: str, text: str, unit: str) -> None:
    found = amounts_in(line, 0, len(line), currency_in(line))
    assert [(each.value.text, each.value.unit) for each in found] == [(text, unit)]
    assert line[found[0].start : found[0].end].strip() == found[0].value.original


def test_parts_of_a_total_are_those_that_make_it() -> None:
    text = "Subtotal $ 112.00\nSubtotal $ 262.90\nTax 15% on $ 112.90 $ 16.94\nTotal $ 279.84\n"
    assert [said(name, text)[0] for name in ("subtotal", "tax")] == ["262.90", "16.94"]


def test_a_vendor_is_who_the_web_address_is_named_after() -> None:
    text = "Hill Ltd.\n9 Hill Road\nNordwind GmbH - Uferweg 4\nInvoice 7\nwww.nordwind.de\n"
    assert said("vendor", text)[0] == "Nordwind GmbH"
