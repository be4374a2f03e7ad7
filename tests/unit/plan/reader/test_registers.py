"""Registers, of whose rows is asked what is asked of papers elsewhere."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

from bench.reader.marks import reading_of as marked
from core.domain.fields import FieldType
from core.plan.catalogue import ColumnEntry, DocumentEntry, TableEntry, TablePart
from core.plan.reader.registers import register_of
from core.plan.reader.to_reading import reading_of
from core.plan.reading import Function, Operation, Reading
from tests.support.known_collection import known_collection

REGISTER = DocumentEntry("r1", "Invoice register 2024", "register.csv", "", schema="invoices")
LINES = DocumentEntry("r2", "Invoice 88", "invoice-88.pdf", "", schema="invoices")
COLUMNS = (
    ColumnEntry("date", FieldType.DATE),
    ColumnEntry("supplier", FieldType.TEXT, texts=("Halden Corporation", "Brightwater LLC")),
    ColumnEntry("category", FieldType.TEXT, texts=("fleet", "services")),
    ColumnEntry("amount_usd", FieldType.MONEY, "USD"),
)
OF_LINES = (ColumnEntry("Item", FieldType.TEXT), ColumnEntry("Amount", FieldType.MONEY, "USD"))
KNOWN = replace(
    known_collection(),
    fingerprint="registers",
    documents=(REGISTER, LINES),
    tables=(
        TableEntry(OF_LINES, ("r2",), "invoices", 2, (TablePart("r2", 0),)),
        TableEntry(COLUMNS, ("r1",), "invoices", 9, (TablePart("r1", 0),)),
    ),
)


def _read(operation: str, text: str, document: DocumentEntry = REGISTER) -> Reading:
    read = marked(operation, text, "invoices", is_labelled=True)
    return reading_of(read, KNOWN, date(2024, 11, 22), documents=lambda _: (document,))


def test_only_a_table_of_papers_is_a_register() -> None:
    assert register_of((REGISTER,), KNOWN) is KNOWN.tables[1]
    assert register_of((LINES,), KNOWN) is None
    assert register_of((REGISTER, LINES), KNOWN) is None


def test_fields_become_columns_of_the_register() -> None:
    found = _read("group/sum", "[Amount]{?total} by [vendor]{by vendor} in the [invoice register]{doc}")

    assert found.is_rows
    assert [each.name for each in found.asked] == ["amount_usd"]
    assert [each.name for each in found.groups] == ["supplier"]


def test_words_that_are_cells_are_conditions() -> None:
    found = _read("compute/sum", "[Amounts]{?total} that the [invoice register]{doc} has under services")

    assert [(each.field.name, each.values) for each in found.conditions] == [("category", ("services",))]


def test_the_greatest_of_many_rows_are_those_of_groups() -> None:
    found = _read(
        "rank/desc", "[top]{order total} [two]{limit} [vendors]{?vendor} of the [invoice register]{doc}"
    )

    assert (found.operation, found.function) == (Operation.GROUP, Function.SUM)
    assert [each.name for each in found.groups] == ["supplier"]


def test_a_paper_with_lines_keeps_its_fields() -> None:
    found = _read("lookup", "[Total]{?total} of [invoice 88]{doc}", LINES)

    assert not found.is_rows
    assert [each.name for each in found.asked] == ["total"]


def test_a_value_that_no_paper_states_names_a_table() -> None:
    found = _read("compute/avg", "average [amount]{?total} of [fuel]{=category} bills", LINES)

    assert found.is_rows
    assert [(each.words, each.documents) for each in found.names] == [("fuel", ("r2",))]


def test_a_value_that_papers_state_stays_one() -> None:
    found = _read("compute/avg", "average [amount]{?total} of [vehicle]{=category} bills", LINES)

    assert not found.is_rows


def test_the_total_of_a_column_is_summed_up() -> None:
    found = _read("lookup", "[total]{?total} of the [fleet]{=category} lines in the [invoice register]{doc}")

    assert (found.operation, found.function) == (Operation.COMPUTE, Function.SUM)
