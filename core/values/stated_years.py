"""Years that a text speaks of, however it writes them: "FY2017", "Q2'23", "from 2015 to 2017"."""

from __future__ import annotations

from datetime import date
from typing import NamedTuple

from core.values.periods import find_periods

_MOST_YEARS = 12
_ANY_DAY = date(2000, 1, 1)  # periods that are reckoned from today are left out


class StatedYears(NamedTuple):
    """Years that text[start:end] says."""

    start: int
    end: int
    years: tuple[str, ...]


def find_years(text: str) -> list[StatedYears]:
    """The periods of a text with the years that they lie in; what is reckoned from today is left out."""
    found = []
    for start, end, period, _ in find_periods(text, _ANY_DAY):
        if period.first is None or period.last is None or period.is_relative:
            continue
        if period.last.year - period.first.year < _MOST_YEARS:
            years = tuple(map(str, range(period.first.year, period.last.year + 1)))
            found.append(StatedYears(start, end, years))
    return found


def years_said(question: str) -> tuple[str, ...]:
    """The years, in order, each once; () for none and for what spans a lifetime.

    >>> years_said("the margin of FY2017 beside Q2'16")
    ('2017', '2016')
    """
    found = dict.fromkeys(year for each in find_years(question) for year in each.years)
    return tuple(found) if len(found) <= _MOST_YEARS else ()
