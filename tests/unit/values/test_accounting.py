"""Exchange rates as people write them, and the currency that a question asks for."""

from __future__ import annotations

from datetime import date
from decimal import Decimal

import pytest

from core.domain.annotation import Accounting, Rate
from core.errors import UsageError
from core.values.accounting import checked, question_currency, read_csv, read_rate

NOW = Accounting("EUR", (read_rate("USD", "0.92", "2024-01-01"), read_rate("CAD", "0.68", "2024-01-01")))


@pytest.mark.parametrize(
    ("currency", "rate", "said"),
    [
        ("USD", "0", "no number that can be used"),
        ("USD", "-1", "no number that can be used"),
        ("USD", "1e400", "no number that can be used"),
        ("USD", "1" * 5_000, "no number that can be used"),
        ("USD", "nan", "no number that can be used"),
        ("USD", "0.0000000000000000001", "no number that can be used"),
        ("USD", "1,08", "written with a comma"),
        ("XYZ", "1", "no currency that is known"),
        ("$", "1", "Several currencies share it"),
        ("dollars", "1", "Several currencies share it"),
    ],
)
def test_a_rate_that_cannot_be_used_is_refused_in_words(currency: str, rate: str, said: str) -> None:
    with pytest.raises(UsageError, match=said) as refused:
        read_rate(currency, rate)
    assert refused.value.next_step


def test_a_file_of_rates_is_read_whatever_the_order_of_its_columns() -> None:
    found = read_csv(
        '\ufeffday;Rate;currency;source\n2024-01-01;0.92;usd;"Bank; table 2"\n\n;1.2;GBP;\n', date(2026, 1, 2)
    )
    assert found == (
        Rate("USD", Decimal("0.92"), date(2024, 1, 1), "Bank; table 2"),
        Rate("GBP", Decimal("1.2"), date(2026, 1, 2)),
    )


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "does not name its columns"),
        ("USD,0.92\n", "does not name its columns"),
        ("currency,rate\nUSD,0,92\n", "Line 2 has 3 cells"),
        ("currency;rate\nUSD;0,92\n", "Line 2: The rate '0,92' of USD is written with a comma"),
        ("currency,rate,day\nGBP,1,2024-01-01\nUSD,1,1.1.2024\n", "Line 3: The day '1.1.2024'"),
        ('currency,rate\n"USD,1\n', "Line"),
        ("x" * 5_000_001, "longer than 5 MB"),
    ],
)
def test_a_file_with_a_wrong_line_is_refused_with_its_place(text: str, said: str) -> None:
    with pytest.raises(UsageError, match=said):
        read_csv(text)


def test_a_base_has_one_rate_for_a_currency_and_a_day_and_none_for_itself() -> None:
    usd = read_rate("USD", "1", "2024-01-01")
    with pytest.raises(UsageError, match="USD has two rates for 2024-01-01"):
        checked([usd, read_rate("USD", "2", "2024-01-01")], "EUR")
    with pytest.raises(UsageError, match="USD is the base"):
        checked([usd], "USD")


@pytest.mark.parametrize(
    ("question", "rest", "into"),
    [
        ("total value in EUR", "total value", "EUR"),
        ("total value converted to euros by vendor", "total value by vendor", "EUR"),
        ("total value in dollars?", "total value", "USD"),
        ("total value in JPY", "total value in JPY", ""),  # no rate
        ("value above EUR 5", "value above EUR 5", ""),
        ("value above EUR 5 as total in USD", "value above EUR 5 as total", "USD"),
        ("EUR in USD value", "EUR in USD value", ""),
        ("", "", ""),
    ],
)
def test_a_question_names_one_currency_that_has_a_rate(question: str, rest: str, into: str) -> None:
    assert question_currency(question, NOW) == (rest, into)


def test_dollars_are_those_of_the_base_where_that_has_them() -> None:
    cad = Accounting("CAD", (read_rate("USD", "1.35", "2024-01-01"),))
    assert question_currency("total value in dollars", cad)[1] == "CAD"
    assert question_currency("total value in USD", cad)[1] == "USD"
    assert question_currency("total value in EUR", Accounting())[1] == ""
