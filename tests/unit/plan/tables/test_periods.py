"""Conditions of days, months and years on columns of days, of years and of texts."""

from __future__ import annotations

from datetime import date

import pytest

from core.domain.predicate import Operator
from core.plan.catalogue import ColumnEntry, TableEntry
from core.plan.language.pieces import DayRange
from core.plan.tables.header import ColumnWords, columns_of
from core.plan.tables.periods import has_edge_of, negated, period_clause_of, spanning
from core.plan.tables.query import Clause, ColumnFilter
from tests.support.table_catalogue import TODAY, days, numbers, texts

MAY = DayRange(date(2024, 5, 1), date(2024, 5, 31))
QUARTER = DayRange(date(2024, 4, 1), date(2024, 6, 30))
YEAR = DayRange(date(2024, 1, 1), date(2024, 12, 31))


def column(entry: ColumnEntry) -> ColumnWords:
    return columns_of(TableEntry((entry,), ("d",), rows=9))[0]


DUE = column(days("Due", 9, "2023-02-01", "2024-07-31"))
BUILT = column(numbers("Year", 9, "1990", "2024"))


def said(clause: Clause) -> list[tuple[str, tuple[str, ...]]]:
    return [(each.op.value, each.values) for each in clause]


@pytest.mark.parametrize(
    ("period", "expected"),
    [
        (MAY, [("between", ("2024-05-01", "2024-05-31"))]),
        (DayRange(date(2024, 5, 3), date(2024, 5, 3)), [("=", ("2024-05-03",))]),
        (DayRange(date(2024, 5, 3), None), [(">=", ("2024-05-03",))]),
        (DayRange(None, date(2024, 5, 3)), [("<=", ("2024-05-03",))]),
        (DayRange(None, None), []),
    ],
)
def test_days_lie_between_the_ends_of_a_period(
    period: DayRange, expected: list[tuple[str, tuple[str, ...]]]
) -> None:
    assert said(period_clause_of(DUE, period, "in 2024", TODAY)) == expected


def test_a_month_without_a_year_is_that_of_every_year_that_the_column_has() -> None:
    assert said(period_clause_of(DUE, MAY, "in may", TODAY)) == [
        ("between", ("2023-05-01", "2023-05-31")),
        ("between", ("2024-05-01", "2024-05-31")),
    ]


def test_a_month_that_a_column_has_in_no_year_is_the_month_that_is_meant() -> None:
    short = column(days("Due", 9, "2024-01-01", "2024-02-28"))
    assert said(period_clause_of(short, MAY, "in may", TODAY)) == [("between", ("2024-05-01", "2024-05-31"))]


@pytest.mark.parametrize(
    ("period", "expected"),
    [
        (YEAR, [("=", ("2024",))]),
        (DayRange(date(2020, 1, 1), date(2022, 12, 31)), [("between", ("2020", "2022"))]),
        (DayRange(date(2020, 1, 1), None), [(">=", ("2020",))]),
        (DayRange(None, date(2020, 12, 31)), [("<=", ("2020",))]),
        (DayRange(None, None), []),
    ],
)
def test_years_are_compared_as_numbers(period: DayRange, expected: list[tuple[str, tuple[str, ...]]]) -> None:
    assert said(period_clause_of(BUILT, period, "in 2024", TODAY)) == expected


def test_texts_that_say_months_are_those_within_the_period() -> None:
    months = column(texts("Month", 9, "March", "April", "May", "June", "July"))
    assert said(period_clause_of(months, MAY, "in may", TODAY)) == [("=", ("May",))]
    assert said(period_clause_of(months, QUARTER, "in q2 2024", TODAY)) == [("in", ("April", "May", "June"))]


def test_texts_that_say_months_of_a_year_are_compared_with_it() -> None:
    months = column(texts("Month", 9, "May 2023", "May 2024", "June 2024"))
    assert said(period_clause_of(months, MAY, "in may 2024", TODAY)) == [("=", ("May 2024",))]
    assert said(period_clause_of(months, MAY, "in may", TODAY)) == [("in", ("May 2023", "May 2024"))]
    assert said(period_clause_of(months, YEAR, "in 2024", TODAY)) == [("in", ("May 2024", "June 2024"))]


def test_no_text_within_the_period_is_no_condition() -> None:
    assert period_clause_of(column(texts("Month", 9, "March", "April")), MAY, "in may", TODAY) == ()


def test_two_periods_span_from_the_first_day_of_one_to_the_last_of_the_other() -> None:
    april = period_clause_of(DUE, DayRange(date(2024, 4, 1), date(2024, 4, 30)), "in april 2024", TODAY)
    may = period_clause_of(DUE, MAY, "in may 2024", TODAY)
    assert said(spanning(april, may)) == [("between", ("2024-04-01", "2024-05-31"))]


def test_single_days_span_nothing_and_stand_beside_one_another() -> None:
    one, other = (ColumnFilter(DUE, Operator.EQUAL, (day,)) for day in ("2024-05-01", "2024-05-09"))
    assert spanning((one,), (other,)) == (one, other)


def test_the_other_days_are_those_before_and_behind() -> None:
    may = period_clause_of(DUE, MAY, "in may 2024", TODAY)
    assert said(negated(may)) == [("<", ("2024-05-01",)), (">", ("2024-05-31",))]
    assert said(negated(period_clause_of(BUILT, YEAR, "in 2024", TODAY))) == [("!=", ("2024",))]


def test_an_open_period_stays_as_it_is() -> None:
    since = period_clause_of(DUE, DayRange(date(2024, 5, 3), None), "since", TODAY)
    assert negated(since) is since


def test_a_period_has_an_edge_among_the_days_or_years_that_are_meant() -> None:
    assert has_edge_of(DUE, MAY)
    assert has_edge_of(BUILT, DayRange(None, date(2001, 12, 31)))
    assert not has_edge_of(DUE, DayRange(None, date(2028, 12, 31)))
