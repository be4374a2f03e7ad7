"""Workbooks as people really make them: what is shown is read, what is not is named."""

from __future__ import annotations

from pathlib import Path

import openpyxl

from core.domain.document import PartState
from tests.support.made_workbooks import harbour, lines, part, read, rewritten, saved


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


def test_a_damaged_sheet_takes_no_other_with_it(tmp_path: Path) -> None:
    book = harbour()
    book.create_sheet("Ledger").append(["Item", "Sum"])
    path = rewritten(saved(tmp_path, book), "sheet2.xml", lambda xml: xml[: len(xml) // 2])
    path = rewritten(path, "styles.xml", lambda _: "<broken")
    found = read(path)
    assert "Berth: S1 | Key: 9 | Fee EUR: 530" in lines(found)
    assert part(found, "damaged sheets").place == "Ledger"
