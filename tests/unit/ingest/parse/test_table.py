"""Lines of page text out of the rows of invented sheets."""

from __future__ import annotations

import datetime
from decimal import Decimal

import pytest

from core.ingest.parse.table import MergedCells, sheet_lines
from core.ingest.parse.workbook.number_format import NumberFormat, cell_text, number_format

HEAD = ["Item", "Qty", "Price"]
BODY = [["Oak", "20", "$5"], ["Steel", "6", "$7"], ["Weld kit", "5", "$9"]]
LINES = [
    "Item: Oak | Qty: 20 | Price: $5",
    "Item: Steel | Qty: 6 | Price: $7",
    "Item: Weld kit | Qty: 5 | Price: $9",
]
BLANK = ["", "", ""]


def lines(*rows: list[str], merged: MergedCells | None = None) -> list[str]:
    return list(sheet_lines(rows, merged))


def test_each_row_says_what_its_cells_are() -> None:
    assert lines(HEAD, *BODY) == ["Item | Qty | Price", *LINES]


def test_an_empty_sheet_has_no_lines() -> None:
    assert lines() == []
    assert lines(BLANK, BLANK) == []


def test_empty_cells_are_left_out_of_a_line() -> None:
    assert lines(HEAD, *BODY, ["Glue", "", "$1"])[-1] == "Item: Glue | Price: $1"


def test_cells_behind_the_last_name_are_counted() -> None:
    assert lines(HEAD, *BODY, ["Glue", "2", "$1", "new"])[-1].endswith("| column 4: new")


def test_a_table_without_a_head_has_cells_alone() -> None:
    assert lines(*BODY) == ["Oak | 20 | $5", "Steel | 6 | $7", "Weld kit | 5 | $9"]


def test_a_title_stands_above_its_table() -> None:
    assert lines(["Stock list", "", ""], BLANK, HEAD, *BODY)[0] == "Stock list"
    assert lines(["Stock list", "", ""], HEAD, *BODY)[:2] == ["Stock list", "Item | Qty | Price"]


def test_a_blank_row_inside_a_table_ends_it_not() -> None:
    assert lines(HEAD, *BODY, BLANK, ["Glue", "2", "$1"])[-1] == "Item: Glue | Qty: 2 | Price: $1"


def test_a_head_that_comes_again_is_no_row() -> None:
    assert lines(HEAD, *BODY, BLANK, HEAD, ["Glue", "2", "$1"]) == [
        "Item | Qty | Price",
        *LINES,
        "Item: Glue | Qty: 2 | Price: $1",
    ]


def test_another_head_begins_another_table() -> None:
    other = [["City", "Visits", ""], ["Graz", "3", ""], ["Porto", "9", ""]]
    assert lines(HEAD, *BODY, BLANK, *other)[-4:] == [
        "",
        "City | Visits",
        "City: Graz | Visits: 3",
        "City: Porto | Visits: 9",
    ]


def test_a_note_under_a_table_is_no_row_of_it() -> None:
    note = "Source: the stock of the yard at the end of March"
    assert lines(HEAD, *BODY, [note, "", ""])[-2:] == ["", note]


def test_a_last_entry_with_nothing_but_a_name_is_a_row() -> None:
    assert lines(HEAD, *BODY, ["Glue", "", ""])[-1] == "Item: Glue"


def test_tables_beside_one_another_come_one_after_the_other() -> None:
    right = [["City", "Visits"], ["Graz", "3"], ["Porto", "9"], ["Turin", "4"]]
    found = lines(*([*left, "", *other] for left, other in zip([HEAD, *BODY], right, strict=True)))
    assert found == [
        "Item | Qty | Price",
        *LINES,
        "",
        "City | Visits",
        "City: Graz | Visits: 3",
        "City: Porto | Visits: 9",
        "City: Turin | Visits: 4",
    ]


def test_columns_behind_a_blank_one_go_on_where_their_first_names_no_rows() -> None:
    right = [["Bought from", "Note"], ["Hale", ""], ["Hale", "late"], ["Hale", ""]]
    found = lines(*([*left, "", *other] for left, other in zip([HEAD, *BODY], right, strict=True)))
    assert found[2] == "Item: Steel | Qty: 6 | Price: $7 | Bought from: Hale | Note: late"


