"""Types of columns of invented tables, by their names and their cells."""

from __future__ import annotations

import pytest

from core.domain.fields import FieldType, Special
from core.extract.column_types import (
    SAMPLE,
    ColumnType,
    column_type,
    is_currency_column,
    is_money_name,
    names_things,
    typed_cell,
    unit_of_name,
)


@pytest.mark.parametrize(
    ("name", "cells", "kind", "unit"),
    [
        ("Visits", ["3", "12", "1,200"], FieldType.NUMBER, ""),
        ("Amount (EUR)", ["3.50", "12.00"], FieldType.MONEY, "EUR"),
        ("USD denominated, RMB million", ["3.50", "12.00"], FieldType.NUMBER, ""),
        ("Price", ["$3.50", "$12.00"], FieldType.MONEY, ""),
        ("Weight (kg)", ["3", "12"], FieldType.NUMBER, "kg"),
        ("Weight", ["3 kg", "12 kg"], FieldType.NUMBER, "kg"),
        ("Share", ["3 %", "12 %"], FieldType.NUMBER, "%"),
        ("Due", ["2024-03-01", "2024-04-01"], FieldType.DATE, ""),
        ("City", ["Graz", "Porto"], FieldType.TEXT, ""),
    ],
)
def test_a_column_is_of_the_type_that_most_cells_say(
    name: str, cells: list[str], kind: FieldType, unit: str
) -> None:
    found = column_type(name, cells)
    assert (found.type, found.unit) == (kind, unit)


def test_numbers_that_name_things_are_texts() -> None:
    assert column_type("Invoice no.", ["4711", "4712"]).type is FieldType.TEXT
    assert column_type("Customer ID", ["17", "18"]).type is FieldType.TEXT


def test_numbers_written_with_zeros_before_them_are_codes() -> None:
    assert column_type("badge", ["00071", "4120", "00072"]).type is FieldType.TEXT
    assert column_type("minutes", ["05", "0.5", "30", "0"]).type is FieldType.NUMBER


def test_a_column_without_a_filled_cell_is_text() -> None:
    assert column_type("Amount", []) == ColumnType(FieldType.TEXT)
    assert column_type("Amount", ["", "-", "n/a"]) == ColumnType(FieldType.TEXT)


def test_empty_cells_change_no_type() -> None:
    assert column_type("Visits", ["", "3", "-", "12", "n/a"]).type is FieldType.NUMBER


def test_cells_of_many_types_each_say_their_own() -> None:
    found = column_type("Value", ["3", "Graz", "2024-03-01", "$5.00"])
    assert found.type is None


def test_a_few_other_cells_change_no_type() -> None:
    assert column_type("Visits", ["1", "2", "3", "4", "about five"]).type is FieldType.NUMBER
    assert column_type("Visits", ["1", "2", "many", "few", "about five"]).type is not FieldType.NUMBER


def test_cells_behind_the_sample_change_no_type() -> None:
    assert column_type("Visits", ["1"] * SAMPLE + ["Graz"] * SAMPLE).type is FieldType.NUMBER


def test_a_comma_before_the_decimals_is_told_by_cells_that_can_be_read_in_no_other_way() -> None:
    assert column_type("Betrag", ["1.234,50", "7,25"]).is_european
    assert not column_type("Amount", ["1,234.50", "7.25"]).is_european
    assert not column_type("Amount", ["1.234,50", "7.25"]).is_european


def test_the_order_of_day_and_month_is_that_of_the_whole_column() -> None:
    column = column_type("Due", ["03/04/2024", "25/04/2024"])
    found = typed_cell("03/04/2024", column)
    assert found is not None
    assert found.text == "2024-04-03"


def test_a_cell_is_read_as_its_column_is_written() -> None:
    money = typed_cell("1.234,50", ColumnType(FieldType.MONEY, "EUR", is_european=True))
    assert money is not None
    assert (money.type, money.text, money.unit, money.original) == (
        FieldType.MONEY,
        "1234.50",
        "EUR",
        "1.234,50",
    )


def test_a_number_takes_the_unit_of_its_column() -> None:
    found = typed_cell("12", ColumnType(FieldType.NUMBER, "kg"))
    assert found is not None
    assert (found.type, found.unit) == (FieldType.NUMBER, "kg")


def test_a_currency_beside_a_number_makes_it_money() -> None:
    found = typed_cell("12.50", ColumnType(FieldType.NUMBER), "CHF")
    assert found is not None
    assert (found.type, found.unit) == (FieldType.MONEY, "CHF")


