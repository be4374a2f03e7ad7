"""Cells read as they are shown."""

from __future__ import annotations

import datetime
from pathlib import Path

import openpyxl

from tests.support.made_workbooks import lines, read, saved


def test_cells_read_as_they_are_shown(tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    sheet = book.active
    sheet.append(["Code", "Phone", "Hours", "Share", "Day", "Thousands", "Version", "Note"])
    sheet.append(
        [
            73,
            415550123,
            datetime.timedelta(hours=49, minutes=5),
            0.125,
            datetime.date(2031, 2, 3),
            98765,
            2.1,
            "[deleted: 4]",
        ]
    )
    codes = ("00000", "(000) 000\\-000", "[h]:mm", "0.0%", "dd/mm/yyyy", '#,##0,"k"', "0.00", "@")
    for cell, code in zip(sheet[2], codes, strict=True):
        cell.number_format = code
    assert lines(read(saved(tmp_path, book)))[1] == (
        "Code: 00073 | Phone: (415) 550-123 | Hours: 49:05 | Share: 12.5% | Day: 2031-02-03 "
        "| Thousands: 98765 | Version: 2.10 | Note: [ deleted: 4]"
    )
