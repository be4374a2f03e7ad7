"""Rows of sheets come from their cells."""

from __future__ import annotations

from pathlib import Path

import openpyxl
import pytest

from tests.support.made_workbooks import harbour, lines, part, read, rewritten, saved


def test_rows_outside_the_declared_size_are_read(tmp_path: Path) -> None:
    path = saved(tmp_path, harbour())
    path = rewritten(
        path, "sheet1.xml", lambda xml: xml.replace('<dimension ref="A1:C5"', '<dimension ref="A1"')
    )
    assert "Berth: S2 | Key: 10 | Fee EUR: 640" in lines(read(path))


def test_a_cell_at_the_far_corner_costs_nothing_and_is_read(tmp_path: Path) -> None:
    book = harbour()
    book.active["XFD1048576"] = "end of the world"
    assert lines(read(saved(tmp_path, book)))[-1] == "column 16384: end of the world"


def test_a_merged_cell_that_begins_in_a_hidden_row_holds_for_the_rows_that_are_shown(tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    sheet = book.active
    for row in (["Quay", "Ship", "Tons"], ["West", "Ada", 4], [None, "Bo", 6], [None, "Cy", 9]):
        sheet.append(row)
    sheet.merge_cells("A2:A4")
    sheet.row_dimensions[2].hidden = True
    assert lines(read(saved(tmp_path, book)))[1] == "Quay: West | Ship: Bo | Tons: 6"


@pytest.mark.parametrize(
    ("old", "new", "place"),
    [
        ('r="C3"', 'r="C3" s="zz"', "C3"),
        ('<row r="3"', '<row r="zz"', "row 3"),
        ('<row r="3"', '<row r="1e999"', "row 3"),
        ("<sheetData>", '<cols><col min="a" max="b" hidden="1"/></cols><sheetData>', "hidden columns"),
    ],
)
def test_a_damaged_place_or_style_is_told_and_costs_no_cell(
    tmp_path: Path, old: str, new: str, place: str
) -> None:
    found = read(rewritten(saved(tmp_path, harbour()), "sheet1.xml", lambda xml: xml.replace(old, new)))
    assert "Berth: N2 | Key: 8 | Fee EUR: 420" in lines(found)
    assert "Berth: S2 | Key: 10 | Fee EUR: 640" in lines(found)
    assert part(found, "damaged cells").place == f"Berths: {place}"


def test_columns_between_filled_ones_and_endless_merges_cost_nothing(tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    sheet = book.active
    for row in range(1, 2_001):
        sheet.cell(row, 1, row)
        sheet.cell(row, 9_000, row)
    merges = "".join(
        f'<mergeCell ref="A{row}:A1048576"/><mergeCell ref="B{row}:XFD{row}"/>' for row in range(1, 9_001)
    )
    path = rewritten(
        saved(tmp_path, book),
        "sheet1.xml",
        lambda xml: xml.replace("</sheetData>", f"</sheetData><mergeCells>{merges}</mergeCells>"),
    )
    found = read(path)
    assert lines(found)[1_999] == "2000 |  | 2000"
    assert not found.gaps
