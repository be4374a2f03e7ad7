"""Rows for each period of invented tables whose columns are years, quarters or months."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.domain.fields import AnnotationRow
from core.extract.tables import read_rows
from core.extract.unpivot import MOST_ROWS, UNPIVOTED, unpivoted
from tests.support.document_text import document_text

MONTHS = "Region | Jan | Feb\nNorth | $10.00 | $20.00\nSouth | $30.00 | $40.00"


def made(text: str) -> list[AnnotationRow]:
    document = document_text(text)
    return unpivoted(document, read_rows(document)[0])


def plain(text: str) -> list[list[tuple[str, str]]]:
    return [[(cell.column, cell.value.text) for cell in row.cells] for row in made(text)]


def test_each_month_of_each_row_is_a_row() -> None:
    assert plain(MONTHS) == [
        [("Region", "North"), ("Month", "Jan"), ("Value", "10.00")],
        [("Region", "North"), ("Month", "Feb"), ("Value", "20.00")],
        [("Region", "South"), ("Month", "Jan"), ("Value", "30.00")],
        [("Region", "South"), ("Month", "Feb"), ("Value", "40.00")],
    ]


@pytest.mark.parametrize(
    ("columns", "kind", "first"),
    [
        ("2022 | 2023", "Year", "2022"),
        ("FY2022 | FY2023", "Year", "2022"),
        ("Q1 2024 | Q2 2024", "Quarter", "Q1 2024"),
        ("H1 | H2", "Half", "H1"),
        ("2024-01 | 2024-02", "Month", "2024-01"),
    ],
)
def test_periods_are_told_by_their_kind(columns: str, kind: str, first: str) -> None:
    rows = plain(f"Region | {columns}\nNorth | $10.00 | $20.00\nSouth | $30.00 | $40.00")
    assert rows[0][1] == (kind, first)


def test_what_a_name_says_beside_its_period_names_the_value() -> None:
    rows = plain(
        "Region | 2022 Cost | 2022 Income | 2023 Cost | 2023 Income\n"
        "North | $1.00 | $2.00 | $3.00 | $4.00\nSouth | $5.00 | $6.00 | $7.00 | $8.00"
    )
    assert rows[1] == [("Region", "North"), ("Year", "2023"), ("Cost", "3.00"), ("Income", "4.00")]


def test_a_unit_beside_a_period_stays_with_the_value() -> None:
    rows = plain("Region | 2022 (GWh) | 2023 (GWh)\nNorth | 10 | 20\nSouth | 30 | 40")
    assert [name for name, _ in rows[0]] == ["Region", "Year", "Value (GWh)"]


@pytest.mark.parametrize(
    "text",
    [
        "Region | Jan\nNorth | $10.00\nSouth | $30.00",
        "Region | Jan | Feb\nNorth | good | bad\nSouth | bad | good",
        "Item | Qty | Amount\nTire | 4 | $868.00\nWheel | 1 | $99.00",
        "Jan | Feb\n$10.00 | $20.00\n$30.00 | $40.00",
    ],
)
def test_other_tables_have_no_such_rows(text: str) -> None:
    assert made(text) == []


def test_other_amounts_of_a_row_stand_in_none_of_its_periods() -> None:
    rows = plain("Region | Jan | Feb | Sites\nNorth | $10.00 | $20.00 | 3\nSouth | $30.00 | $40.00 | 4")
    assert all("Sites" not in dict(row) for row in rows)


def test_the_rows_are_of_a_table_of_their_own() -> None:
    rows = made(MONTHS)
    assert {row.table for row in rows} == {UNPIVOTED}
    assert [row.row for row in rows] == [0, 1, 2, 3]


def test_a_period_quotes_the_head_and_a_value_its_own_cell() -> None:
    quotes = [cell.quote.quote for cell in made(MONTHS)[1].cells]
    assert quotes == ["North", "Feb", "$20.00"]


def test_a_row_that_adds_up_others_does_so_in_each_period() -> None:
    document = document_text(MONTHS)
    rows = [replace(row, is_total=row.row == 1) for row in read_rows(document)[0]]
    assert [row.is_total for row in unpivoted(document, rows)] == [False, False, True, True]


def test_key_value_lines_and_made_tables_are_left_alone() -> None:
    document = document_text(MONTHS)
    rows = read_rows(document)[0]
    assert unpivoted(document, [replace(row, table=-1) for row in rows]) == []
    assert unpivoted(document, unpivoted(document, rows)) == []


def test_a_table_that_would_give_too_many_rows_gives_none() -> None:
    document = document_text(MONTHS)
    rows = read_rows(document)[0]
    many = [replace(rows[0], row=n) for n in range(MOST_ROWS // 2 + 1)]
    assert unpivoted(document, many) == []


def test_no_rows_give_none() -> None:
    assert unpivoted(document_text(""), []) == []
