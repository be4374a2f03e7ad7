"""Amounts in a few words, and how they are compared."""

from __future__ import annotations

import pytest

from core.domain.fields import FieldType
from core.values.comparisons import amounts_in, comparison_in, count_in, currency_in, ordinal_in


@pytest.mark.parametrize(
    ("text", "compared", "amounts"),
    [
        ("over $1m", ">", ["1000000 USD"]),
        ("below one hundred thousand", "<", ["100000"]),
        ("with a yearly fee under $50k", "<", ["50000 USD"]),
        ("more than $250,000 a year", ">", ["250000 USD"]),
        ("at least two million dollars", ">=", ["2000000 USD"]),
        ("worth more than half a million", ">", ["500000"]),
        ("between 1 and 5 million", "between", ["1000000", "5000000"]),
        ("between 100 and 250 euros", "between", ["100 EUR", "250 EUR"]),
        ("10 million or more", ">=", ["10000000"]),
        ("at least 300 pound", ">=", ["300 GBP"]),
        ("up to 300", "<=", ["300"]),
        ("not more than 20 grand", "<=", ["20000"]),
        ("a discount of more than 10%", ">", ["10 %"]),
        ("the top 5", "", ["5"]),
        ("nothing", "", []),
    ],
)
def test_amounts_of_money(text: str, compared: str, amounts: list[str]) -> None:
    assert (comparison_in(text) or "") == compared
    assert amounts_in(text, FieldType.MONEY) == amounts


@pytest.mark.parametrize(
    ("text", "unit", "amounts"),
    [
        ("wider than one metre", "mm", ["1000 mm"]),
        ("no wider than 1.1 m", "mm", ["1100 mm"]),
        ("between 1 and 2 metres", "mm", ["1000 mm", "2000 mm"]),
        ("10-20 kg", "kg", ["10 kg", "20 kg"]),
        ("at least 8 kW", "W", ["8000 W"]),
        ("over 97 % efficiency", "percent", ["97 %"]),
        ("cold down to -30 °C", "degC", ["-30 degC"]),
        ("minus 10 degrees", "degC", ["-10"]),
        ("no taller than 180", "mm", ["180"]),
        ("over 150k on the clock", "", ["150000"]),
        ("heavier than 2 tons", "", ["2"]),
        ("three bedrooms or more", "", ["3"]),
    ],
)
def test_numbers_in_the_unit_of_their_field(text: str, unit: str, amounts: list[str]) -> None:
    assert amounts_in(text, FieldType.NUMBER, unit) == amounts


@pytest.mark.parametrize(
    ("text", "amounts"),
    [
        ("payment in 30 days", ["P30D"]),
        ("at least 60 days' notice", ["P60D"]),
        ("ten years or longer", ["P10Y"]),
        ("30 to 60 days", ["P30D", "P60D"]),
        ("one year and six months", ["P18M"]),
        ("for a year or more", ["P1Y"]),
        ("half a year", ["P6M"]),
        ("over 60", ["P60D"]),
    ],
)
def test_lengths_of_time(text: str, amounts: list[str]) -> None:
    assert amounts_in(text, FieldType.DURATION) == amounts


@pytest.mark.parametrize(
    ("text", "op"), [("no wider than 60 cm", "<="), ("not less than 5", ">="), ("12 or fewer", "<=")]
)
def test_what_is_denied_is_compared_the_other_way(text: str, op: str) -> None:
    assert comparison_in(text) == op


def test_words_number_and_order_things() -> None:
    assert [count_in(text) for text in ("top five", "first ten", "the top one", "last")] == [5, 10, 1, None]
    assert [ordinal_in(text) for text in ("second", "2nd", "number two", "last")] == [2, 2, 2, None]


def test_a_currency_is_named_without_an_amount() -> None:
    assert [currency_in(text) for text in ("in euros", "not in USD", "all of them")] == ["EUR", "USD", ""]
