"""Queries in the child: figures, the rows they rest on, and bounds."""

from __future__ import annotations

import time
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path

import pytest

from core.datasets.base import CheckedQuery, DataColumn, DataTable, DataType, QueryFailedError, QueryRows
from core.datasets.sql.gate import check
from core.datasets.sql.process import QueryProcess
from tests.support.data_tables import PLAN, PLAN_ROWS, SPEND, SPEND_ROWS, TABLES, known_files, write_table

QUERIES = [
    "select region, count(*) n from spend group by 1",
    "select region, vendor from spend where year = 2024",
    "select region, amount_currency, avg(amount), min(amount) from spend group by all",
    "select distinct region from spend",
    "select distinct region, count(*) c from spend group by region order by c",
    "select region, amount from spend where exists (select 1 from plan p where p.region = spend.region)",
    "select region from spend union select region from plan",
    "select region from spend union all select region from plan",
    "select region, amount, avg(amount) over (partition by amount_currency) from spend",
    "select vendor, amount, rank() over (order by amount) from spend where amount_currency = 'EUR'",
    "select region, lag(head) over (order by head, region), lead(head) over (order by region) from plan",
    "select region, sum(count(*)) over (order by region) from spend group by region",
    "with a as (select region, sum(budget) t from plan group by 1) "
    "select a.region, t / (select sum(budget) from plan) as share from a",
    "select s.region, sum(s.amount), max(p.budget) from spend s left join plan p using (region) "
    "where s.amount_currency = 'EUR' group by s.region",
    "select b, vendor from (select region, sum(budget) b from plan group by 1) x join spend using (region)",
    "select region, (select max(budget) from plan p where p.region = s.region) from spend s group by 1",
    "select count(*) from spend where region in (select region from plan where head > 1)",
    "select a.vendor from spend a join spend b on a.vendor = b.vendor and a._row < b._row",
    "select year, count(*) filter (where amount > 8) from spend group by year having count(*) > 1",
    "select string_agg(distinct vendor, ', ' order by vendor) from spend",
    "select arg_max(region, budget), median(head) from plan",
    "select distinct on (region) region, vendor from spend order by region, vendor",
    "select region, budget from plan where budget = (select max(budget) from plan)",
    "select sum(n) from (select region, count(*) n from spend group by region) t where n > 1",
    "select strftime(paid, '%Y') y, count(*) from spend where paid is not null group by y",
]


@pytest.fixture(scope="module")
def process() -> Iterator[QueryProcess]:
    with QueryProcess(timeout_s=8) as process:
        yield process


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    return known_files(tmp_path_factory.mktemp("tables"))


@pytest.mark.parametrize("sql", QUERIES)
def test_a_row_of_a_result_is_computed_again_from_the_rows_it_cites(
    sql: str, process: QueryProcess, files: dict[str, Path], tmp_path: Path
) -> None:
    checked = check(sql, TABLES)
    found = process.run(checked, files)
    assert found.rows
    for row, sources in zip(found.rows, found.sources, strict=True):
        assert sources.total == len(sources.rows) > 0
        assert row in process.run(checked, _only(sources.rows, tmp_path)).rows


def _only(cited: tuple[tuple[str, int], ...], folder: Path) -> dict[str, Path]:
    spend = [(number, SPEND_ROWS[number - 1]) for name, number in cited if name == "spend"]
    plan = [(number, PLAN_ROWS[number - 1]) for name, number in cited if name == "plan"]
    return {
        "spend": write_table(folder / "spend.parquet", SPEND, spend),
        "plan": write_table(folder / "plan.parquet", PLAN, plan),
    }


def test_money_is_exact_and_totals_are_left_out(process: QueryProcess, files: dict[str, Path]) -> None:
    found = _ask("select sum(amount), avg(amount) from spend where amount_currency = 'EUR'", process, files)
    assert found.rows == ((Decimal("37.8000"), Decimal("12.6000")),)
    assert found.columns == (("sum(amount)", "money"), ("avg(amount)", "money"))
    assert found.sources[0].rows == (("spend", 1), ("spend", 2), ("spend", 4), ("spend", 5))
    assert _ask("select count(*) from spend where is_total", process, files).rows == ((1,),)
    within = (
        "select count(*) from plan where 42 < (select max(amount) from spend where amount_currency = 'EUR')"
    )
    assert _ask(within, process, files).rows == ((0,),)


