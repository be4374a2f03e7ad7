"""Periods of the calendar."""

from __future__ import annotations

from datetime import date

import pytest

from core.values.calendar_periods import (
    easter,
    holiday,
    months,
    quarter,
    season_near,
    shifted,
    unit_of,
    weekday_near,
    year_said,
)

TODAY = date(2024, 11, 22)  # a Friday in autumn


def test_months_go_on_into_the_next_year() -> None:
    found = months(2021, 12, 3)

    assert (found.first, found.last) == (date(2021, 12, 1), date(2022, 2, 28))
    assert quarter(2024, 4).last == date(2024, 12, 31)


@pytest.mark.parametrize(
    ("unit", "shift", "first", "last"),
    [
        ("week", 0, date(2024, 11, 18), date(2024, 11, 24)),
        ("month", 2, date(2025, 1, 1), date(2025, 1, 31)),
        ("quarter", -1, date(2024, 7, 1), date(2024, 9, 30)),
        ("year", -1, date(2023, 1, 1), date(2023, 12, 31)),
    ],
)
def test_units_of_the_calendar_are_counted_from_the_present_one(
    unit: str, shift: int, first: date, last: date
) -> None:
    found = unit_of(unit, shift, TODAY)

    assert (found.first, found.last, found.is_relative) == (first, last, True)


@pytest.mark.parametrize(
    ("month", "step", "first"),
    [
        (6, -1, date(2024, 6, 1)),
        (9, -1, date(2023, 9, 1)),
        (9, 0, date(2024, 9, 1)),
        (3, 1, date(2025, 3, 1)),
    ],
)
def test_a_season_is_the_last_that_is_over_or_the_next_that_begins(
    month: int, step: int, first: date
) -> None:
    assert season_near(month, step, TODAY).first == first


def test_days_of_the_week_are_near_today() -> None:
    assert weekday_near(4, "", TODAY) == TODAY
    assert weekday_near(0, "", TODAY) == date(2024, 11, 25)
    assert weekday_near(4, "last", TODAY) == date(2024, 11, 15)
    assert weekday_near(4, "next", TODAY) == date(2024, 11, 29)


def test_holidays_are_where_the_church_has_them() -> None:
    assert [easter(year) for year in (2019, 2023, 2024, 2038)] == [
        date(2019, 4, 21),
        date(2023, 4, 9),
        date(2024, 3, 31),
        date(2038, 4, 25),
    ]
    assert holiday("whitsun", 2023) == date(2023, 5, 28)
    assert holiday("new year's eve", 2023) == date(2023, 12, 31)


def test_years_are_said_in_digits_and_in_words() -> None:
    assert [year_said(said, TODAY) for said in (None, "2019", "'19", "next year", "this year")] == [
        2024,
        2019,
        2019,
        2025,
        2024,
    ]


def test_no_day_lies_beyond_the_calendar() -> None:
    assert shifted(TODAY, (12 * 9_000, 0), 1) is None
