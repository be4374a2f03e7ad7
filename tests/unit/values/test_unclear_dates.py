"""Dates that no calendar has, and those with two readings."""

import pytest

from core.values.dates import ambiguous_date, impossible_date


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("leases signed on 30 February 2021", "30 February 2021"),
        ("due before 2022-13-05", "2022-13-05"),
        ("after 31/04/2020", "31/04/2020"),
        ("signed on 28 February 2021", ""),
        ("no day at all", ""),
    ],
)
def test_a_day_that_no_calendar_has_is_found(text: str, found: str) -> None:
    assert impossible_date(text) == found


def test_a_day_with_two_readings_gives_both() -> None:
    assert ambiguous_date("paid on 05/06/2019") == ("05/06/2019", ("2019-05-06", "2019-06-05"))


@pytest.mark.parametrize("text", ["paid on 25/06/2019", "paid on 5 June 2019", "paid in 2019", ""])
def test_a_day_with_one_reading_is_clear(text: str) -> None:
    assert ambiguous_date(text) is None
