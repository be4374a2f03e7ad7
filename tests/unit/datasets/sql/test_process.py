"""Queries in the child: figures, the rows they rest on, and bounds."""

from __future__ import annotations

import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from decimal import Decimal
from pathlib import Path

import pytest

from core.datasets.base import DataColumn, DataTable, DataType, QueryFailedError, QueryRows
from core.datasets.sql.gate import check
from core.datasets.sql.process import QueryProcess
from tests.support.data_tables import TABLES, Files, known_files, write_table


@pytest.fixture(scope="module")
def process() -> Iterator[QueryProcess]:
    with QueryProcess(timeout_s=8) as process:
        yield process


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Files]:
    return known_files(tmp_path_factory.mktemp("tables"))


def test_money_is_exact_and_totals_are_left_out(process: QueryProcess, files: dict[str, Files]) -> None:
    found = _ask("select sum(amount), avg(amount) from spend where amount_currency = 'EUR'", process, files)
    assert found.rows == ((Decimal("37.8000"), Decimal("12.6000")),)
    assert found.columns == (("sum(amount)", "money"), ("avg(amount)", "money"))
    assert found.sources[0].rows == (("spend", 1), ("spend", 2), ("spend", 4), ("spend", 5))
    assert _ask("select count(*) from spend where is_total", process, files).rows == ((1,),)
    within = (
        "select count(*) from plan where 42 < (select max(amount) from spend where amount_currency = 'EUR')"
    )
    assert _ask(within, process, files).rows == ((0,),)


def test_a_number_may_be_written_as_text(process: QueryProcess, files: dict[str, Files]) -> None:
    sql = "select cast(replace(s.year, ',', '') as decimal(18, 2)) from spend s where s.region = 'West'"
    assert _ask(sql, process, files).rows == ((Decimal(2023),),)


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


def test_values_that_cannot_be_computed_are_said(process: QueryProcess, files: dict[str, Files]) -> None:
    with pytest.raises(QueryFailedError) as failed:
        _ask("select cast(region as bigint) from plan", process, files)
    assert "North" in failed.value.message


def test_a_query_waits_for_slow_ones_for_a_time_and_is_told_then(files: dict[str, Files]) -> None:
    slow = "select count(*) from " + " cross join ".join(f"spend s{at}" for at in range(11))
    with QueryProcess(timeout_s=6, wait_s=0.2) as process, ThreadPoolExecutor(1) as threads:
        _ask("select 1", process, files)
        first = threads.submit(_ask, slow, process, files)
        time.sleep(1)
        with pytest.raises(QueryFailedError, match="no query process became free"):
            _ask("select 1", process, files)
        with pytest.raises(QueryFailedError):
            first.result()


def _ask(sql: str, process: QueryProcess, files: dict[str, Files]) -> QueryRows:
    return process.run(check(sql, TABLES), files)
