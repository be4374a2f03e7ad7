"""Conditions out of days, months and years, by the kind of column that they are laid on."""

from __future__ import annotations

import re
from calendar import monthrange
from dataclasses import replace
from datetime import date

from core.domain.predicate import Operator
from core.plan.language.pieces import DayRange
from core.plan.language.reading.dates import find_periods
from core.plan.tables.header import ColumnKind, ColumnWords
from core.plan.tables.query import Clause, ColumnFilter
from core.values.dates import month_number

_QUARTER = re.compile(r"quarter|q[1-4]|half|h[12]")
_RELATIVE = frozenset(["last", "next", "this", "current", "previous", "past"])


def period_clause_of(column: ColumnWords, period: DayRange, said: str, today: date) -> Clause:
    """The condition that a column lies in a period; () where nothing of it does. said: the words for it."""
    if column.kind is ColumnKind.DAY:
        return _of_days(column, period, said)
    if column.kind is ColumnKind.YEAR:
        return _of_years(column, period)
    texts = tuple(text for text in column.entry.texts if _is_within(text, period, said, today))
    if not texts:
        return ()
    return (ColumnFilter(column, Operator.EQUAL if len(texts) == 1 else Operator.IN, texts),)


def has_edge_of(column: ColumnWords, period: DayRange) -> bool:
    """True where a period begins or ends among the days or years of a column: they are likelier meant."""
    low, high = column.entry.low, column.entry.high
    if low is None or high is None:
        return False
    edges = [each for each in (period.first, period.last) if each is not None]
    if column.kind is ColumnKind.YEAR:
        return any(low <= each.year <= high for each in edges)
    return any(low <= each.toordinal() <= high for each in edges)


def _of_days(column: ColumnWords, period: DayRange, said: str) -> Clause:
    month = _bare_month(said)
    if month and period.first is not None and period.last is not None:
        years = _years_of(column)
        spans = [_month_of(year, month) for year in years]
        inside = [(a, b) for a, b in spans if _overlaps(column, a, b)]
        if inside:
            return tuple(
                ColumnFilter(column, Operator.BETWEEN, (a.isoformat(), b.isoformat())) for a, b in inside
            )
    period = _in_year(column, period, said)
    if period.first is not None and period.last is not None:
        if period.first == period.last:
            return (ColumnFilter(column, Operator.EQUAL, (period.first.isoformat(),)),)
        return (ColumnFilter(column, Operator.BETWEEN, (period.first.isoformat(), period.last.isoformat())),)
    if period.first is not None:
        return (ColumnFilter(column, Operator.GREATER_EQUAL, (period.first.isoformat(),)),)
    if period.last is not None:
        return (ColumnFilter(column, Operator.LESS_EQUAL, (period.last.isoformat(),)),)
    return ()


def _in_year(column: ColumnWords, period: DayRange, said: str) -> DayRange:
    """A period of days without a year, in the last year of the column."""
    words = [word.strip(".,") for word in said.split()]
    has_month = any((len(word) > 2 and month_number(word)) or _QUARTER.fullmatch(word) for word in words)
    has_year = any(len(word) == 4 and word.isdigit() for word in words) or bool(_RELATIVE & set(words))
    years = _years_of(column)
    if not has_month or has_year or not years:
        return period
    year = years[-1]

    def moved(day: date | None) -> date | None:
        return (
            None if day is None else day.replace(year=year, day=min(day.day, monthrange(year, day.month)[1]))
        )

    return replace(period, first=moved(period.first), last=moved(period.last))


def _of_years(column: ColumnWords, period: DayRange) -> Clause:
    first = period.first.year if period.first is not None else None
    last = period.last.year if period.last is not None else None
    if first is not None and last is not None:
        if first == last:
            return (ColumnFilter(column, Operator.EQUAL, (str(first),)),)
        return (ColumnFilter(column, Operator.BETWEEN, (str(first), str(last))),)
    if first is not None:
        return (ColumnFilter(column, Operator.GREATER_EQUAL, (str(first),)),)
    return (ColumnFilter(column, Operator.LESS_EQUAL, (str(last),)),) if last is not None else ()


def spanning(first: Clause, last: Clause) -> Clause:
    """Days from the beginning of one period to the end of another."""
    start, end = first[0], last[-1]
    if start.op is not Operator.BETWEEN or end.op is not Operator.BETWEEN:
        return (*first, *last)
    return (replace(start, values=(start.values[0], end.values[1])),)


def negated(clause: Clause) -> Clause:
    """The other days: before a period or after it."""
    found = clause[0]
    if len(clause) > 1 or found.op not in (Operator.BETWEEN, Operator.EQUAL, Operator.IN):
        return clause
    if found.op is Operator.BETWEEN:
        return (
            replace(found, op=Operator.LESS, values=found.values[:1]),
            replace(found, op=Operator.GREATER, values=found.values[1:]),
        )
    return (replace(found, op=Operator.NOT_EQUAL),)


def _bare_month(said: str) -> int:
    """The month of "in March"; 0 where a year or a day stands with it."""
    words = [word.strip(".,") for word in said.split()]
    if any(char.isdigit() for char in said) or any(w in ("this", "last", "next") for w in words):
        return 0
    return next((number for word in words if len(word) > 2 and (number := month_number(word))), 0)


def _years_of(column: ColumnWords) -> range:
    low, high = column.entry.low, column.entry.high
    if low is None or high is None:
        return range(0)
    return range(date.fromordinal(int(low)).year, date.fromordinal(int(high)).year + 1)


def _month_of(year: int, month: int) -> tuple[date, date]:
    return date(year, month, 1), date(year, month, monthrange(year, month)[1])


def _overlaps(column: ColumnWords, first: date, last: date) -> bool:
    low, high = column.entry.low, column.entry.high
    return low is not None and high is not None and first.toordinal() <= high and last.toordinal() >= low


def _is_within(text: str, period: DayRange, said: str, today: date) -> bool:
    """True where a text that says a month, a quarter or a year lies in a period."""
    own, wanted = month_number(text.split()[0]), _bare_month(said)
    if own and not any(char.isdigit() for char in text):
        if wanted:
            return own == wanted
        if period.first is None or period.last is None:
            return False
        months = {
            (period.first.month + n - 1) % 12 + 1 for n in range((period.last - period.first).days // 28)
        }
        return own in (months or {period.first.month})
    found = [each for _, _, each in find_periods(f"in {text}", today)]
    spans = [each for each in found if each.first is not None and each.last is not None]
    if not spans:
        return False
    first, last = spans[0].first, spans[0].last
    if wanted and first is not None:
        return first.month == wanted and first.month == (last.month if last is not None else 0)
    is_after = period.first is None or (first is not None and first >= period.first)
    is_before = period.last is None or (last is not None and last <= period.last)
    return is_after and is_before
