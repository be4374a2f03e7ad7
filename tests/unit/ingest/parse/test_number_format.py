"""Cells of workbooks as text, with what their number format shows."""

from __future__ import annotations

import datetime
from decimal import Decimal

import pytest

from core.ingest.parse.number_format import NumberFormat, cell_text, number_format


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
