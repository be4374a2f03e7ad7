"""Periods in words, with the day from which they are reckoned."""

from __future__ import annotations

from datetime import date
from time import thread_time

import pytest

from core.values.periods import find_periods

TODAY = date(2024, 11, 22)  # a Friday


def _said(text: str, *, is_dated: bool = True) -> list[str]:
    found = find_periods(text, TODAY, is_dated=is_dated)
    return [f"{each.period.first or ''}..{each.period.last or ''}" for each in found]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("from 1990 to 1999", "1990-01-01..1999-12-31"),
        ("from year 2006 till 2009", "2006-01-01..2009-12-31"),
        ("2018-2020", "2018-01-01..2020-12-31"),
        ("2019/20", "2019-01-01..2020-12-31"),
        ("executed in the nineties", "1990-01-01..1999-12-31"),
        ("in the 1990s", "1990-01-01..1999-12-31"),
        ("from the '90s", "1990-01-01..1999-12-31"),
        ("a date in the 2010s", "2010-01-01..2019-12-31"),
        ("in the early twenties", "2020-01-01..2023-12-31"),
        ("since mid-2016", "2016-05-01.."),
        ("in the last two years", "2022-11-22..2024-11-22"),
        ("over the past six months", "2024-05-22..2024-11-22"),
        ("over the last decade", "2014-11-22..2024-11-22"),
        ("in the last year", "2023-11-22..2024-11-22"),
        ("last year", "2023-01-01..2023-12-31"),
        ("within the next ten days", "2024-11-22..2024-12-02"),
        ("since last March", "2024-03-01.."),
        ("since last December", "2023-12-01.."),
        ("next march", "2025-03-01..2025-03-31"),
        ("since december", "2023-12-01.."),
        ("before june", "..2024-05-31"),
        ("Q3 2023", "2023-07-01..2023-09-30"),
        ("in the second quarter", "2024-04-01..2024-06-30"),
        ("last quarter", "2024-07-01..2024-09-30"),
        ("in the first half of 2022", "2022-01-01..2022-06-30"),
        ("by the end of Q3", "..2024-09-30"),
        ("end of March", "2024-03-31..2024-03-31"),
        ("by the end of the month", "..2024-11-30"),
        ("before year-end", "..2024-12-30"),
        ("between 1 February and 30 April 2021", "2021-02-01..2021-04-30"),
        ("from 1 december to 31 January 2021", "2020-12-01..2021-01-31"),
        ("from 15 Jan to 15 Feb 2008", "2008-01-15..2008-02-15"),
        ("between january and march of 2007", "2007-01-01..2007-03-31"),
        ("December 2021 to February 2022", "2021-12-01..2022-02-28"),
        ("between now and the end of next year", "2024-11-22..2025-12-31"),
        ("after 1 October", "2024-10-02.."),
        ("older than five years", "..2019-11-21"),
        ("newer than a year", "2023-11-23.."),
        ("more than two years ago", "..2022-11-21"),
        ("two years ago", "2022-01-01..2022-12-31"),
        ("last autumn", "2023-09-01..2023-11-30"),
        ("sold last summer", "2024-06-01..2024-08-31"),
        ("winter 2021", "2021-12-01..2022-02-28"),
        ("before Christmas 2019", "..2019-12-24"),
        ("between Easter and Whitsun 2023", "2023-04-09..2023-05-28"),
        ("due before Friday", "..2024-11-21"),
        ("last Monday", "2024-11-18..2024-11-18"),
        ("tomorow", "2024-11-23..2024-11-23"),
        ("this year so far", "2024-01-01..2024-11-22"),
        ("in or after 2018", "2018-01-01.."),
        ("2015 or earlier", "..2015-12-31"),
        ("2023-04", "2023-04-01..2023-04-30"),
        ("FY2021", "2021-01-01..2021-12-31"),
        ("within six months of the start of 2025", "2025-01-01..2025-07-01"),
        ("in the 60 days before 31 December 2024", "2024-11-01..2024-12-30"),
    ],
)
def test_words_say_days(text: str, expected: str) -> None:
    assert _said(text) == [expected]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("signed after 2010", "2010-01-01..2010-12-31"),
        ("by the end of Q3", "2024-09-30..2024-09-30"),
        ("since 2019", "2019-01-01..2019-12-31"),
    ],
)
def test_the_date_is_kept_beside_what_bounds_it(text: str, expected: str) -> None:
    (found,) = find_periods(text, TODAY)

    assert f"{found.base.first}..{found.base.last}" == expected


def test_dates_that_are_listed_are_periods_of_their_own() -> None:
    assert _said("2019, 2020 or 2021") == [f"{year}-01-01..{year}-12-31" for year in (2019, 2020, 2021)]


@pytest.mark.parametrize("text", ["which april may do", "on friday", "older than five years", "2018-2020"])
def test_running_text_says_less_than_what_is_said_of_a_day(text: str) -> None:
    assert not _said(text, is_dated=False)


@pytest.mark.parametrize(
    "text", ["it may march on", "20s", "top 90", "may expire", "section 4.2", "1,990 units"]
)
def test_other_words_say_no_period(text: str) -> None:
    assert not _said(text)


@pytest.mark.parametrize(
    "part",
    [
        "in the last ",
        "one hundred and ",
        "from 1 may to ",
        " " * 50,
        "end of the ",
        "in 2 days before 1 may 2020 ",
    ],
)
def test_hostile_text_costs_time_in_proportion_to_its_length(part: str) -> None:
    def seconds(size: int) -> float:
        """The least processor time of three: what else the machine does is not counted."""
        text, spent = (part * size)[: size * 10], []
        for _ in range(3):
            start = thread_time()
            find_periods(text, TODAY, is_dated=True)
            spent.append(thread_time() - start)
        return min(spent)

    assert seconds(2_000) < 40 * max(seconds(200), 0.002)


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("in fiscal 2024", "2023-04-01", "2024-03-31"),
        ("FY24", "2023-04-01", "2024-03-31"),
        ("Q1 FY2024", "2023-04-01", "2023-06-30"),
        ("Q4 FY24", "2024-01-01", "2024-03-31"),
        ("first half of fiscal 2024", "2023-04-01", "2023-09-30"),
        ("last fiscal year", "2025-04-01", "2026-03-31"),
        ("next fiscal quarter", "2027-01-01", "2027-03-31"),
        ("in 2024", "2024-01-01", "2024-12-31"),
        ("calendar year 2024", "2024-01-01", "2024-12-31"),
        ("Q1 2024", "2024-01-01", "2024-03-31"),
    ],
)
def test_fiscal_years_begin_in_a_month_and_are_called_by_their_end(text: str, first: str, last: str) -> None:
    (found,) = find_periods(text, date(2026, 11, 30), is_dated=True, fiscal_month=4)
    assert (str(found.period.first), str(found.period.last)) == (first, last)
    (plain,) = find_periods(text, date(2026, 11, 30), is_dated=True)
    assert plain.period.first is not None
    assert plain.period.first.month % 3 == 1
