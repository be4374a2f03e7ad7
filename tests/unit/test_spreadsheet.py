from __future__ import annotations

import csv
import io
from datetime import date, datetime
from decimal import Decimal

from openpyxl import load_workbook

from core.spreadsheet import Linked, number, sheet

HEADS = ["title", "value"]


def test_a_csv_holds_every_line_and_nothing_that_a_program_computes() -> None:
    found = list(
        csv.reader(io.StringIO(sheet("csv", HEADS, [["=1+1", None], ["a,b", 2]]).decode("utf-8-sig")))
    )

    assert found == [["title", "value"], ["'=1+1", ""], ["a,b", "2"]]


def test_an_xlsx_has_numbers_as_numbers_and_says_what_it_is() -> None:
    data = sheet("xlsx", HEADS, [["=cmd", number("1250000.50")], ["\x00x", "text"]], [("Question", "Which?")])
    book = load_workbook(io.BytesIO(data))

    rows = list(book["Documents"].iter_rows(values_only=True))
    assert rows[1] == ("'=cmd", 1250000.5)
    assert rows[2] == (" x", "text")
    assert list(book["About"].iter_rows(values_only=True)) == [("Question", "Which?")]


def test_only_numbers_that_stay_exact_become_numbers() -> None:
    assert number("41622") == Decimal("41622")
    assert number("12345678901234567") == "12345678901234567"
    assert number("none stated") == "none stated"
    assert number(None) is None


def test_days_and_links_are_such_in_an_xlsx_and_text_in_a_csv() -> None:
    lines = [[Linked("=Lease", "http://here/1"), date(2024, 3, 5)], ["Deed", date(1785, 1, 2)]]
    book = load_workbook(io.BytesIO(sheet("xlsx", HEADS, lines)))["Documents"]

    assert (book["A2"].value, book["A2"].hyperlink.target) == ("'=Lease", "http://here/1")
    assert (book["B2"].value, book["B2"].number_format) == (datetime(2024, 3, 5), "yyyy-mm-dd")
    assert book["B3"].value == "1785-01-02"  # no spreadsheet program counts days so far back
    written = sheet("csv", HEADS, lines).decode("utf-8-sig").splitlines()
    assert written[1:] == ["'=Lease,2024-03-05", "Deed,1785-01-02"]


def test_the_head_of_a_sheet_stays_and_filters_and_columns_are_as_wide_as_they_need() -> None:
    lines = [["x" * 300, 1]] + [["short", 2]] * 250
    book = load_workbook(io.BytesIO(sheet("xlsx", HEADS, lines)))["Documents"]

    assert (book.auto_filter.ref, book.freeze_panes, book.max_row) == ("A1:B252", "B2", 252)
    assert book["A1"].font.bold
    assert (book.column_dimensions["A"].width, book.column_dimensions["B"].width) == (60, 9)
