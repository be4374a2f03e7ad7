"""Years that a question speaks of, however it writes them: "FY2017", "Q2'23", "from 2015 to 2017"."""

from __future__ import annotations

from datetime import date

from core.values.periods import find_periods

_MOST_YEARS = 12
_ANY_DAY = date(2000, 1, 1)  # periods that are reckoned from today are left out


def years_said(question: str) -> tuple[str, ...]:
    """The years, in order, each once; () for none and for what spans a lifetime.

    >>> years_said("the margin of FY2017 beside Q2'16")
    ('2017', '2016')
    """
    found: dict[str, None] = {}
    for each in find_periods(question, _ANY_DAY):
        period = each.period
        if period.first is None or period.last is None or period.is_relative:
            continue
        if period.last.year - period.first.year < _MOST_YEARS:
            found |= {str(year): None for year in range(period.first.year, period.last.year + 1)}
    return tuple(found) if len(found) <= _MOST_YEARS else ()
