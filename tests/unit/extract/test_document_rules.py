"""What a document calls itself, of what kind it is, and what it is about."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.domain.fields import CellStatus, Finding
from core.extract.document_rules import (
    RULES,
    all_dates,
    contract_kind,
    document_name,
    invoice_kind,
    product_model,
    purchase_category,
)
from core.extract.tables import read_rows
from tests.support.document_text import document_text


def _text(finding: Finding) -> str:
    assert finding.status is CellStatus.PRESENT, finding
    return finding.values[0].text


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Exhibit 10.1\n\nSUPPLY AGREEMENT\n\nThis Supply Agreement is made", "SUPPLY AGREEMENT"),
        ("Confidential\nthis Warehouse Lease Agreement (the Lease) binds", "Warehouse Lease Agreement"),
        ("AMENDMENT NO. 2 TO SERVICES AGREEMENT\n\nmade as of", "AMENDMENT NO. 2 TO SERVICES AGREEMENT"),
    ],
)
def test_a_contract_calls_itself_by_its_title(text: str, name: str) -> None:
    finding = document_name(document_text(text))

    assert _text(finding) == name
    assert finding.spans[0].quote == name


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("SUPPLY AGREEMENT\n\nmade by A and B", "agreement"),
        ("AMENDMENT NO. 2 TO SERVICES AGREEMENT\n\nmade by A and B", "amendment"),
        ("AMENDED AND RESTATED CREDIT AGREEMENT\n\nmade by A and B", "agreement"),
        ("Contract Liability Policy\n\nThis policy sets limits", "policy"),
        ("Minutes of a meeting\n\nThose who came", "other"),
        (
            "Exhibit 9 of many words THIS AGREEMENT is made on May 5, 2020 by and between A and B.",
            "agreement",
        ),
        ("Exhibit 9 of many words This first amendment is dated May 5, 2020.", "amendment"),
    ],
)
def test_a_contract_is_of_the_kind_that_its_name_says(text: str, kind: str) -> None:
    assert _text(contract_kind(document_text(text))) == kind


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("INVOICE 7\nPurchase order: NU-1", "invoice"),
        ("RECEIPT\nTotal paid: $5.00", "receipt"),
        ("Order confirmation NU-1\nDear Sam", "order"),
        ("CREDIT NOTE 4\nfor invoice 7", "credit_note"),
    ],
)
def test_an_invoice_is_of_the_kind_that_comes_first(text: str, kind: str) -> None:
    assert _text(invoice_kind(document_text(text))) == kind


def test_a_sheet_of_many_is_a_register() -> None:
    text = "invoice | amount\ninvoice: 1 | amount: 5\ninvoice: 2 | amount: 6\n"
    document = document_text(text, media_type="text/csv")

    assert _text(invoice_kind(replace(document, rows=tuple(read_rows(document)[0])))) == "register"


def test_a_manual_is_of_the_kind_of_its_title() -> None:
    assert (
        _text(RULES["manual_kind"](document_text("Battery Cabinet Maintenance Manual\nSafety first.")))
        == "maintenance"
    )


def test_a_model_is_read_from_the_title_and_no_standard_is() -> None:
    text = "AlphaSolar AS-330 Photovoltaic Module\nby ISO 9001"

    assert _text(product_model(document_text(text, title=text.splitlines()[0]))) == "AS-330"
    assert product_model(document_text("ISO 9001", title="ISO 9001")).status is CellStatus.ABSENT


def test_the_goods_tell_the_category_and_the_buyer_does_not() -> None:
    text = "Sold to: Northwind, fleet department\nItem | Amount\nTask chair | $5.00\nDesk | $6.00\n"
    document = document_text(text)
    document = replace(document, rows=tuple(read_rows(document)[0]))

    assert _text(purchase_category(document)) == "office"


def test_goods_of_two_kinds_are_uncertain() -> None:
    assert purchase_category(document_text("Tires and diesel")).status is CellStatus.UNCERTAIN


def test_all_dates_and_amounts_are_listed_once_with_their_spans() -> None:
    document = document_text(
        "May 1, 2024: $5.00.", "On May 1, 2024 and June 2, 2024 again $5.00 and EUR 7.00."
    )

    dates, amounts = all_dates(document), RULES["all_amounts"](document)

    assert [value.text for value in dates.values] == ["2024-05-01", "2024-06-02"]
    assert [quote.span.page_no for quote in dates.spans] == [1, 2]
    assert [(value.text, value.unit) for value in amounts.values] == [("5.00", "USD"), ("7.00", "EUR")]
