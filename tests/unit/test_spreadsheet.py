from __future__ import annotations

import csv
import io
from decimal import Decimal

from openpyxl import load_workbook

from core.spreadsheet import number, sheet

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
