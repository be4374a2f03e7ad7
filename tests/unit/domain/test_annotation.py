"""Worth of amounts by the rates of a base."""

from __future__ import annotations

from datetime import date
from decimal import Decimal

import pytest

from core.domain.annotation import NO_DAY, Accounting, Rate

RATES = (
    Rate("USD", Decimal("0.9"), date(2024, 1, 1)),
    Rate("USD", Decimal("0.8"), date(2024, 7, 1)),
    Rate("GBP", Decimal("1.2"), date(2024, 1, 1)),
)
NOW = Accounting("EUR", RATES)


@pytest.mark.parametrize(
    ("currency", "into", "day", "worth"),
    [
        ("USD", "EUR", None, "80.0"),
        ("USD", "EUR", date(2024, 6, 30), "90.0"),
        ("USD", "EUR", date(2024, 7, 1), "80.0"),
        ("USD", "EUR", date(2023, 7, 1), None),
        ("GBP", "USD", date(2024, 7, 1), "150"),
        ("JPY", "EUR", None, None),
        ("JPY", "JPY", None, "100"),
        ("EUR", "GBP", date(2023, 7, 1), None),
    ],
)
def test_an_amount_is_worth_what_the_rate_of_its_day_says(
    currency: str, into: str, day: date | None, worth: str | None
) -> None:
    found = NOW.worth(Decimal(100), currency, into, day.toordinal() if day else NO_DAY)
    assert found == (None if worth is None else Decimal(worth))


def test_without_rates_no_currency_has_a_worth() -> None:
    assert not Accounting("EUR").currencies
    assert NOW.currencies == {"EUR", "USD", "GBP"}
