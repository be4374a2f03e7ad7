"""The gate: what is refused, what passes, and what is said."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from core.datasets.base import MOST_ROWS, QueryRefusedError
from core.datasets.sql.gate import MOST_CHARS, check
from tests.support.data_tables import TABLES

ATTACKS = [
    line.split(":", 1)[1].strip().encode("raw_unicode_escape").decode("unicode_escape")
    for line in Path(__file__).with_name("attacks.txt").read_text(encoding="utf-8").splitlines()
]
DEEP = {
    "brackets": "select " + "(" * 900 + "1" + ")" * 900,
    "not": "select " + "not " * 1_500 + "true",
    "sums": "select " + "+".join(["1"] * 1_900),
    "cases": "select " + "case when true then " * 300 + "1" + " end" * 300,
    "selects": "select " + "(select " * 200 + "1" + ")" * 200,
    "unions": " union all ".join(["select 1"] * 200),
    "long": f"select '{'x' * MOST_CHARS}'",
    "text": f"select '{'x' * 2_000}'",
}


@pytest.mark.parametrize("sql", ATTACKS)
def test_an_attack_is_refused_with_a_reason_and_a_next_step(sql: str) -> None:
    with pytest.raises(QueryRefusedError) as refused:
        check(sql, TABLES)
    assert refused.value.message
    assert refused.value.next_step


def test_there_are_more_attacks_than_were_asked_for() -> None:
    assert len(set(ATTACKS)) >= 58


@pytest.mark.parametrize("sql", DEEP.values(), ids=DEEP)
def test_what_is_too_long_or_too_deep_is_refused_at_once(sql: str) -> None:
    started = time.monotonic()
    with pytest.raises(QueryRefusedError):
        check(sql, TABLES)
    assert time.monotonic() - started < 2


def test_a_limit_is_added_and_a_smaller_one_is_kept() -> None:
    assert f"LIMIT {MOST_ROWS}" in check("select region from spend", TABLES).sql
    assert check("select region from spend limit 3", TABLES).limit == 3
    assert check("select region from spend limit 99999999", TABLES).limit == MOST_ROWS


def test_comments_are_not_run() -> None:
    checked = check("select region -- all of them\nfrom spend /* here */", TABLES)
    assert "all of them" not in checked.traced
    assert "here" not in checked.sql


def test_a_star_shows_neither_row_numbers_nor_marks_of_totals() -> None:
    assert check("select * from plan", TABLES).columns == ("region", "budget", "head")
    assert "is_total" not in check("select * from spend", TABLES).columns


def test_a_refusal_names_what_there_is_instead() -> None:
    with pytest.raises(QueryRefusedError) as refused:
        check("select regio from plan", TABLES)
    assert "regio" in refused.value.message
    assert "plan has region, budget, head" in refused.value.next_step
    with pytest.raises(QueryRefusedError) as refused:
        check("select region from spends", TABLES)
    assert "spend" in refused.value.next_step


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
    ],
)
def test_amounts_of_several_currencies_are_not_put_together(sql: str) -> None:
    with pytest.raises(QueryRefusedError) as refused:
        check(sql, TABLES)
    assert "currenc" in refused.value.message or "floating point" in refused.value.message


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
        ("select avg(amount) over (partition by amount_currency) from spend", ("several",)),
        ("select sum(budget) * 2, sum(budget) / max(head) from plan", ("EUR", "EUR")),
        ("select sum(budget) / (select sum(budget) from plan) from plan", ("",)),
        ("select arg_max(region, budget), head from plan group by head", ("", "")),
    ],
)
def test_a_result_says_its_currency(sql: str, units: tuple[str, ...]) -> None:
    assert check(sql, TABLES).units == units


def test_names_are_taken_as_people_write_them() -> None:
    assert check('select "Amount Currency", count(*) from "Spend" group by 1', TABLES).tables == ("spend",)
