from __future__ import annotations

import pytest

from core.answer.value import direct_value, show_calculation, show_value
from core.domain.answer import Citation, CitedCalculation, CitedFigure, Value


@pytest.mark.parametrize(
    ("question", "quote", "shown"),
    [
        ("What is the minimum panel width?", "Minimum panel width: 1,134 mm", "1,134 mm"),
        ("What is the panel width?", "Width 1,134 mm, height 2,278 mm", "1,134 mm"),
        ("How many days' notice are needed?", "on thirty (30) days' written notice", "30 days"),
        ("What is the notice period?", "with 60 business days notice", "60 business days"),
        ("What is the liability cap?", "shall not exceed USD 500,000 per incident", "USD 500,000.00"),
        ("What is the fee?", "a fee of $1.5 million", "USD 1,500,000.00"),
        ("When does it expire?", "begins on July 1, 2023 and ends on June 30, 2025", "30 Jun 2025"),
        ("When does it start?", "begins on July 1, 2023 and ends on June 30, 2025", "1 Jul 2023"),
        ("What is the effective date?", "made on 2024-10-03", "3 Oct 2024"),
        ("What is the efficiency?", "Module efficiency 20.5 %", "20.5%"),
        ("What is the maximum DC voltage?", "maximum 1,100 V, minimum 200 V", "1,100 V"),
        ("What is the maximum input voltage?", "Input voltage | 200 to 1,000 V DC", "1,000 V"),
        ("What is the notice period?", "on ninety-five days' written notice", "95 days"),
        ("What is the penalty for late payment?", "interest of one percent a month", "1 percent"),
        ("How many employees?", "It has 45 employees in 3 halls all over town.", "45 employees"),
        (
            "What is the fee from 1 May 2031?",
            "A fee of EUR 45 [footnote 2: EUR 50 from 1 May 2031]",
            "EUR 50.00",
        ),
        ("How many beds are there?", "It has 1,250² beds in all.", "1,250"),
        ("How wide is it?", "a panel width of 1,134 mm, a height of 1,722 mm", "1,134 mm"),
        ("What is the minimum input voltage?", "Input voltage | 200 to 1,000 V DC", "200 V"),
    ],
)
def test_an_unambiguous_value_is_read(question: str, quote: str, shown: str) -> None:
    value = direct_value(question, quote)
    assert value is not None
    assert show_value(value) == shown


@pytest.mark.parametrize(
    ("question", "quote"),
    [
        ("What is the cap?", "$500 per incident and $900 in all"),
        ("What is the voltage?", "an inverter of 60 kW"),
        ("What is the voltage?", "200 to 1,000 V DC"),
        ("When does it expire?", "on 31 February 2024"),
        ("When does it expire?", "entered into as of January 1, 2023"),
        ("Who signs?", "Jane Doe, 3 May 2024"),
        ("What is the notice period?", "a reasonable time"),
    ],
)
def test_a_doubtful_value_is_left_out(question: str, quote: str) -> None:
    assert direct_value(question, quote) is None


def test_an_amount_without_a_currency_is_its_number() -> None:
    assert show_value(Value(type="money", value="4310.5")) == "4,310.50"


def test_a_year_is_not_grouped() -> None:
    assert show_value(Value(type="number", value="2031")) == "2031"
    assert show_value(Value(type="number", value="2031", unit="kg")) == "2,031 kg"


def test_money_keeps_cents_exactly() -> None:
    value = direct_value("What is the price?", "EUR 99,999,999,999,999.99")
    assert value is not None
    assert (value.value, value.unit) == ("99999999999999.99", "EUR")


def test_a_calculation_is_a_line_with_its_figures_and_citations() -> None:
    cited = [
        Citation(n=n, document="d", title="T", source="t.txt", version=1, page=1, start=0, end=3, quote="1 2")
        for n in (2, 3)
    ]
    figures = tuple(
        CitedFigure(name=name, written=written, value=written, unit="", citations=(cite,))
        for name, written, cite in zip("ab", "12", cited, strict=True)
    )
    made = CitedCalculation(
        label="half",
        expression="a / b",
        shown="1 / 2",
        value=Value(type="number", value="0.5"),
        figures=figures,
    )

    assert show_calculation(made) == "half = 1 / 2 = 0.5 [2] [3]"


def test_powers_and_marks_of_notes_are_read_and_what_is_deleted_is_not() -> None:
    told = [
        ("How many load cycles are allowed?", "It stands 10⁴ load cycles.", "10000"),
        ("How many cycles are allowed?", "The limit is 3 × 10⁵ cycles.", "300000"),
        ("What is the rent?", "The rent is CHF 4,000² a month.", "4000.00"),
        ("When does it end?", "It ends on 3 May 2026⁴.", "2026-05-03"),
        ("What is the rent?", "Rent: [deleted: CHF 900] CHF 950 [comment by Ida: 970?]", "950.00"),
        ("What is the deleted rent?", "Rent: [deleted: CHF 900]", "900.00"),
    ]
    for question, quote, value in told:
        found = direct_value(question, quote)
        assert found is not None
        assert found.value == value, quote
    assert direct_value("What is the rent?", "Rent: [deleted: CHF 900]") is None
