"""Quantities: every number of a text with sign and unit."""

from __future__ import annotations

from decimal import Decimal

import pytest

from core.answer.prose.checks.quantities import is_unit, quantities, unit_stem


@pytest.mark.parametrize(
    ("text", "value", "unit"),
    [
        ("3.5 million", "3500000", ""), ("sixty (60) days", "60", "day"), ("$3.5 million", "3500000", "USD"),
        ("EUR 1,250.50", "1250.50", "EUR"), ("-5%", "-5", "%"), ("minus 5", "-5", ""),
        ("(1,234)", "-1234", ""),
        ("5 kilograms", "5", "kg"), ("twenty-second", "22", "th"), ("two hundred and five", "205", ""),
    ],
)  # fmt: skip
def test_a_number_is_read_with_sign_and_unit(text: str, value: str, unit: str) -> None:
    first = quantities(text)[0]
    assert (first.value, first.unit) == (Decimal(value), unit)


@pytest.mark.parametrize(
    "text", ["October 3, 2024", "one of them", "no one", "V-31", "First, open it.", "1. Open it"]
)
def test_dates_codes_pronouns_and_markers_are_no_quantities(text: str) -> None:
    assert quantities(text) == ()


def test_spellings_of_a_unit_have_one_form() -> None:
    assert unit_stem("days") == unit_stem("Day")
    assert unit_stem("per cent") == unit_stem("%") == "%"
    assert is_unit("months")
    assert not is_unit("monkeys")
