"""Rows of sheets come from their cells."""

from __future__ import annotations

from pathlib import Path

import openpyxl

from tests.support.made_workbooks import harbour, lines, read, rewritten, saved


def test_rows_outside_the_declared_size_are_read(tmp_path: Path) -> None:
    path = saved(tmp_path, harbour())
    path = rewritten(
        path, "sheet1.xml", lambda xml: xml.replace('<dimension ref="A1:C5"', '<dimension ref="A1"')
    )
    assert "Berth: S2 | Key: 10 | Fee EUR: 640" in lines(read(path))


def test_a_cell_at_the_far_corner_costs_nothing_and_is_read(tmp_path: Path) -> None:
    book = harbour()
    book.active["XFD1048576"] = "end of the world"
    assert "end of the world" in lines(read(saved(tmp_path, book)))[-1]


def test_a_merged_cell_that_begins_in_a_hidden_row_holds_for_the_rows_that_are_shown(tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    sheet = book.active
    for row in (["Quay", "Ship", "Tons"], ["West", "Ada", 4], [None, "Bo", 6], [None, "Cy", 9]):
        sheet.append(row)
    sheet.merge_cells("A2:A4")
    sheet.row_dimensions[2].hidden = True
    assert lines(read(saved(tmp_path, book)))[1] == "Quay: West | Ship: Bo | Tons: 6"