def test_a_sum_of_many_rows_names_some_of_them_and_counts_all(process: QueryProcess, tmp_path: Path) -> None:
    table = DataTable("many", (DataColumn("n", DataType.NUMBER),), 500)
    made = {"many": write_table(tmp_path / "many.parquet", table, [(at, (at,)) for at in range(1, 501)])}
    found = process.run(check("select sum(n) from many", [table]), made)
    assert (len(found.sources[0].rows), found.sources[0].total) == (200, 500)
    assert found.rows == ((Decimal(125250),),)


def test_a_result_is_cut_where_it_has_too_many_rows(process: QueryProcess, tmp_path: Path) -> None:
    table = DataTable("many", (DataColumn("n", DataType.NUMBER),), 150)
    made = {"many": write_table(tmp_path / "many.parquet", table, [(at, (at,)) for at in range(1, 151)])}
    found = process.run(check("select a.n from many a cross join many b", [table]), made)
    assert (len(found.rows), found.is_cut) == (10_000, True)
    assert not process.run(check("select n from many limit 5", [table]), made).is_cut


def test_values_that_cannot_be_computed_are_said(process: QueryProcess, files: dict[str, Path]) -> None:
    with pytest.raises(QueryFailedError) as failed:
        _ask("select cast(region as bigint) from plan", process, files)
    assert "North" in failed.value.message


_LONGER = ", ".join(f"t{at} as (select {' || '.join(['a'] * 40)} as a from t{at - 1})" for at in range(1, 7))
RESOURCES = {
    "rows": "select count(*), sum(a.n + b.n + c.n + d.n) from many a, many b, many c, many d, many e",
    "text": f"with t0 as (select 'aaaaaaaaaa' as a), {_LONGER} select length(a) from t6",
    "group": "select string_agg(a.t || b.t || c.t || d.t, '') from many a, many b, many c, many d",
}


@pytest.mark.parametrize("sql", RESOURCES.values(), ids=RESOURCES)
def test_a_query_that_eats_time_or_memory_is_ended_and_the_next_one_runs(
    sql: str, tmp_path: Path, files: dict[str, Path]
) -> None:
    table = DataTable("many", (DataColumn("n", DataType.NUMBER), DataColumn("t", DataType.TEXT)), 300)
    rows = [(at, (at, "x" * 300)) for at in range(1, 301)]
    made = {"many": write_table(tmp_path / "many.parquet", table, rows)}
    with QueryProcess(timeout_s=4) as process:
        _ask("select 1", process, files)
        started = time.monotonic()
        with pytest.raises(QueryFailedError) as failed:
            process.run(check(sql, [table]), made)
        assert time.monotonic() - started < 9
        assert failed.value.next_step
        assert _ask("select count(*) from plan", process, files).rows == ((3,),)


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT content, [1] AS s, 1 AS c FROM read_text('/etc/hostname')",
        "SELECT 1, [1], 1 FROM read_csv('/etc/passwd')",
        "SET memory_limit = '10GB'",
        "INSTALL httpfs",
        "LOAD httpfs",
        "ATTACH '/tmp/x.db'",
        "COPY plan TO '/tmp/groundwork-out.csv'",
        "SELECT * FROM task",
    ],
)
def test_the_child_by_itself_reaches_nothing_but_its_tables(
    sql: str, process: QueryProcess, files: dict[str, Path]
) -> None:
    unchecked = CheckedQuery(sql, sql, ("plan",), ("x",), ("",), 10)
    with pytest.raises(QueryFailedError):
        process.run(unchecked, files)


def _ask(sql: str, process: QueryProcess, files: dict[str, Path]) -> QueryRows:
    return process.run(check(sql, TABLES), files)
