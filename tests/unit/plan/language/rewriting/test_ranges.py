"""Ranges of amounts in plain words."""

import pytest

from core.plan.language.rewriting.ranges import in_plain_ranges


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("from 400 to 450 Wp", "between 400 Wp and 450 Wp"),
        ("weight of 20-25 kg", "weight of between 20 kg and 25 kg"),
        ("worth 10 to 20 million dollars", "worth between 10 million dollars and 20 million dollars"),
        ("from $100 to $500", "between $100 and $500"),
        ("30 days to 2 months", "between 30 days and 2 months"),
    ],
)
def test_a_range_of_amounts_says_between(text: str, plain: str) -> None:
    assert in_plain_ranges(text) == plain


@pytest.mark.parametrize(
    "text", ["from 2019 to 2020", "between 20 and 25 kg", "BA-20-25 kg", "5 to 7", "order 12-2024"]
)
def test_years_models_and_bare_numbers_stay(text: str) -> None:
    assert in_plain_ranges(text) == text
