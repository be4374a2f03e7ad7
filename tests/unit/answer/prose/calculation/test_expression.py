from __future__ import annotations

from decimal import Decimal

import pytest

from core.answer.prose.calculation.expression import (
    DAY,
    CalculationError,
    Quantity,
    add,
    applied,
    change,
    divide,
    evaluate,
    multiply,
    share,
    written,
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


FIGURES = {
    "sales": Quantity(Decimal(3642), "USD"),
    "before": Quantity(Decimal(3507), "USD"),
    "rate": Quantity(Decimal(20), "%"),
    "people": Quantity(Decimal(4)),
    "loss": Quantity(Decimal(-12), "USD"),
    "euros": Quantity(Decimal(5), "EUR"),
    "nothing": Quantity(Decimal(0), "USD"),
    "first": Quantity(Decimal(738_000), DAY),
    "last": Quantity(Decimal(738_045), DAY),
}


@pytest.mark.parametrize(
    ("expression", "value", "unit"),
    [
        ("sales - before", "135", "USD"),
        ("sales / people", "910.5", "USD"),
        ("sales / before * 100 - 100", "3.8494", ""),
        ("change(before, sales)", "3.8494", "%"),
        ("share(sales, sum(sales, before))", "50.9442", "%"),
        ("sales * rate", "728.4", "USD"),
        ("365 * before / sales", "351.4703", ""),
        ("mean(sales, before)", "3574.5", "USD"),
        ("max(sales, before, loss)", "3642", "USD"),
        ("min(sales, before, loss)", "-12", "USD"),
        ("-loss", "12", "USD"),
        ("growth(before, sales, 2)", "1.9065", "%"),
        ("days(first, last)", "45", "days"),
        ("last - first", "45", "days"),
        ("round(change(before, sales), 1)", "3.8", "%"),
    ],
)
def test_it_comes_to_a_value_with_its_unit(expression: str, value: str, unit: str) -> None:
    found = evaluate(expression, FIGURES)

    assert round(found.value, 4) == Decimal(value)
    assert found.unit == unit


@pytest.mark.parametrize(
    ("expression", "shown"),
    [
        ("a / b", "559 / 3,642"),
        ("share(a + a, b)", "(559 + 559) / 3,642"),
        ("round(change(a, b), 1)", "from 559 to 3,642"),
        ("365 * mean(a, b) / (a - b)", "(365 × (mean of 559, 3,642)) / (559 − 3,642)"),
        ("-a", "−559"),
        ("max(a, b)", "max of 559, 3,642"),
    ],
)
def test_it_is_shown_with_its_figures(expression: str, shown: str) -> None:
    assert written(expression, {"a": "559", "b": "3,642"}) == shown


@pytest.mark.parametrize(
    "expression",
    [
        "sales + euros",
        "sales - people",
        "sales * before",
        "people / sales",
        "sales / nothing",
        "nothing / nothing",
        "change(loss, sales)",
        "growth(loss, sales, 2)",
        "growth(before, sales, 0)",
        "sales + first",
        "first * 2",
        "unknown + 1",
        "share(sales)",
        "mean()",
        "sum(sales, euros)",
        "days(sales, before)",
        "round(sales, 99)",
        "round(sales, 1.5)",
        "sales ** 2",
        "sales if people else before",
        "__import__('os').system('true')",
        "sales.value",
        "'sales'",
        "True",
        "1e999999 * 1e999999",
        "(" * 150 + "1" + ")" * 150,
        "1" + "+1" * 99,
        "sales sales",
        "",
        "\x00",
    ],
)
def test_what_is_no_calculation_says_why(expression: str) -> None:
    with pytest.raises(CalculationError) as error:
        evaluate(expression, FIGURES)

    assert error.value.message
    assert error.value.next_step
