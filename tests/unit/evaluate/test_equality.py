from __future__ import annotations

import pytest

from core.evaluate.equality import is_equal, is_stated, same_name
from core.evaluate.suite import ExpectedValue


def value(kind: str, text: str, unit: str | None = None) -> ExpectedValue:
    return ExpectedValue.model_validate({"type": kind, "value": text, "unit": unit})


@pytest.mark.parametrize(
    ("expected", "shown", "unit"),
    [
        (value("number", "8"), "8", None),
        (value("number", "8"), "8.0", "contracts"),
        (value("number", "992", "mm"), "992", "mm"),
        (value("number", "992", "mm"), "0.992", "m"),
        (value("number", "110", "gallon"), "110.0", "gallons"),
        (value("number", "19.4", "%"), "19.4", "percent"),
        (value("number", "1096", "mm"), "1,096 mm", None),
        (value("money", "2332000.00", "USD"), "2332000.00", "USD"),
        (value("money", "2332000.00", "USD"), "$2,332,000", None),
        (value("date", "2024-12-31"), "December 31, 2024", None),
        (value("boolean", "true"), "Yes", None),
        (value("duration", "8", "weeks"), "56", "days"),
        (value("duration", "90", "days"), "P90D", None),
        (value("text", "the State of Delaware"), "Delaware", None),
        (value("text", "Epsilon Research GmbH"), "epsilon research", None),
    ],
)
def test_a_value_is_equal_however_it_is_written(
    expected: ExpectedValue, shown: str, unit: str | None
) -> None:
    assert is_equal(expected, shown, unit)


@pytest.mark.parametrize(
    ("expected", "shown", "unit"),
    [
        (value("number", "8"), "8.4", None),
        (value("number", "8"), "about 8", None),
        (value("number", "992", "mm"), "992", None),
        (value("number", "992", "mm"), "992", "kg"),
        (value("number", "992", "mm"), "99.2", "mm"),
        (value("money", "90000.00", "EUR"), "90000.00", "USD"),
        (value("money", "90000.00", "EUR"), "90000.00", None),
        (value("money", "90000.00", "EUR"), "many", "EUR"),
        (value("date", "2024-12-31"), "2024-12-30", None),
        (value("date", "2024-12-31"), "soon", None),
        (value("boolean", "true"), "no", None),
        (value("duration", "90", "days"), "3", "months"),
        (value("text", "the State of Delaware"), "Iowa", None),
    ],
)
def test_another_value_or_unit_is_not_equal(expected: ExpectedValue, shown: str, unit: str | None) -> None:
    assert not is_equal(expected, shown, unit)


@pytest.mark.parametrize(
    ("expected", "shown", "unit", "is_same"),
    [
        (ExpectedValue(type="number", value="34.09", unit="%"), "34.090909", "%", True),
        (ExpectedValue(type="number", value="34.10", unit="%"), "34.090909", "%", False),
        (ExpectedValue(type="number", value="60", unit=None), "60.4", None, False),
        (ExpectedValue(type="duration", value="420", unit="minutes"), "420", "mins", True),
        (ExpectedValue(type="duration", value="420", unit="minutes"), "42", "mins", False),
    ],
)
def test_more_decimals_than_expected_are_rounded_and_minutes_are_quantities(
    expected: ExpectedValue, shown: str, unit: str | None, is_same: bool
) -> None:
    assert is_equal(expected, shown, unit) is is_same


def test_a_table_may_leave_the_unit_to_its_column() -> None:
    assert is_equal(value("money", "3275.00", "USD"), 3275, None, needs_unit=False)
    assert not is_equal(value("money", "3275.00", "USD"), 3275, "EUR", needs_unit=False)
    assert is_equal(value("number", "59.9", "gallon"), 59.9, None, needs_unit=False)


@pytest.mark.parametrize(
    ("expected", "sentence"),
    [
        (value("money", "2000000.00", "USD"), "Liability is limited to $2,000,000, whatever the ground."),
        (value("date", "2024-12-31"), "It expires on December 31, 2024."),
        (value("duration", "90", "days"), "on ninety days' written notice"),
        (value("duration", "8", "weeks"), "The safety stock is raised from six to eight weeks."),
        (value("number", "12", "Nm"), "5. Tighten the busbar bolts to 12 Nm and mark each bolt."),
        (value("number", "74", "kg"), "Weight | 74 kg"),
        (value("text", "the State of Oregon"), "in accordance with the laws of the State of Oregon, without"),
    ],
)
def test_a_sentence_states_a_value(expected: ExpectedValue, sentence: str) -> None:
    assert is_stated(expected, sentence)


@pytest.mark.parametrize(
    ("expected", "sentence"),
    [
        (value("money", "2000000.00", "USD"), "It is limited to EUR 2,000,000."),
        (value("number", "12", "Nm"), "Tighten them to 112 Nm within 12 minutes."),
        (value("text", "Ohio"), "The warehouse is in Ohioville."),
        (value("boolean", "true"), "It is true."),
    ],
)
def test_a_sentence_does_not_state_a_value_that_is_merely_like_it(
    expected: ExpectedValue, sentence: str
) -> None:
    assert not is_stated(expected, sentence)


def test_names_are_compared_without_legal_form_and_case() -> None:
    assert same_name("ACME Corporation", "Acme Corp.")
    assert same_name("Germany", "the laws of Germany")
    assert not same_name("Gamma Builders Inc.", "Beta Corp")
