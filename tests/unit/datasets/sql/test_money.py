"""Currencies in SQL: what is put together, and what is not."""

from __future__ import annotations

import pytest

from core.datasets.base import DataColumn, DataTable, DataType, QueryRefusedError
from core.datasets.sql.gate import check
from tests.support.data_tables import TABLES

TWO = DataTable(
    "two", tuple(DataColumn(each.lower(), DataType.MONEY, units=(each,)) for each in ("EUR", "USD")), 1
)


@pytest.mark.parametrize(
    "sql",
    [
        "select sum(amount) from spend",
        "select avg(amount) from spend group by region",
        "select max(amount) over (partition by region) from spend",
        "select sum(s.amount) from spend s join plan p on p.region = s.region group by p.region",
        "with t as (select amount from spend) select sum(amount) from t",
        "select sum(a) from (select amount as a, amount_currency as c from spend) x",
        "select sum(amount) from spend where amount_currency = 'EUR' or year = 2024",
        "select sum(amount) from spend where amount_currency <> 'EUR'",
        "select sum(x) from (select amount as x from spend union all select budget from plan) u",
        "select amount + budget from spend join plan using (region)",
        "select cast(amount as double) from spend",
        "select sum(case when year > 2023 then amount else 0 end) from spend",
        "select sum(amount // 1000) from spend",
        "select sum(amount % 1000) from spend",
        "select stddev(amount) from spend",
        "select nth_value(amount, 2) over (order by year) from spend",
        "select sum(x) from (select coalesce(budget, amount) x from spend join plan using (region)) t",
        "select sum(case when head = 1 then budget else amount end) from spend join plan using (region)",
        "select s.amount - t.amount from spend s join spend t on s.vendor = t.vendor",
        "select amount - (select amount from spend limit 1) from spend",
        "with t as (select amount_currency c, sum(amount) s from spend group by 1) "
        "select a.s + b.s from t a, t b",
        "select sum((select s.amount)) from spend s",
        "select (select sum(s.amount) from plan) from spend s",
        "select c, sum(a) from (select amount a, amount_currency c from spend "
        "union all select amount, region from spend) t group by c",
        "select sum(a) from (select amount a, amount_currency c from spend "
        "union all select amount, 'EUR' from spend) t where c = 'EUR'",
        "select amount from spend order by amount desc limit 5",
        "select amount as a from spend order by a",
        "select region, amount from spend order by 2",
        "select region from spend order by region, amount",
        "select region from spend qualify rank() over (order by amount) <= 3",
        "select amount_currency, sum(amount) s from spend group by 1 order by s desc",
        "select region from spend where amount > 1000",
        "select region from spend where amount between 5 and 10",
        "select region from spend where amount > 1000 and amount_currency <> 'EUR'",
        "select region from spend where amount_currency = 'EUR' or amount > 1000",
        "select amount_currency from spend group by 1 having sum(amount) > 100",
        "select count(*) filter (where amount > 8) from spend",
        "select region from spend join plan using (region) where amount > budget",
        "select region from spend where amount - 5 > 0",
        "select region from spend where (amount, year) > (5, 2023)",
        "select amount from spend order by all",
        "select eur from two where eur > usd",
        "select budget b from plan union all select amount from spend order by b",
        "select budget b from plan union all select amount from spend order by 1",
        "select eur from two where coalesce(eur, usd) > 1000",
        "select eur from two where case when eur is null then usd else eur end > 1000",
        "select eur from two order by coalesce(eur, usd)",
        "select eur from two qualify rank() over (order by coalesce(eur, usd)) < 3",
        "select region from spend, two where (amount > usd and amount_currency = 'EUR') or year = 1",
        "select eur, usd from two order by eur + usd",
        "select amount from spend order by abs(amount)",
        "select amount + -5 from spend",
        "select amount + (5) from spend",
        "select amount + year from spend",
        "select greatest(amount, -(5)) from spend",
    ],
)
def test_amounts_of_several_currencies_are_not_put_together(sql: str) -> None:
    with pytest.raises(QueryRefusedError) as refused:
        check(sql, (*TABLES, TWO))
    assert "several currencies" in refused.value.message or "floating point" in refused.value.message


@pytest.mark.parametrize(
    ("sql", "units"),
    [
        ("select amount_currency, sum(amount) from spend group by 1", ("", "several")),
        ("select sum(amount) from spend where amount_currency = 'EUR'", ("EUR",)),
        ("select sum(amount) from spend where (amount_currency in ('USD')) and year = 2024", ("USD",)),
        (
            "select c, sum(a) from (select amount a, amount_currency c from spend) x group by c",
            ("", "several"),
        ),
        ("with e as (select * from spend where amount_currency = 'EUR') select avg(amount) from e", ("EUR",)),
        ("select count(amount), count(distinct amount) from spend", ("", "")),
        ("select amount from spend order by amount_currency, amount desc", ("several",)),
        ("select amount from spend where amount_currency = 'USD' order by amount limit 5", ("USD",)),
        (
            "select amount from spend "
            "qualify rank() over (partition by amount_currency order by amount) <= 3",
            ("several",),
        ),
        ("select amount from spend where amount > 0 order by region", ("several",)),
        (
            "select amount from spend where (amount > 9 and amount_currency = 'EUR') "
            "or (amount_currency = 'USD' and amount > 10)",
            ("several",),
        ),
        ("select amount_currency c, sum(amount) s from spend group by 1 order by c, s", ("", "several")),
        ("select budget from plan where budget > 5 order by budget", ("EUR",)),
        ("select amount_currency c, amount from spend order by all", ("", "several")),
        ("select amount - (0), greatest(amount, cast(0 as int), null) from spend", ("several",) * 2),
        ("select amount, amount_currency from spend order by amount_currency, abs(amount)", ("several", "")),
        ("select eur, usd from two order by eur / usd", ("EUR", "USD")),
        ("select amount + amount * year / 2 from spend", ("several",)),
        ("select amount + year from spend where amount_currency = 'EUR'", ("EUR",)),
        ("select budget + head from plan where abs(budget) > 10 order by coalesce(budget, 0)", ("EUR",)),
        ("select budget - 5 from plan where budget - 5 > 0 and (budget, head) > (5, 1)", ("EUR",)),
        ("select avg(amount) over (partition by amount_currency) from spend", ("several",)),
        ("select sum(budget) * 2, sum(budget) / max(head) from plan", ("EUR", "EUR")),
        ("select sum(budget) / (select sum(budget) from plan) from plan", ("",)),
        ("select arg_max(region, budget), head from plan group by head", ("", "")),
        ("select coalesce(budget, amount) from plan join spend using (region)", ("several",)),
        (
            "with t as (select amount_currency c, year, sum(amount) s from spend group by all) "
            "select c, a.s - b.s from t a join t b using (c)",
            ("", "several"),
        ),
        (
            "select c, sum(a) from (select amount a, amount_currency c from spend "
            "union all select budget, 'EUR' from plan) t group by c",
            ("", "several"),
        ),
    ],
)
def test_a_result_says_its_currency(sql: str, units: tuple[str, ...]) -> None:
    assert check(sql, (*TABLES, TWO)).units == units
