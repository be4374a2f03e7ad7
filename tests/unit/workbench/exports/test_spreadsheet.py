from __future__ import annotations

import csv
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path

import openpyxl
import pytest

from core.domain.document import DocumentStatus, DocumentSummary
from core.domain.fields import Candidate, Cell, CellStatus, FieldType, Finding, Quote, TypedValue
from core.domain.ids import ContentHash, DocumentId
from core.domain.matrix import MatrixColumn, MatrixRow
from core.domain.span import PageSpan
from core.errors import UsageError
from core.spreadsheet import safe
from core.workbench.exports.spreadsheet import write_matrix

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


def link(document: DocumentSummary, cell: Cell | None, quote: Quote | None) -> str:
    return f"http://here/{document.id}" + (f"#{quote.span.page_no}" if quote is not None else "")


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
    heads = ("Name", "Name status", "Fee", "Fee unit", "Fee status")
    assert matrix[0] == ("Document", "File", "Bucket", *heads, "Document id")
    assert matrix[1] == ("Bill", "Bill", "bills", "Acme", "present", 1234.56, "USD", "present", "d1")
    assert dict(zip(cells[0], cells[2], strict=True)) == {
        "Document": "Bill",
        "File": "Bill",
        "Bucket": "bills",
        "Field": "Fee",
        "Value": 1234.56,
        "Unit": "USD",
        "ISO 8601": None,
        "Status": "present",
        "Best guess": None,
        "Probability": None,
        "Confidence": 0.9,
        "Method": "rule",
        "Reviewed by": None,
        "Page": 2,
        "Start": 5,
        "End": 9,
        "Quote": "Acme",
        "Link": "http://here/d1#2",
        "Field name": "fee",
        "Document id": "d1",
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


def test_every_value_of_a_spreadsheet_opens_its_place_by_a_click(tmp_path: Path) -> None:
    write_matrix(tmp_path / "out.xlsx", COLUMNS, [row("Bill", "Acme", 12_345_600)], link)

    book = openpyxl.load_workbook(tmp_path / "out.xlsx")
    links = [cell.hyperlink.target if cell.hyperlink else None for cell in book["Matrix"][2]]
    assert links == ["http://here/d1", None, None, "http://here/d1#2", None, "http://here/d1#2", *[None] * 3]
    addresses = [line[-3] for line in book["Cells"].iter_rows(min_row=2)]
    assert [(cell.value, cell.hyperlink.target) for cell in addresses] == [("http://here/d1#2",) * 2] * 2


def findings(**found: Finding) -> MatrixRow:
    base = row("Lease", "Acme", 1)
    cells = {name: Cell(base.document.id, 1, name, finding) for name, finding in found.items()}
    return MatrixRow(base.document, cells, frozenset({"later"}), frozenset({"other"}))


TERM = TypedValue(FieldType.DURATION, "P3M", 91_312_500, original="three months")


def test_periods_are_words_days_are_days_and_a_doubt_is_told_from_an_absence(tmp_path: Path) -> None:
    columns = (
        MatrixColumn("term", "Term", FieldType.DURATION),
        MatrixColumn("end", "End", FieldType.DATE),
        MatrixColumn("audit", "Audit", FieldType.BOOLEAN),
        MatrixColumn("notice", "Notice", FieldType.DURATION),
        MatrixColumn("law", "Law", FieldType.TEXT),
        MatrixColumn("later", "Later", FieldType.TEXT),
        MatrixColumn("other", "Other", FieldType.TEXT),
    )
    day = TypedValue(FieldType.DATE, "2025-06-30", 739_432)
    doubt = Candidate(TERM, (Quote(PageSpan(3, 1, 9), "3 months"),), 0.62, "rule")
    lease = findings(
        term=Finding(CellStatus.PRESENT, (TERM,), (), 0.97, "rule"),
        end=Finding(CellStatus.PRESENT, (day,), (), 0.97, "rule"),
        audit=Finding(CellStatus.UNCERTAIN, candidates=(Candidate(None, (), 0.2, "head"),)),
        notice=Finding(CellStatus.UNCERTAIN, candidates=(doubt,)),
        law=Finding(CellStatus.ABSENT, (), (), 0.98, "head"),
    )
    for name in ("out.csv", "out.xlsx"):
        write_matrix(tmp_path / name, columns, [lease], link)

    with (tmp_path / "out.csv").open(encoding="utf-8-sig", newline="") as file:
        line = next(csv.DictReader(file))
    assert (line["Term"], line["Term ISO 8601"], line["End"]) == ("3 months", "P3M", "2025-06-30")
    assert (line["Notice"], line["Notice status"], line["Notice best guess"]) == ("", "uncertain", "3 months")
    assert (line["Notice probability"], line["Notice link"]) == ("0.62", "http://here/d1#3")
    assert (line["Audit best guess"], line["Audit probability"]) == ("No", "0.8")
    assert [line[f"{name} status"] for name in ("Law", "Later", "Other")] == [
        "absent",
        "not read",
        "not asked",
    ]
    sheet = openpyxl.load_workbook(tmp_path / "out.xlsx")["Matrix"]
    found = dict(zip((cell.value for cell in sheet[1]), sheet[2], strict=True))
    assert found["End"].value == datetime(2025, 6, 30)
    assert found["End"].number_format == "yyyy-mm-dd"
    assert found["Term"].value == "3 months"
    assert found["Notice status"].value == "uncertain, perhaps 3 months (62 %)"
    assert found["Notice status"].hyperlink.target == "http://here/d1#3"
    assert (sheet.auto_filter.ref, sheet.freeze_panes) == ("A1:T2", "B2")


def test_fields_with_one_title_keep_their_names_behind_it(tmp_path: Path) -> None:
    columns = (MatrixColumn("a", "Fee", FieldType.TEXT), MatrixColumn("b", "fee", FieldType.TEXT))
    write_matrix(tmp_path / "out.csv", columns, [], link)

    heads = (tmp_path / "out.csv").read_text(encoding="utf-8-sig").split(",")
    assert {"Fee (a)", "fee (b)"} <= set(heads)
