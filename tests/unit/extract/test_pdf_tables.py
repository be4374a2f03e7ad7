"""Tables of a real PDF, with spans into the text that is stored."""

from __future__ import annotations

from pathlib import Path

from core.extract.base import DocumentText
from core.extract.pdf_tables import read_pdf_tables
from core.extract.tables import FIRST_PDF_TABLE
from core.ingest.parse.base import ParseLimits
from core.ingest.parse.dispatch import parse_file
from tests.support.document_text import document_text

_INVOICE = Path("samples/collection/invoices/acme-invoice-10442.pdf")


def _document(path: Path) -> DocumentText:
    parsed = parse_file(path, path.name, ParseLimits())
    return document_text(*(page.text for page in parsed.pages), source=path.name)


def test_rows_of_a_pdf_quote_the_stored_text() -> None:
    document = _document(_INVOICE)

    rows, notes = read_pdf_tables(_INVOICE, document)

    assert notes == ()
    assert [row.table for row in rows] == [FIRST_PDF_TABLE, FIRST_PDF_TABLE]
    assert [(cell.column, cell.value.text) for cell in rows[0].cells] == [
        ("Description", "Substation monitoring, September 2024"),
        ("Amount", "34722.00"),
    ]
    for quote in (cell.quote for row in rows for cell in row.cells):
        assert document.pages[quote.span.page_no - 1].text[quote.span.start : quote.span.end] == quote.quote


def test_time_that_ran_out_is_said() -> None:
    ticks = iter([0.0, 20.0, 20.0, 20.0])

    rows, notes = read_pdf_tables(_INVOICE, _document(_INVOICE), clock=lambda: next(ticks))

    assert rows == ()
    assert notes == ("Reading its tables was stopped after 10 seconds.",)


def test_a_damaged_file_has_no_rows_and_a_note(tmp_path: Path) -> None:
    path = tmp_path / "broken.pdf"
    path.write_bytes(b"%PDF-1.7 nothing more")

    rows, notes = read_pdf_tables(path, _document(_INVOICE))

    assert rows == ()
    assert notes[0].startswith("Its tables could not be read")


def test_a_file_without_tables_is_not_opened(tmp_path: Path) -> None:
    assert read_pdf_tables(tmp_path / "missing.pdf", document_text("Prose only.")) == ((), ())


def test_a_table_that_goes_on_over_pages_is_one_with_its_head(tmp_path: Path) -> None:
    from reportlab.pdfgen.canvas import Canvas

    rows = [(f"Rope R-{n:02}", f"{2.5 * n:.2f}", str(40 + n)) for n in range(1, 31)]
    canvas = Canvas(str(tmp_path / "ropes.pdf"))
    for first in (0, 12, 24):
        head = [("Rope", "Price EUR", "Load kg")] if first != 12 else []  # said again on the last page only
        for number, row in enumerate([*head, *rows[first : first + 12]]):
            for x, cell in zip((60, 250, 400), row, strict=True):
                canvas.drawString(x, 780 - 16 * number, cell)
        canvas.showPage()
    canvas.save()

    found, _ = read_pdf_tables(tmp_path / "ropes.pdf", _document(tmp_path / "ropes.pdf"))

    assert {row.table for row in found} == {FIRST_PDF_TABLE}
    assert [tuple(cell.column for cell in row.cells) for row in found] == [
        ("Rope", "Price EUR", "Load kg")
    ] * 30
    assert [row.cells[2].value.text for row in found] == [load for _, _, load in rows]
