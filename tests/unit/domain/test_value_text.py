"""Typed values as a person reads them."""

from __future__ import annotations

from decimal import Decimal

import pytest

from core.domain.fields import FieldType, TypedValue
from core.domain.value_text import shortened, shown


@pytest.mark.parametrize(
    ("exact", "read"),
    [
        ("178.3333333333333333333333333", "178.33"),
        ("10.66666666666666666666666667", "10.67"),
        ("0.0001234567890123", "0.0001235"),
        ("3.14159265", "3.14159265"),
        ("1250.5", "1250.5"),
        ("0", "0"),
    ],
)
def test_a_quotient_without_end_is_shortened_and_what_is_written_is_not(exact: str, read: str) -> None:
    assert shortened(Decimal(exact)) == Decimal(read)


def test_a_number_is_shown_with_its_unit() -> None:
    assert shown(TypedValue(FieldType.NUMBER, "1058.33333333333333333333", unit="km")) == "1,058.33 km"


@pytest.mark.parametrize(
    ("canonical", "original", "read"),
    [
        ("P140D", "20 weeks", "20 weeks"),
        ("P7D", "one week", "1 week"),
        ("P140D", "140 days", "140 days"),
        ("P10D", "one week and three days", "10 days"),
        ("P2Y", "24 months", "2 years"),
        ("PT40M", "40min", "40 minutes"),
        ("P1DT2H1S", "a day, 2 hours and a second", "1 day 2 hours 1 second"),
        ("PT2H15M", "2 h 15 min", "2 hours 15 minutes"),
        ("PT5M30S", "5:30 min", "5 minutes 30 seconds"),
    ],
)
def test_a_length_is_shown_in_words_and_in_weeks_where_these_are_counted(
    canonical: str, original: str, read: str
) -> None:
    assert shown(TypedValue(FieldType.DURATION, canonical, original=original)) == read
