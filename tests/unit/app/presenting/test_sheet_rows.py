from __future__ import annotations

from app.presenting.sheet_rows import last_names, sheet_rows

TEXT = """Meters of the mill

No | Unit | Meter | Note
No: 1 | Unit: m3 | Meter: North | Note: read | twice
No: 2 | Unit: m3 | Meter: South
A remark: below

Name | Rate: base
Name: A | Rate: base: 4
"""


def test_every_cell_has_its_characters_in_the_text() -> None:
    found = sheet_rows(TEXT)
    assert [table.names for table in found.tables] == [
        ["No", "Unit", "Meter", "Note"],
        ["Name", "Rate: base"],
    ]
    assert [number for number, *_ in found.lines] == [-1, 0, 0, 0, -1, 1, 1]
    for _, start, end, cells in found.lines:
        assert TEXT[start:end]
        for offset, text in zip(cells[1::3], cells[2::3], strict=True):
            assert TEXT[offset : offset + len(text)] == text
    assert found.lines[2][3][2::3] == ["1", "m3", "North", "read | twice"]  # the last has a bar of its own
    assert found.lines[6][3][2::3] == ["A", "4"]


def test_the_column_that_names_rows_is_first_and_one_that_tells_nothing_is_last() -> None:
    rows = "\n".join(f"No: {n} | Unit: m3 | Meter: Meter {n}" for n in range(20))
    table = sheet_rows(f"No | Unit | Meter\n{rows}").tables[0]
    assert [table.names[at] for at in table.order] == ["Meter", "No", "Unit"]
    assert table.right == [0]


def test_a_table_goes_on_over_pages() -> None:
    assert last_names(TEXT) == ["Name", "Rate: base"]
    assert last_names("One line.") == []
    found = sheet_rows("No: 7 | column 3: extra\nNo: 8", ["No", "Unit"])
    assert found.tables[0].names == ["No", "Unit", "column 3"]
    assert [cells[2::3] for *_, cells in found.lines] == [["7", "extra"], ["8"]]