def test_a_table_beside_another_is_one_of_its_own_where_a_name_stands_in_both() -> None:
    right = [["Team", "Item"], ["Reds", "Zed"], ["Reds", "Yan"], ["Blues", "Xia"]]
    found = lines(*([*left, "", *other] for left, other in zip([HEAD, *BODY], right, strict=True)))
    assert found[1:4] == LINES
    assert found[-1] == "Team: Blues | Item: Xia"


def test_labels_of_groups_of_columns_are_no_title() -> None:
    head = ["Shop", "Units", "Price", "Units", "Price"]
    body = [[f"Shop {n}", f"{n}", f"{n}0", f"{n}1", f"{n}5"] for n in range(1, 5)]
    found = lines(["Sales per region 2023", "", "", "Sales per region 2024", ""], head, *body)
    assert "Sales per region 2024 Units: 11" in found[-4]


def test_a_title_in_the_first_cell_and_a_date_beside_it_name_no_columns() -> None:
    head = ["Job", "Site", "Trade", "Logged", "Cost"]
    body = [[f"R{n}", "Quay St", "Heating", f"2024-01-0{n}", f"{n}0"] for n in range(1, 5)]
    found = lines(["Quay Street repairs", "", "", "upd. 8 May", ""], head, *body)
    assert found[:2] == ["Quay Street repairs | upd. 8 May", "Job | Site | Trade | Logged | Cost"]


def test_lines_that_say_one_thing_each_are_pairs() -> None:
    assert lines(["Company:", "ACME"], ["City:", "Graz"], ["Year:", "2024"]) == [
        "Company: ACME",
        "City: Graz",
        "Year: 2024",
    ]


def test_rows_between_names_of_sections_are_of_the_one_above() -> None:
    rows = [["Wood", "", ""], BODY[0], ["Metal", "", ""], BODY[1], BODY[2]]
    assert lines(HEAD, *rows)[1:] == [
        "Item: Oak | Qty: 20 | Price: $5 | Section: Wood",
        "Item: Steel | Qty: 6 | Price: $7 | Section: Metal",
        "Item: Weld kit | Qty: 5 | Price: $9 | Section: Metal",
    ]


def test_a_name_holds_for_the_rows_below_that_leave_it_blank() -> None:
    rows = [
        ["Region", "Month", "Visits"],
        ["North", "May", "3"],
        ["", "June", "4"],
        ["South", "May", "5"],
        ["", "June", "6"],
    ]
    assert lines(*rows)[1:] == [
        "Region: North | Month: May | Visits: 3",
        "Region: North | Month: June | Visits: 4",
        "Region: South | Month: May | Visits: 5",
        "Region: South | Month: June | Visits: 6",
    ]


def test_merged_labels_name_the_columns_below_them() -> None:
    rows = [
        ["", "North", "", "Note"],
        ["Month", "Cost", "Income", ""],
        ["May", "1", "2", "ok"],
        ["June", "5", "6", "late"],
    ]
    assert lines(*rows, merged=MergedCells({0: {1: 2}}))[-1] == (
        "Month: June | North Cost: 5 | North Income: 6 | Note: late"
    )


def test_a_head_of_three_rows_and_names_that_come_again_name_each_column() -> None:
    body = [["Lamps", "10", "20", "30", "40"], ["Desks", "11", "21", "31", "41"]]
    head = [["Item", "Sales", "", "", ""], ["", "North", "", "South", ""], ["", "Q1", "Q2", "Q1", "Q2"]]
    first = "Item: Lamps | {0}North Q1: 10 | {0}North Q2: 20 | {0}South Q1: 30 | {0}South Q2: 40"
    merged = MergedCells({0: {1: 4}, 1: {1: 2, 3: 2}})
    assert lines(*head, *body, merged=merged)[1] == first.format("Sales ")
    twice = [["Item", "North", "North", "South", "South"], ["Item", "Q1", "Q2", "Q1", "Q2"]]
    assert lines(*twice, *body)[1] == first.format("")
    units = [["Item", "Q1", "Q2", "Q3", "Staff"], ["Item", "kEUR", "kEUR", "kEUR", "FTE"]]
    assert lines(*units, *body)[0] == "Item | Q1 kEUR | Q2 kEUR | Q3 kEUR | Staff FTE"


