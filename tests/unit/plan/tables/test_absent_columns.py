"""What spreadsheets alone do not say."""

from __future__ import annotations

from core.plan.catalogue import DocumentEntry, KnownCatalogue
from core.plan.tables.absent_columns import are_sheets, holds_sheets_alone, without_column
from tests.support.table_catalogue import CUSTOMERS, catalogue

PAPER = DocumentEntry("p1", "Lease", "lease.pdf", "default")


def test_the_columns_that_there_are_are_named() -> None:
    found = without_column("How heavy is it?", catalogue("d1"), ())
    assert found.type == "absent"
    assert "Customers: Customer ID, Name, City" in found.reason


def test_a_collection_with_papers_is_no_collection_of_sheets() -> None:
    mixed = KnownCatalogue("mixed", documents=(*catalogue("d1").documents, PAPER), tables=(CUSTOMERS,))
    assert holds_sheets_alone(catalogue("d1"), ())
    assert not holds_sheets_alone(mixed, ())
    assert not are_sheets([PAPER])


def test_sheets_of_another_bucket_do_not_count() -> None:
    assert not holds_sheets_alone(catalogue("d1"), ("elsewhere",))
