"""Shapes of invented tables: lines above them, rows of their heads, and the names of their columns."""

from __future__ import annotations

import pytest

from core.text.table_shape import (
    LONGEST_NAME,
    SAMPLE,
    TableShape,
    is_empty,
    is_figure,
    shape_of,
    unique_names,
)

BODY = [["Oak", "20", "$5.00"], ["Steel", "6", "$7.50"], ["Weld kit", "5", "$9.00"]]
HEAD = ["Item", "Qty", "Price"]


@pytest.mark.parametrize(
    "cell",
    ["12", "-3.5", "(1,200)", "$ 5.00", "EUR 12", "12 %", "3 kg", "2024-03-01", "March 1, 2024", "1 May 24"],
)
def test_numbers_amounts_and_days_are_figures(cell: str) -> None:
    assert is_figure(cell)


@pytest.mark.parametrize("cell", ["", "Oak", "A-12", "Q1", "12 apples"])
def test_words_and_codes_are_no_figures(cell: str) -> None:
    assert not is_figure(cell)


def test_blanks_dashes_and_not_available_say_nothing() -> None:
    assert all(is_empty(cell) for cell in ("", "  ", "-", "\u2014", "N/A", "none", "tbd"))
    assert not any(is_empty(cell) for cell in ("0", "no", "x"))


def test_a_row_of_words_above_figures_is_the_head() -> None:
    assert shape_of([HEAD, *BODY]) == TableShape(0, 1, ("Item", "Qty", "Price"))


def test_lines_above_the_head_are_captions() -> None:
    rows = [["Stock list", "", ""], ["", "", ""], HEAD, *BODY]
    found = shape_of(rows)
    assert (found.captions, found.headers, found.first) == (2, 1, 3)


def test_a_pair_above_a_wide_table_is_a_caption() -> None:
    wide = [["Item", "Qty", "Price", "Shelf"], *([*row, "A1"] for row in BODY)]
    assert shape_of([["Date:", "2024-03-01", "", ""], *wide]).captions == 1


def test_a_table_without_words_above_its_figures_has_no_head() -> None:
    found = shape_of(BODY)
    assert (found.captions, found.headers, found.names) == (0, 0, ("", "", ""))


def test_no_rows_have_no_shape() -> None:
    assert shape_of([]) == TableShape(0, 0, ())


def test_a_head_alone_is_a_head() -> None:
    assert shape_of([HEAD]) == TableShape(0, 1, ("Item", "Qty", "Price"))


def test_rows_that_are_too_short_are_filled_up() -> None:
    assert shape_of([HEAD, ["Oak", "20"], ["Steel"], ["Kit", "5", "9"]]).names == ("Item", "Qty", "Price")


def test_years_above_figures_name_columns() -> None:
    rows = [["Region", "2022", "2023"], ["North", "12.5", "14"], ["South", "9", "8.5"]]
    assert shape_of(rows).names == ("Region", "2022", "2023")


def test_years_above_more_years_are_no_head() -> None:
    rows = [["North", "2021"], ["South", "2022"], ["West", "2023"]]
    assert shape_of(rows).headers == 0


def test_labels_of_a_head_of_two_rows_spread_over_those_below() -> None:
    rows = [
        ["", "North", "", "South", ""],
        ["Month", "Cost", "Income", "Cost", "Income"],
        ["May", "1", "2", "3", "4"],
        ["June", "5", "6", "7", "8"],
    ]
    found = shape_of(rows)
    assert found.headers == 2
    assert found.names == ("Month", "North Cost", "North Income", "South Cost", "South Income")


def test_a_merged_label_spreads_only_as_far_as_its_cell() -> None:
    rows = [
        ["", "North", "", ""],
        ["Month", "Cost", "Income", "Note"],
        ["May", "1", "2", "ok"],
        ["June", "5", "6", "late"],
    ]
    assert shape_of(rows, {(0, 1): 2}).names == ("Month", "North Cost", "North Income", "Note")


def test_a_row_of_units_belongs_to_the_head() -> None:
    found = shape_of(
        [["Item", "Weight", "Price"], ["", "(kg)", "(EUR)"], ["Oak", "3", "5"], ["Steel", "9", "7"]]
    )
    assert (found.headers, found.names) == (2, ("Item", "Weight (kg)", "Price (EUR)"))


def test_names_that_come_twice_are_no_head_of_words() -> None:
    assert shape_of([["red", "red"], ["blue", "green"], ["grey", "blue"]]).headers == 0


def test_names_are_on_one_line_and_without_the_marks_of_rows() -> None:
    names = shape_of([["Item\nname", "Price: net", "Net | gross"], *BODY]).names
    assert names == ("Item name", "Price net", "Net gross")


def test_a_long_cell_is_text_and_names_no_column() -> None:
    assert shape_of([["x" * (LONGEST_NAME + 1), "Qty", "Price"], *BODY]).headers == 0


def test_rows_behind_the_sample_change_nothing() -> None:
    rows = [HEAD, *BODY * 20]
    assert len(rows) > SAMPLE
    assert shape_of(rows) == shape_of([*rows, ["", "", "", "", "late"]])


def test_names_differ_and_nothing_is_nameless() -> None:
    assert unique_names(["Amount", "", "Amount", " Net  price "]) == (
        "Amount",
        "column 2",
        "Amount 2",
        "Net price",
    )
    assert unique_names([]) == ()


def test_a_figure_with_a_word_above_words_is_a_name() -> None:
    rows = [["Plot", "Fee", "25 pd"], ["A1", "90", "x"], ["A2", "60", "x"], ["A3", "60", ""]]
    assert shape_of(rows).names == ("Plot", "Fee", "25 pd")
