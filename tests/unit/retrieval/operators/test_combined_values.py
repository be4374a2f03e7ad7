"""Values made of two columns of a row."""

from __future__ import annotations

from decimal import Decimal

import pytest

from core.domain.annotation import Calculation
from core.domain.fields import MONEY_SCALE, NUMBER_SCALE, FieldType
from core.plan.ir.node import Combined, ComputationNode
from core.records.query.derived import RankedValue
from core.retrieval.operators.combined_values import combined_value, quotients


def number(text: str, unit: str = "") -> RankedValue:
    return RankedValue("d", FieldType.NUMBER, unit, int(Decimal(text).scaleb(NUMBER_SCALE)), text, "")


def money(text: str, unit: str) -> RankedValue:
    return RankedValue("d", FieldType.MONEY, unit, int(Decimal(text).scaleb(MONEY_SCALE)), text, "")


def day(text: str) -> RankedValue:
    return RankedValue("d", FieldType.DATE, "", 0, text, "")


@pytest.mark.parametrize(
    ("how", "one", "other", "value", "unit"),
    [
        ("less", money("100", "EUR"), money("40.5", "EUR"), "59.5", "EUR"),
        ("less", day("2024-03-11"), day("2024-01-29"), "42", "days"),
        ("times", number("18.5", "kg/hl"), number("15", "hl"), "277.5", "kg"),
        ("times", money("2", "EUR"), number("3"), "6", "EUR"),
        ("per", number("52", "l"), number("200", "km"), "0.26", "l/km"),
    ],
)
def test_two_values_are_combined(
    how: Combined, one: RankedValue, other: RankedValue, value: str, unit: str
) -> None:
    found = combined_value(how, one, other)
    assert found is not None
    assert (Decimal(found.text), found.unit) == (Decimal(value), unit)


@pytest.mark.parametrize(
    ("how", "one", "other"),
    [
        ("less", money("1", "EUR"), money("1", "USD")),
        ("per", number("1"), number("0")),
        ("times", day("2024-01-01"), number("2")),
        ("less", None, number("2")),
    ],
)
def test_what_has_nothing_in_common_comes_to_nothing(
    how: Combined, one: RankedValue | None, other: RankedValue | None
) -> None:
    assert combined_value(how, one, other) is None


def test_a_sum_of_quotients_is_that_of_both_sums() -> None:
    node = ComputationNode(
        id="a", purpose="", function=Calculation.SUM, field="l", combined="per", other="km", scale=100
    )
    ones, others = [number("52", "l"), number("60", "l"), None], [number("200", "km")] * 3
    (found,) = quotients(node, {("x",): [0, 1, 2]}, ones, others)
    assert (found.value, found.unit, found.rows) == (Decimal(28), "l/100 km", 2)


def test_amounts_in_several_units_are_never_added_up() -> None:
    node = ComputationNode(
        id="a", purpose="", function=Calculation.SUM, field="paid", combined="per", other="km", scale=1
    )
    ones, others = [money("5", "EUR"), money("7", "USD")], [number("2", "km")] * 2
    (found,) = quotients(node, {("x",): [0, 1]}, ones, others)
    assert (found.value, found.unit) == (None, "")
    assert combined_value("less", number("500", "kg"), number("100", "lb")) is None


@pytest.mark.parametrize(("how", "value"), [("rest", "100"), ("plus", "100")])
def test_what_is_not_there_takes_nothing_away_and_adds_nothing(how: Combined, value: str) -> None:
    found = combined_value(how, money("100", "EUR"), None)
    assert found is not None
    assert found.text == value
    assert combined_value(how, None, None) is None


def test_two_columns_are_added_up() -> None:
    found = combined_value("plus", number("14.5", "kg"), number("18.2", "kg"))
    assert found is not None
    assert (Decimal(found.text), found.unit) == (Decimal("32.7"), "kg")
