"""Periods of the calendar: months, quarters, seasons, weekdays, holidays, and the units that a day is in."""

from __future__ import annotations

from calendar import monthrange
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import date, timedelta

from core.domain.fields import TypedValue
from core.values.dates import add_months

ONE_DAY = timedelta(days=1)
MONTHS_OF = {"month": 1, "quarter": 3, "year": 12, "decade": 120}
DAYS_OF = {"day": 1, "week": 7, "fortnight": 14}
SEASONS = {"spring": 3, "summer": 6, "autumn": 9, "fall": 9, "winter": 12}
"""Seasons of the north with their first months; the winter of a year ends in the next."""
STEPS = {"next": 1, "coming": 1, "following": 1, "last": -1, "previous": -1, "past": -1}
"""Words that tell a unit of the calendar from the present one, with how far away it is."""
WEEKDAYS = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]


@dataclass(frozen=True, slots=True)
class Period:
    """Days from `first` to `last`, both included; None: open. is_relative: reckoned from today.

    length: where "within 90 days" may also be a length of time.
    """

    first: date | None
    last: date | None
    is_relative: bool = False
    length: TypedValue | None = None


def months(year: int, month: int, count: int) -> Period:
    """So many months, from the month of a year on."""
    end = year * 12 + month + count - 2
    last_year, last = end // 12, end % 12 + 1
    return Period(date(year, month, 1), date(last_year, last, monthrange(last_year, last)[1]))


def quarter(year: int, number: int) -> Period:
    """A quarter of a calendar year."""
    return months(year, 3 * number - 2, 3)


def whole_year(year: int) -> Period:
    """A calendar year."""
    return Period(date(year, 1, 1), date(year, 12, 31))


def in_fiscal_years(make: Callable[[date], Period | None], today: date, first_month: int) -> Period | None:
    """A period that is reckoned in fiscal years, each called by the calendar year that it ends in.

    make: the same reckoned in calendar years, from a day that is today.
    """
    ahead = (13 - first_month) % 12
    period = make(shifted(today, (ahead, 0), 1) or today)
    if not ahead or period is None or period.first is None or period.last is None:
        return period
    first, after = shifted(period.first, (ahead, 0), -1), shifted(period.last + ONE_DAY, (ahead, 0), -1)
    return None if first is None or after is None else replace(period, first=first, last=after - ONE_DAY)


def one_day(day: date, *, is_relative: bool = False) -> Period:
    """A day."""
    return Period(day, day, is_relative)


def unit_of(unit: str, shift: int, today: date) -> Period:
    """The week, month, quarter, year or decade that today is in, or one so many after it."""
    if unit == "week":
        monday = today - timedelta(days=today.weekday() - 7 * shift)
        return Period(monday, monday + timedelta(days=6), is_relative=True)
    count = MONTHS_OF[unit]
    first = (today.year * 12 + today.month - 1) // count * count + shift * count
    return replace(months(first // 12, first % 12 + 1, count), is_relative=True)


def shifted(day: date, length: tuple[int, int], sign: int) -> date | None:
    """The day so many months and days later, or earlier; None beyond the calendar."""
    try:
        return add_months(day, sign * length[0], sign * length[1])
    except (ValueError, OverflowError):
        return None


def year_said(said: str | None, today: date) -> int:
    """The year of "2019", "'19" or "last year"; that of today for None."""
    if not said:
        return today.year
    digits = said.strip("'")
    if digits.isdigit():
        return int(digits) if len(digits) == 4 else 2000 + int(digits)
    return today.year + next((STEPS[word] for word in said.lower().split() if word in STEPS), 0)


def season_near(month: int, step: int, today: date) -> Period:
    """The season that begins in a month: the last that is over, the next that begins, or this year's."""
    every = [months(today.year + shift, month, 3) for shift in (-2, -1, 0, 1, 2)]
    if step < 0:
        found = [each for each in every if each.last is not None and each.last < today][-1]
    elif step > 0:
        found = next(each for each in every if each.first is not None and each.first > today)
    else:
        found = next(each for each in every if each.last is not None and each.last >= today)
    return replace(found, is_relative=True)


def weekday_near(number: int, which: str, today: date) -> date:
    """The day of the week (0 is Monday) that is next from today on; the last before it, or next week's."""
    if which in ("last", "past"):
        return today - timedelta(days=(today.weekday() - number - 1) % 7 + 1)
    if which == "next":
        return today + timedelta(days=7 + number - today.weekday())
    return today + timedelta(days=(number - today.weekday()) % 7)


def holiday(name: str, year: int) -> date:
    """Christmas, Easter, Whitsun, or the day or the eve of a new year."""
    if name == "christmas":
        return date(year, 12, 25)
    if name in ("easter", "whitsun", "pentecost"):
        return easter(year) + timedelta(days=0 if name == "easter" else 49)
    return date(year, 12, 31) if name.endswith("eve") else date(year, 1, 1)


def easter(year: int) -> date:
    """Easter Sunday. Source: Butcher's algorithm, as in Meeus, Astronomical Algorithms, ch. 8."""
    century, rest = divmod(year, 100)
    golden = year % 19
    epact = (19 * golden + century - century // 4 - (century - (century + 8) // 25 + 1) // 3 + 15) % 30
    weekday = (32 + 2 * (century % 4) + 2 * (rest // 4) - epact - rest % 4) % 7
    late = (golden + 11 * epact + 22 * weekday) // 451
    month, day = divmod(epact + weekday - 7 * late + 114, 31)
    return date(year, month, day + 1)
