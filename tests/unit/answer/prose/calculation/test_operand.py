from __future__ import annotations

from datetime import date
from decimal import Decimal

import pytest

from core.answer.prose.calculation.expression import DAY, CalculationError
from core.answer.prose.calculation.operand import operand

PAGE = """Condensed Statements of Income
($ in millions, except per share data) 2022 2021
Net sales $ 3,642 $ 3,507
Operating income 559 322
Other (23.9) 4
Diluted earnings per share: $ 0.307 $ 0.148
The agreement runs from 1 March 2020 to 30 June 2021, for a fee of EUR 1.5 million.
Margin 15.3% 9.2%
"""


@pytest.mark.parametrize(
    ("quote", "figure", "value", "unit"),
    [
        ("Net sales $ 3,642 $ 3,507", "3,642", "3642000000", "USD"),
        ("Net  sales $ 3,642 $ 3,507", "3,507", "3507000000", "USD"),
        ("Operating income 559 322", "322", "322000000", "USD"),
        ("Other (23.9) 4", "(23.9)", "23900000", "USD"),
        ("Diluted earnings per share: $ 0.307", "0.307", "0.307", "USD"),
        ("a fee of EUR 1.5 million", "EUR 1.5 million", "1500000", "EUR"),
        ("Margin 15.3% 9.2%", "9.2%", "9.2", "%"),
    ],
)
def test_a_figure_is_read_with_the_heads_of_its_table(quote: str, figure: str, value: str, unit: str) -> None:
    found = operand(PAGE, 0, len(PAGE), quote, figure)

    assert abs(found.quantity.value) == Decimal(value)
    assert found.quantity.unit == unit
    assert " ".join(PAGE[found.start : found.end].split()) == " ".join(quote.split())


@pytest.mark.parametrize(
    ("quote", "figure", "value", "unit"),
    [
        ("Loans | 2019 $'000: 4,223", "4,223", "4223000", "USD"),
        ("Shares vested | Number of Shares: 82,270", "82,270", "82270", ""),
        ("Shares vested | Number of Shares: 82,270 | Fair Value: 2.28", "2.28", "2.28", "USD"),
        ("Cash flow | 2018: 4,044 | 2017: 3,316", "3,316", "3316000000", "EUR"),
        ("Fees | 2020: 3 | 2021: 2", "2", "2000", ""),
    ],
)
def test_a_cell_with_its_label_is_read_by_that(quote: str, figure: str, value: str, unit: str) -> None:
    page = """Item: Loans | 2019 $'000: 4,223 | Section: Current
Item: Shares at begin | Number of Shares: 315,292 | Fair Value: $2.26
Item: Shares vested | Number of Shares: 82,270 | Fair Value: 2.28

Item | 2018 | 2017
2018: €m | 2017: €m
Item: Cash flow | 2018: 4,044 | 2017: 3,316

(In thousands): Fees | 2020: 3 | 2021: 2
"""

    found = operand(page, 0, len(page), quote, figure).quantity

    assert (found.value, found.unit) == (Decimal(value), unit)


def test_a_row_names_the_heads_that_it_was_read_with() -> None:
    found = operand(PAGE, 0, len(PAGE), "Operating income 559 322", "559")

    assert "($ in millions, except per share data) 2022 2021" in [PAGE[slice(*each)] for each in found.heads]


def test_a_day_is_a_figure() -> None:
    found = operand(PAGE, 0, len(PAGE), "from 1 March 2020 to 30 June 2021", "1 March 2020")

    assert found.quantity.unit == DAY
    assert found.quantity.value == date(2020, 3, 1).toordinal()


@pytest.mark.parametrize(
    ("quote", "figure"),
    [
        ("Net sales $ 3,999", "3,999"),
        ("Net sales $ 3,642 $ 3,507", "322"),
        ("Net sales", "sales"),
        ("Net sales", ""),
        ("", "3,642"),
        ("Net sales " * 60, "3,642"),
    ],
)
def test_what_does_not_stand_there_says_so(quote: str, figure: str) -> None:
    with pytest.raises(CalculationError):
        operand(PAGE, 0, len(PAGE), quote, figure)


def test_only_the_evidence_that_is_named_counts() -> None:
    with pytest.raises(CalculationError):
        operand(PAGE, 0, PAGE.index("Operating"), "Operating income 559 322", "559")
