"""Texts, formats and the first day of a workbook."""

from __future__ import annotations

import datetime
from pathlib import Path

import openpyxl
import pytest
from openpyxl.utils.datetime import CALENDAR_MAC_1904

from core.errors import InputError
from tests.support.made_workbooks import harbour, lines, read, rewritten, saved


def test_days_count_from_the_day_of_the_workbook(tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    book.epoch = CALENDAR_MAC_1904
    book.active.append(["Day", "Item"])
    book.active.append([datetime.date(2031, 5, 6), "Rope"])
    assert lines(read(saved(tmp_path, book)))[1] == "Day: 2031-05-06 | Item: Rope"


def test_a_workbook_without_its_list_of_sheets_is_refused(tmp_path: Path) -> None:
    path = rewritten(saved(tmp_path, harbour()), "workbook.xml", lambda _: "<broken")
    with pytest.raises(InputError, match="damaged"):
        read(path)
