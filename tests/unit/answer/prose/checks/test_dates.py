"""Dates of a claim in any notation."""

from __future__ import annotations

import pytest

from core.answer.prose.checks import check_claim
from core.answer.prose.checks.dates import check_dates

SOURCE = "It is dated as of October 3, 2024."


@pytest.mark.parametrize(
    "written", ["3 Oct 2024", "2024-10-03", "October 3, 2024", "October 2024", "October 3", "in October"]
)
def test_a_date_or_part_of_it_passes(written: str) -> None:
    assert check_dates(f"It is dated {written}.", [SOURCE]).ok


@pytest.mark.parametrize(
    "written", ["4 Oct 2024", "2024-11-03", "October 3, 2023", "October 2023", "October 4", "in November"]
)
def test_another_date_fails(written: str) -> None:
    assert not check_dates(f"It is dated {written}.", [SOURCE]).ok


def test_a_year_may_stand_apart_from_its_day() -> None:
    assert check_dates("It ended on December 31, 2018.", ["It ended on December 31 of 2018."]).ok


def test_may_as_a_verb_is_no_month() -> None:
    assert check_dates("The tenant May assign it.", ["The tenant can assign it."]).ok


@pytest.mark.parametrize("written", ["on 03 June at 08:15", "on 3 June, 08:15"])
def test_an_hour_behind_a_day_is_no_year(written: str) -> None:
    report = check_claim(f"The gate was opened {written}.", ["03 June, 08:15: Gate opened, lock oiled."])
    assert not report.failed
