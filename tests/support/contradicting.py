"""Two bills of one number whose totals differ, with their words, and a third that agrees with nobody."""

from __future__ import annotations

from core.domain.fields import Extraction, FieldType
from core.store.store import Records
from tests.support.stated_values import money, present, quote, text
from tests.support.versions import new_version


def bills(records: Records, bucket: str = "bills") -> None:
    """Publish them, each with its cells."""
    for source, number, amount in (
        ("one.txt", "A-1", "10"),
        ("two.txt", "A-1", "12"),
        ("three.txt", "A-2", "9"),
    ):
        page = f"Bill {number}: {amount} dollars"
        made = records.documents.publish(new_version(source, page, bucket=bucket, passages=0))
        findings = {
            "vendor": present(text("ACME", FieldType.PARTY)),
            "invoice_number": present(text(number)),
            "document_kind": present(text("invoice", FieldType.ENUM)),
            "total": present(money(amount), spans=(quote(page, f"{amount}"),)),
        }
        records.fields.put(made.document, made.version, Extraction("invoices", findings), "f")
