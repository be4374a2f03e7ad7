"""Workbooks as people really make them: what is shown is read, what is not is named."""

from __future__ import annotations

import datetime
import re
import zipfile
from collections.abc import Callable
from pathlib import Path

import openpyxl
import pytest
from openpyxl.chart import BarChart, Reference
from openpyxl.comments import Comment

from core.domain.document import FilePart, ParsedDocument, PartState
from core.ingest.parse.base import ParseLimits
from core.ingest.parse.workbook.xlsx import parse_xlsx


def read(path: Path, *, reads_hidden: bool = False) -> ParsedDocument:
    return parse_xlsx(path, path.name, ParseLimits(reads_hidden=reads_hidden))


def saved(tmp_path: Path, book: openpyxl.Workbook) -> Path:
    path = tmp_path / "book.xlsx"
    book.save(path)
    return path


def rewritten(path: Path, part: str, change: Callable[[str], str]) -> Path:
    """The workbook with the parts changed whose name ends with `part`."""
    target = path.with_name(f"changed-{path.name}")
    with zipfile.ZipFile(path) as old, zipfile.ZipFile(target, "w") as new:
        for name in old.namelist():
            data = old.read(name)
            new.writestr(name, change(data.decode()) if name.endswith(part) else data)
    return target


def part(found: ParsedDocument, kind: str) -> FilePart:
    return next(each for each in found.parts if each.kind == kind)


def lines(found: ParsedDocument) -> list[str]:
    return "\n".join(page.text for page in found.pages).split("\n")


def harbour() -> openpyxl.Workbook:
    book = openpyxl.Workbook()
    sheet = book.active
    sheet.title = "Berths"
    for row in (["Berth", "Key", "Fee EUR"], ["N1", 7, 310], ["N2", 8, 420], ["S1", 9, 530], ["S2", 10, 640]):
        sheet.append(row)
    return book


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


def test_what_is_hidden_is_left_out_and_named(tmp_path: Path) -> None:
    book = harbour()
    sheet = book.active
    sheet.row_dimensions[3].hidden = True
    sheet.column_dimensions["B"].hidden = True
    book.create_sheet("Owners")["A1"] = "secret owner"
    book["Owners"].sheet_state = "veryHidden"
    path = saved(tmp_path, book)
    found = read(path)
    assert lines(found) == [
        "Berth | Fee EUR",
        "Berth: N1 | Fee EUR: 310",
        "Berth: S1 | Fee EUR: 530",
        "Berth: S2 | Fee EUR: 640",
    ]
    assert [(each.kind, each.state, each.count, each.place) for each in found.parts] == [
        ("hidden rows", PartState.LEFT_OUT, 1, "Berths: 3"),
        ("hidden columns", PartState.LEFT_OUT, 1, "Berths: B"),
        ("hidden sheets", PartState.LEFT_OUT, 1, "Owners"),
    ]
    assert not found.gaps
    whole = read(path, reads_hidden=True)
    assert "Berth: N2 | Key: 8 | Fee EUR: 420" in lines(whole)
    assert "secret owner" in lines(whole)
    assert part(whole, "hidden sheets").state is PartState.READ


