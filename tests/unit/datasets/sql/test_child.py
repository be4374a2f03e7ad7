"""Bounds of the child: time, memory, and what it can reach."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from core.datasets.base import CheckedQuery, DataColumn, DataTable, DataType, QueryFailedError, QueryRows
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


_LONGER = ", ".join(f"t{at} as (select {' || '.join(['a'] * 40)} as a from t{at - 1})" for at in range(1, 7))
RESOURCES = {
    "rows": "select count(*), sum(a.n + b.n + c.n + d.n) from many a, many b, many c, many d, many e",
    "text": f"with t0 as (select 'aaaaaaaaaa' as a), {_LONGER} select length(a) from t6",
    "group": "select string_agg(a.t || b.t || c.t || d.t, '') from many a, many b, many c, many d",
}


@pytest.mark.parametrize("sql", RESOURCES.values(), ids=RESOURCES)
def test_a_query_that_eats_time_or_memory_is_ended_and_the_next_one_runs(
    sql: str, tmp_path: Path, files: dict[str, Files]
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
    sql: str, process: QueryProcess, files: dict[str, Files]
) -> None:
    unchecked = CheckedQuery(sql, sql, ("plan",), ("x",), ("",), 10)
    with pytest.raises(QueryFailedError):
        process.run(unchecked, files)


def _ask(sql: str, process: QueryProcess, files: dict[str, Files]) -> QueryRows:
    return process.run(check(sql, TABLES), files)
