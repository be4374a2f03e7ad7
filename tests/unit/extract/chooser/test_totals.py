"""Amounts that may be the total of a receipt."""

from __future__ import annotations

from core.extract.chooser.totals import total_options
from tests.support.document_text import document_text


def test_every_amount_of_a_receipt_is_a_candidate() -> None:
    found = total_options(
        document_text("SHOP SDN BHD\nTea 4.50\nRice 6.00\nTotal: 10.50\nCash 20.00\nChange 9.50")
    )

    assert {"10.50", "10.5"} & {each.value.text for each in found}
    assert max(found, key=lambda each: each.rule).value.text.startswith("10.5")


def test_a_text_without_amounts_has_none() -> None:
    assert total_options(document_text("Thank you")) == []
