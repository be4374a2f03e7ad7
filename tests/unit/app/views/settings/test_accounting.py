"""The section of the page Settings on money and years."""

from __future__ import annotations

from app.views.settings.accounting import _said
from core.domain.annotation import Accounting


def test_what_holds_is_said_in_words() -> None:
    said = _said(Accounting("EUR", dated_by=("invoice_date",), fiscal_month=4))
    assert "| Base currency | EUR |" in said
    assert "from April" in said
    assert "nothing is converted" in _said(Accounting())
