from __future__ import annotations

import csv
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path

import openpyxl
import pytest

from core.domain.document import DocumentStatus, DocumentSummary
from core.domain.fields import Cell, CellStatus, FieldType, Finding, Quote, TypedValue
from core.domain.ids import ContentHash, DocumentId
from core.domain.matrix import MatrixColumn, MatrixRow
from core.domain.span import PageSpan
from core.errors import UsageError
from core.spreadsheet import safe
from core.workbench.spreadsheet import write_matrix

COLUMNS = (MatrixColumn("name", "Name", FieldType.TEXT), MatrixColumn("fee", "Fee", FieldType.MONEY))


def row(title: str, name: str, amount: int) -> MatrixRow:
    document = DocumentId("d1")
    summary = DocumentSummary(
        id=document,
        bucket="bills",
        source=title,
        title=title,
        status=DocumentStatus.READY,
        reason="",
        version=1,
        doc_type="",
        media_type="",
        language="en",
        acl=(),
        pages=1,
        passages=1,
        size_bytes=1,
        content_hash=ContentHash(""),
        updated_at=datetime(2026, 11, 22, tzinfo=UTC),
    )
    quote = Quote(PageSpan(2, 5, 9), name)
    money = TypedValue(FieldType.MONEY, f"{Decimal(amount).scaleb(-4):f}", amount, "USD")
    found = {
        "name": Finding(CellStatus.PRESENT, (TypedValue(FieldType.TEXT, name),), (quote,), 0.9, "rule"),
        "fee": Finding(CellStatus.PRESENT, (money,), (quote,), 0.9, "rule"),
    }
    return MatrixRow(summary, {key: Cell(document, 1, key, finding) for key, finding in found.items()})


def link(cell: Cell, quote: Quote | None) -> str:
    return f"http://here/{cell.document}"


@pytest.mark.parametrize("text", ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "\uff1d1"])
def test_no_cell_of_an_export_begins_a_formula(tmp_path: Path, text: str) -> None:
    for name in ("out.csv", "out.xlsx"):
        write_matrix(tmp_path / name, COLUMNS, [row(text, text, -12_500)], link)

    with (tmp_path / "out.csv").open(encoding="utf-8-sig", newline="") as file:
        written = [cell for line in csv.reader(file) for cell in line]
    book = openpyxl.load_workbook(tmp_path / "out.xlsx")
    cells = [cell for sheet in book.worksheets for line in sheet.iter_rows() for cell in line]
    written += [cell.value for cell in cells if isinstance(cell.value, str)]
    assert not [each for each in written if each.startswith(("=", "+", "-", "@", "\t", "\r", "\uff1d"))]
    assert "f" not in {cell.data_type for cell in cells}
    assert safe(text) == f"'{text}"


def test_a_spreadsheet_holds_numbers_to_compute_with_and_a_row_for_every_cell(tmp_path: Path) -> None:
    count = write_matrix(tmp_path / "out.xlsx", COLUMNS, [row("Bill", "Acme", 12_345_600)], link)

    book = openpyxl.load_workbook(tmp_path / "out.xlsx", read_only=True)
    matrix, cells = [list(sheet.values) for sheet in book.worksheets]
    assert count == 1
    assert matrix[0] == ("document", "title", "source", "bucket", "name", "fee", "fee unit")
    assert matrix[1] == ("d1", "Bill", "Bill", "bills", "Acme", 1234.56, "USD")
    assert dict(zip(cells[0], cells[2], strict=True)) == {
        "document": "d1",
        "title": "Bill",
        "source": "Bill",
        "bucket": "bills",
        "field": "fee",
        "value": 1234.56,
        "unit": "USD",
        "status": "present",
        "confidence": 0.9,
        "method": "rule",
        "reviewed by": None,
        "page": 2,
        "start": 5,
        "end": 9,
        "quote": "Acme",
        "link": "http://here/d1",
    }
    book.close()


def test_an_unknown_ending_or_a_bad_folder_is_refused_and_leaves_nothing(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="unknown kind"):
        write_matrix(tmp_path / "out.pdf", COLUMNS, [], link)
    with pytest.raises(UsageError, match="cannot be written"):
        write_matrix(tmp_path / "no" / "out.csv", COLUMNS, [], link)
    with pytest.raises(ZeroDivisionError):
        write_matrix(tmp_path / "out.csv", COLUMNS, (row("", "", 1 // zero) for zero in (0,)), link)

    assert list(tmp_path.iterdir()) == []


def test_a_link_of_a_spreadsheet_opens_by_a_click(tmp_path: Path) -> None:
    write_matrix(tmp_path / "out.xlsx", COLUMNS, [row("Bill", "Acme", 12_345_600)], link)

    cells = openpyxl.load_workbook(tmp_path / "out.xlsx")["Cells"]
    last = [line[-1] for line in cells.iter_rows(min_row=2)]
    assert [(cell.value, cell.hyperlink.target) for cell in last] == [("http://here/d1",) * 2] * 2
