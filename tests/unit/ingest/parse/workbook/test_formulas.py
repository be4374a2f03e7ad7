"""Formulas without a stored result."""

from __future__ import annotations

import re
from contextlib import suppress
from datetime import timedelta
from pathlib import Path

from core.domain.document import PartState
from core.ingest.parse.workbook.formulas import Formula, Formulas, Place, UnknownResultError
from tests.support.made_workbooks import harbour, lines, part, read, rewritten, saved


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


def test_long_hours_are_summed_as_hours(tmp_path: Path) -> None:
    book = harbour()
    hours = book.create_sheet("Hours")
    for row in (
        ["Name", "Worked"],
        ["Ode", timedelta(hours=31, minutes=30)],
        ["Lind", timedelta(hours=27.25)],
    ):
        hours.append(row)
    hours["A5"], hours["B5"] = "Total", "=SUM(B2:B3)"
    for row in (2, 3, 5):
        hours.cell(row, 2).number_format = "[h]:mm"
    assert "Name: Total | Worked: 58:45" in read(saved(tmp_path, book)).pages[1].text


def test_a_stored_zero_is_no_result_where_the_writer_left_computing_to_the_reader(tmp_path: Path) -> None:
    book = harbour()
    book.active.append(["Total", None, "=SUM(C2:C5)"])
    path = rewritten(
        saved(tmp_path, book), "sheet1.xml", lambda xml: re.sub("<v ?/>|<v></v>", "<v>0</v>", xml)
    )
    assert "Berth: Total | Fee EUR: 1900" in lines(read(path))
    trusted = rewritten(path, "workbook.xml", lambda xml: xml.replace('fullCalcOnLoad="1"', ""))
    assert "Berth: Total | Fee EUR: 0" in lines(read(trusted))


def test_a_damaged_or_costly_formula_costs_itself_alone(tmp_path: Path) -> None:
    book = harbour()
    sheet, nine = book.active, "+".join(["TRUE"] * 9)
    bad = ['="abc', "=[1", f"=(({nine})^({nine}))^({nine})^({nine})", f'="ab"*(({nine})^({nine}))', "=-2^2"]
    bad += [f"=(({nine})*({nine})*({nine}))^(({nine})*({nine})*({nine})*({nine}))", "=1/50%", "=1=1=1"]
    for formula in ["=SUM(C2:C5)", "=2^3*50", *bad]:
        sheet.append(["Total", None, formula])
    found = read(saved(tmp_path, book))
    assert [line for line in lines(found) if "Total | Fee" in line] == [
        "Berth: Total | Fee EUR: 1900",
        "Berth: Total | Fee EUR: 400",
    ]
    assert part(found, "formulas without a stored result").count == len(bad)


def test_a_damaged_shared_formula_is_told_with_its_cells(tmp_path: Path) -> None:
    book = harbour()
    book.active["D2"], book.active["D3"] = "=[1", "=1"
    path = rewritten(
        saved(tmp_path, book),
        "sheet1.xml",
        lambda xml: xml.replace("<f>[1", '<f t="shared" si="0">[1').replace(
            "<f>1</f>", '<f t="shared" si="0"/>'
        ),
    )
    assert part(read(path), "formulas without a stored result").place == "Berths: D2, D3"


def test_areas_are_visited_within_a_budget() -> None:
    cells: dict[Place, object] = {(row, 1): 1.0 for row in range(1, 5_001)}
    cells |= {(row, 2): Formula("=SUM(A:A)") for row in range(1, 5_001)}
    formulas = Formulas({"S": cells})
    assert formulas.result("S", (1, 2)) == 5_000
    computed = 0
    with suppress(UnknownResultError):
        for computed in range(2, 5_001):
            formulas.result("S", (computed, 2))
    assert 100 < computed < 5_000
