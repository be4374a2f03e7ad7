"""Each row of a result is computed again from the rows that it cites."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from core.datasets.sql.gate import check
from core.datasets.sql.process import QueryProcess
from tests.support.data_tables import (
    PLAN,
    PLAN_ROWS,
    SPEND,
    SPEND_ROWS,
    TABLES,
    Files,
    known_files,
    write_table,
)

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
    "select year, count(*) filter (where amount > 8 and amount_currency = 'EUR') from spend "
    "group by year having count(*) > 1",
    "select string_agg(distinct vendor, ', ' order by vendor) from spend",
    "select arg_max(region, budget), median(head) from plan",
    "select distinct on (region) region, vendor from spend order by region, vendor",
    "select region, budget from plan where budget = (select max(budget) from plan)",
    "select sum(n) from (select region, count(*) n from spend group by region) t where n > 1",
    "select any_value(vendor) from spend where year = 2023",
    "select region, sum(budget) from plan group by 1 qualify rank() over (order by sum(budget) desc) <= 9",
    "select strftime(paid, '%Y') y, count(*) from spend where paid is not null group by y",
]


@pytest.fixture(scope="module")
def process() -> Iterator[QueryProcess]:
    with QueryProcess(timeout_s=8) as process:
        yield process


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Files]:
    return known_files(tmp_path_factory.mktemp("tables"))


@pytest.mark.parametrize("sql", QUERIES)
def test_a_row_of_a_result_is_computed_again_from_the_rows_it_cites(
    sql: str, process: QueryProcess, files: dict[str, Files], tmp_path: Path
) -> None:
    checked = check(sql, TABLES)
    found = process.run(checked, files)
    assert found.rows
    for row, sources in zip(found.rows, found.sources, strict=True):
        assert sources.total == len(sources.rows) > 0
        assert row in process.run(checked, _only(sources.rows, tmp_path)).rows


def test_a_group_that_an_order_keeps_rests_on_its_own_rows(
    process: QueryProcess, files: dict[str, Files]
) -> None:
    own = process.run(check("select region, sum(budget) from plan group by 1 order by 2", TABLES), files)
    kept = "select region, sum(budget) from plan group by 1 qualify rank() over (order by sum(budget)) <= 9"
    ordered = process.run(check(f"{kept} order by 2", TABLES), files)

    assert len(own.rows) > 1
    assert (ordered.rows, ordered.sources) == (own.rows, own.sources)


@pytest.mark.parametrize(
    ("sql", "rows"),
    [
        ("select region, region from plan union select region, vendor from spend", 8),
        ("select distinct region, vendor as region from spend", 5),
    ],
)
def test_columns_of_one_name_keep_their_own_values(
    sql: str, rows: int, process: QueryProcess, files: dict[str, Files]
) -> None:
    found = process.run(check(sql, TABLES), files).rows
    assert len(found) == rows
    assert ("North", "Beta") in found


def _only(cited: tuple[tuple[str, int], ...], folder: Path) -> dict[str, Files]:
    spend = [(number, SPEND_ROWS[number - 1]) for name, number in cited if name == "spend"]
    plan = [(number, PLAN_ROWS[number - 1]) for name, number in cited if name == "plan"]
    return {
        "spend": write_table(folder / "spend.parquet", SPEND, spend),
        "plan": write_table(folder / "plan.parquet", PLAN, plan),
    }