def test_a_workbook_of_hidden_cells_says_so(tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    book.active.append(["x"])
    book.active.row_dimensions[1].hidden = True
    assert "hidden" in read(saved(tmp_path, book)).unreadable_reason


def test_a_merged_cell_that_begins_in_a_hidden_row_holds_for_the_rows_that_are_shown(tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    sheet = book.active
    for row in (["Quay", "Ship", "Tons"], ["West", "Ada", 4], [None, "Bo", 6], [None, "Cy", 9]):
        sheet.append(row)
    sheet.merge_cells("A2:A4")
    sheet.row_dimensions[2].hidden = True
    assert lines(read(saved(tmp_path, book)))[1] == "Quay: West | Ship: Bo | Tons: 6"


def test_formulas_without_a_result_are_computed_or_named(tmp_path: Path) -> None:
    book = harbour()
    sheet = book.active
    sheet.append(["Total", None, "=SUM(C2:C5)"])
    sheet.append(["Mean", None, "=ROUND(AVERAGE(C2:C5)/3,1)"])
    sheet.append(["Looked up", None, "=VLOOKUP(7,B2:C5,2)"])
    sheet.append(["Rests on it", None, "=C8+1"])
    sheet.append(["Itself", None, "=C10"])
    other = book.create_sheet("Sum up")
    other["A1"], other["B1"] = "High?", '=IF(Berths!C6>1000,"high","low")'
    found = read(saved(tmp_path, book))
    assert "Berth: Total | Fee EUR: 1900" in lines(found)
    assert "Berth: Mean | Fee EUR: 158.3" in lines(found)
    assert "High? | high" in lines(found)
    unread = part(found, "formulas without a stored result")
    assert (unread.state, unread.place) == (PartState.UNREAD, "Berths: C8, C9, C10")
    assert found.gaps == 1


def test_a_stored_zero_is_no_result_where_the_writer_left_computing_to_the_reader(tmp_path: Path) -> None:
    book = harbour()
    book.active.append(["Total", None, "=SUM(C2:C5)"])
    path = rewritten(
        saved(tmp_path, book), "sheet1.xml", lambda xml: re.sub("<v ?/>|<v></v>", "<v>0</v>", xml)
    )
    assert "Berth: Total | Fee EUR: 1900" in lines(read(path))
    trusted = rewritten(path, "workbook.xml", lambda xml: xml.replace('fullCalcOnLoad="1"', ""))
    assert "Berth: Total | Fee EUR: 0" in lines(read(trusted))


def test_cells_read_as_they_are_shown(tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    sheet = book.active
    sheet.append(["Code", "Phone", "Hours", "Share", "Day", "Thousands", "Version"])
    sheet.append(
        [73, 415550123, datetime.timedelta(hours=49, minutes=5), 0.125, datetime.date(2031, 2, 3), 98765, 2.1]
    )
    codes = ("00000", "(000) 000\\-000", "[h]:mm", "0.0%", "dd/mm/yyyy", '#,##0,"k"', "0.00")
    for cell, code in zip(sheet[2], codes, strict=True):
        cell.number_format = code
    assert lines(read(saved(tmp_path, book)))[1] == (
        "Code: 00073 | Phone: (415) 550-123 | Hours: 49:05 | Share: 12.5% | Day: 2031-02-03 "
        "| Thousands: 98765 | Version: 2.10"
    )


def test_comments_stand_behind_their_row_and_charts_are_named(tmp_path: Path) -> None:
    book = harbour()
    sheet = book.active
    sheet["C3"].comment = Comment("Mo:\nagreed | for a year", "Mo")
    sheet["A1"].comment = Comment("see map", "Mo")
    chart = BarChart()
    chart.add_data(Reference(sheet, min_col=3, min_row=1, max_row=5))
    sheet.add_chart(chart, "F2")
    found = read(saved(tmp_path, book))
    assert "Berth: N2 | Key: 8 | Fee EUR: 420 [comment by Mo on C3: agreed / for a year]" in lines(found)
    assert lines(found)[-1] == "[comment by Mo on A1: see map]"
    assert part(found, "comments").count == 2
    assert part(found, "charts").is_gap


def test_a_damaged_sheet_takes_no_other_with_it(tmp_path: Path) -> None:
    book = harbour()
    book.create_sheet("Ledger").append(["Item", "Sum"])
    path = rewritten(saved(tmp_path, book), "sheet2.xml", lambda xml: xml[: len(xml) // 2])
    path = rewritten(path, "styles.xml", lambda _: "<broken")
    found = read(path)
    assert "Berth: S1 | Key: 9 | Fee EUR: 530" in lines(found)
    assert part(found, "damaged sheets").place == "Ledger"


@pytest.mark.parametrize("prefix", ["x", "main"])
def test_names_with_a_prefix_are_read(tmp_path: Path, prefix: str) -> None:
    def change(xml: str) -> str:
        return re.sub(r"<(/?)(?=[a-zA-Z])", rf"<\1{prefix}:", xml.replace("xmlns=", f"xmlns:{prefix}="))

    path = rewritten(saved(tmp_path, harbour()), "sheet1.xml", change)
    assert "Berth: N1 | Key: 7 | Fee EUR: 310" in lines(read(path))
