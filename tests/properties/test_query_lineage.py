"""Each row of a query's result can be computed again from the rows that it cites, whatever the rows are."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core.datasets.sql.gate import check
from core.datasets.sql.process import QueryProcess
from tests.support.data_tables import PLAN, SPEND, TABLES, Files, write_table
from tests.unit.datasets.sql.test_lineage import QUERIES

_REGIONS = st.sampled_from(["North", "South", "East"])
_MONEY = st.none() | st.integers(-99, 999).map(lambda cents: f"{cents / 100:.2f}")
_SPEND = st.tuples(
    _REGIONS, st.sampled_from(["Acme", "Beta", None]), _MONEY, st.sampled_from(["EUR", "USD"]),
    st.sampled_from([2023, 2024]), st.none() | st.sampled_from(["2023-01-31", "2024-02-29"]), st.booleans(),
)  # fmt: skip
_PLAN = st.tuples(_REGIONS, _MONEY, st.integers(1, 3))


@pytest.fixture(scope="module")
def process() -> Iterator[QueryProcess]:
    with QueryProcess() as process:
        yield process


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    sql=st.sampled_from(QUERIES),
    spend=st.lists(_SPEND, max_size=8),
    plan=st.lists(_PLAN, max_size=4),
    choice=st.integers(0, 50),
)
def test_a_result_rests_on_the_rows_that_it_cites(
    sql: str, spend: list[Any], plan: list[Any], choice: int, process: QueryProcess, tmp_path: Path
) -> None:
    checked = check(sql, TABLES)
    found = process.run(checked, _files(tmp_path, list(enumerate(spend, 1)), list(enumerate(plan, 1))))
    if not found.rows:
        return
    at = choice % len(found.rows)
    cited = set(found.sources[at].rows)
    of_spend = [(number, row) for number, row in enumerate(spend, 1) if ("spend", number) in cited]
    of_plan = [(number, row) for number, row in enumerate(plan, 1) if ("plan", number) in cited]
    assert found.rows[at] in process.run(checked, _files(tmp_path, of_spend, of_plan)).rows


def _files(folder: Path, spend: list[Any], plan: list[Any]) -> dict[str, Files]:
    return {
        "spend": write_table(folder / "spend.parquet", SPEND, spend),
        "plan": write_table(folder / "plan.parquet", PLAN, plan),
    }
