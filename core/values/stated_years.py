"""Years that a text speaks of, however it writes them: "FY2017", "Q2'23", "from 2015 to 2017"."""

from __future__ import annotations

import re
from datetime import date
from typing import NamedTuple

from core.values.periods import find_periods

_MOST_YEARS = 12
_FOUR_DIGITS = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")
_ANY_DAY = date(2000, 1, 1)  # periods that are reckoned from today are left out


class StatedYears(NamedTuple):
    """Years that text[start:end] says."""

    start: int
    end: int
    years: tuple[str, ...]


def find_years(text: str) -> list[StatedYears]:
    """The periods of a text with the years that they lie in; what is reckoned from today is left out.

    Of an open period ("as of FY2022", "since 2015") the year that is said, where it lies in the period.
    """
    found = []
    for start, end, period, base in find_periods(text, _ANY_DAY):
        said = base if base.first == period.first or base.last == period.last else period
        if said.first is None or said.last is None or period.is_relative:
            continue
        low, high = sorted((said.first.year, said.last.year))  # "between FY2023 and FY2022"
        if high - low < _MOST_YEARS:
            found.append(StatedYears(start, end, tuple(map(str, range(low, high + 1)))))
    return found


def written_years(text: str) -> tuple[str, ...]:
    """Every year that is written out, in order, as heads of columns have them."""
    return tuple(_FOUR_DIGITS.findall(text))


def years_said(question: str) -> tuple[str, ...]:
    """The years, in order, each once; () for none and for a span of a lifetime.

    >>> years_said("the margin of FY2017 beside Q2'16")
    ('2017', '2016')
    """
    found = dict.fromkeys(year for each in find_years(question) for year in each.years)
    return tuple(found) if len(found) <= _MOST_YEARS else ()