def test_widths_are_counted_from_the_first_row_and_column() -> None:
    merged = MergedCells({4: {3: 2}, 9: {0: 5}})
    assert merged.of(range(4, 8), 2) == {(0, 1): 2}


def test_a_long_table_is_read_to_its_end() -> None:
    rows = [[f"Part {n}", str(n), f"${n}"] for n in range(1_000)]
    found = lines(HEAD, *rows)
    assert len(found) == 1_001
    assert found[-1] == "Item: Part 999 | Qty: 999 | Price: $999"


def test_a_million_blank_rows_end_a_sheet() -> None:
    found = sheet_lines(iter([HEAD, *BODY, *([BLANK] * 6_000), ["Late", "1", "$1"]]))
    assert list(found) == ["Item | Qty | Price", *LINES]


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("#,##0.00", NumberFormat("", "", False)),
        ("0.00%", NumberFormat("", "", True)),
        ('#,##0.00 "EUR"', NumberFormat("", "EUR", False)),
        ('"USD" #,##0', NumberFormat("USD", "", False)),
        ("$#,##0.00", NumberFormat("$", "", False)),
        ("[$\u20ac-407] #,##0.00", NumberFormat("\u20ac", "", False)),
        ("#,##0.00 [$CHF]", NumberFormat("", "CHF", False)),
        ("0\\k\\g", NumberFormat("", "kg", False)),
        ("[Red]#,##0", NumberFormat("", "", False)),
        ("$#,##0_);($#,##0)", NumberFormat("$", "", False)),
    ],
)
def test_a_format_puts_texts_beside_the_digits(code: str, expected: NumberFormat) -> None:
    assert number_format(code) == expected


def test_a_format_that_says_a_sentence_or_digits_shows_none_of_it() -> None:
    assert number_format('0 "pieces of furniture"') == NumberFormat("", "", False)
    assert number_format('0 "x 1000"') == NumberFormat("", "", False)


@pytest.mark.parametrize(
    ("value", "code", "text"),
    [
        (1234.5, "General", "1234.5"),
        (1234.5, "#,##0", "1234.5"),
        (1234.5, '#,##0.00 "EUR"', "1234.5 EUR"),
        (-1234.5, "$#,##0.00", "-$1234.5"),
        (12, '"USD" 0', "USD 12"),
        (0.125, "0%", "12.5%"),
        (7, "0.00%", "700%"),
        (0.1 + 0.2, "General", "0.3"),
        (1e21, "General", "1000000000000000000000"),
        (1e-7, "General", "0.0000001"),
        (-0.0, "General", "0"),
        (Decimal("3.10"), "General", "3.1"),
        (3, "@", "3"),
    ],
)
def test_a_number_keeps_all_its_digits(value: float | Decimal, code: str, text: str) -> None:
    assert cell_text(value, code) == text


def test_a_number_that_is_none_is_said_as_it_is() -> None:
    assert cell_text(float("nan"), "0%") == "nan"
    assert cell_text(float("inf")) == "inf"


def test_an_empty_cell_is_no_text() -> None:
    assert cell_text(None) == ""


def test_truths_are_words_and_no_numbers() -> None:
    assert cell_text(True, "0%") == "TRUE"
    assert cell_text(False) == "FALSE"


def test_a_day_has_no_time_where_none_was_written() -> None:
    assert cell_text(datetime.datetime(2024, 3, 1)) == "2024-03-01"
    assert cell_text(datetime.datetime(2024, 3, 1, 14, 30)) == "2024-03-01 14:30:00"
    assert cell_text(datetime.date(2024, 3, 1)) == "2024-03-01"


def test_a_text_stands_on_one_line() -> None:
    assert cell_text("Oak\n  panel\t2") == "Oak panel 2"