def test_a_day_may_have_a_time_of_day_and_nothing_else() -> None:
    column = ColumnType(FieldType.DATE)
    timed, worded = typed_cell("2024-03-01 14:30", column), typed_cell("2024-03-01 at noon", column)
    assert timed is not None
    assert (timed.type, timed.text, timed.original) == (FieldType.DATE, "2024-03-01", "2024-03-01 14:30")
    assert worded is not None
    assert worded.type is FieldType.TEXT


def test_a_cell_of_another_type_says_what_it_is() -> None:
    found = typed_cell("unknown", ColumnType(FieldType.NUMBER))
    assert found is not None
    assert (found.type, found.text) == (FieldType.TEXT, "unknown")


def test_a_text_of_a_european_column_keeps_its_commas() -> None:
    found = typed_cell("see page 3, line 2", ColumnType(FieldType.NUMBER, is_european=True))
    assert found is not None
    assert found.original == "see page 3, line 2"


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("Invoice no.", True),
        ("Order #", True),
        ("Zip", True),
        ("Item price", False),
        ("No. of items", False),
        ("Total", False),
        ("", False),
    ],
)
def test_a_name_says_that_a_column_names_things(name: str, expected: bool) -> None:
    assert names_things(name) is expected


def test_a_name_says_that_a_column_holds_money() -> None:
    assert is_money_name("Gross price")
    assert not is_money_name("Weight")


@pytest.mark.parametrize(
    ("name", "unit"),
    [
        ("Weight (kg)", "kg"),
        ("Speed [km/h]", "km/h"),
        ("share_%", "%"),
        ("pct done", "%"),
        ("Name (first)", ""),
        ("City", ""),
    ],
)
def test_a_name_says_a_unit(name: str, unit: str) -> None:
    assert unit_of_name(name) == unit


def test_a_column_of_currencies_has_nothing_else() -> None:
    assert is_currency_column("Cur", ["EUR", "USD", "", "chf"])
    assert is_currency_column("Sign", ["$", "\u20ac"])
    assert not is_currency_column("City", ["EUR", "Graz"])
    assert not is_currency_column("Currency", [])
    assert is_currency_column("Currency", ["EUR", "USD", "EUR", "EUR", "XX"])
    assert not is_currency_column("Code", ["EUR", "USD", "EUR", "EUR", "XX"])


def test_words_for_a_day_that_is_not_known_yet_are_blank() -> None:
    found = typed_cell("TBD", ColumnType(FieldType.DATE))
    assert found is not None
    assert (found.type, found.special, found.original) == (FieldType.DATE, Special.BLANK, "TBD")


def test_shares_among_percentages_are_percentages() -> None:
    column = column_type("Share", ["10 %", "0.25", "0.4", "25 %"])
    told = [typed_cell(cell, column) for cell in ("10 %", "0.25")]
    assert [each and (each.text, each.unit) for each in told] == [("10", "%"), ("25", "%")]
    assert not column_type("Share", ["0.5 %", "0.25 %"]).has_shares


def test_money_with_the_decimals_of_a_formula_is_rounded() -> None:
    found = typed_cell("9000.333333", ColumnType(FieldType.MONEY, "EUR"))
    assert found is not None
    assert (found.type, found.text, found.original) == (FieldType.MONEY, "9000.3333", "9000.333333")


def test_a_month_among_days_is_its_first() -> None:
    column = column_type("Bill month", [*(f"2020-0{n}-01" for n in range(1, 9)), "Apr 2019"])
    found = typed_cell("Apr 2019", column)

    assert found is not None
    assert (found.text, found.original) == ("2019-04-01", "Apr 2019")
    assert typed_cell("late 2019", column) != found


@pytest.mark.parametrize(
    ("cells", "kind", "said"),
    [
        (["€ 61²", "€ 74¹", "€ 90"], FieldType.MONEY, "61.00"),
        (["230 V¹⁾", "12 V"], FieldType.NUMBER, "230"),
        (["5 m²", "7 m²"], FieldType.NUMBER, "5"),
        (["10⁵", "10⁶"], FieldType.TEXT, "10⁵"),
    ],
)
def test_a_raised_mark_of_a_note_changes_no_type(cells: list[str], kind: FieldType, said: str) -> None:
    column = column_type("Level", cells)
    value = typed_cell(cells[0], column)
    assert column.type is kind
    assert value is not None
    assert value.text == said
