from __future__ import annotations

from decimal import Decimal

import pytest

from core.answer.prose.calculation.quantity import (
    DAY,
    CalculationError,
    Quantity,
    add,
    applied,
    change,
    divide,
    multiply,
    share,
)

USD, EUR = Quantity(Decimal(100), "USD"), Quantity(Decimal(100), "EUR")


def test_units_go_through_a_calculation() -> None:
    assert add(USD, USD) == Quantity(Decimal(200), "USD")
    assert divide(USD, USD) == Quantity(Decimal(1), "")
    assert divide(USD, Quantity(Decimal(4))) == Quantity(Decimal(25), "USD")
    assert multiply(USD, Quantity(Decimal(5), "%")) == Quantity(Decimal(5), "USD")
    assert add(Quantity(Decimal(738_000), DAY), Quantity(Decimal(30), "days")).unit == DAY


@pytest.mark.parametrize(
    ("function", "given"), [(add, (USD, EUR)), (share, (USD, EUR)), (multiply, (USD, EUR))]
)
def test_units_that_do_not_fit_are_named(function: object, given: tuple[Quantity, ...]) -> None:
    with pytest.raises(CalculationError, match="USD and EUR"):
        applied(function, given)  # type: ignore[arg-type]


def test_a_change_of_a_negative_figure_says_nothing() -> None:
    with pytest.raises(CalculationError, match="negative"):
        change(Quantity(Decimal(-5), "USD"), USD)
