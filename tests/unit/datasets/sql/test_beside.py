"""Two grouped statements as one."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from core.datasets.sql.beside import beside
from core.datasets.sql.gate import check
from core.datasets.sql.process import QueryProcess
from tests.support.data_tables import PLAN, SPEND, TABLES, write_table

HEADS = 'SELECT region AS "region", sum(head) AS "total head" FROM plan GROUP BY region ORDER BY region'


@pytest.mark.parametrize(
    ("other", "shown"),
    [
        ("SELECT region, count(*) AS rows FROM spend GROUP BY region", ["region", "total head", "rows"]),
        (HEADS, ["region", "total head", "total head (2)"]),
    ],
)
def test_figures_of_both_stand_beside_each_other(other: str, shown: list[str]) -> None:
    query = check(beside(HEADS, other, is_text=True), TABLES)
    assert [*query.columns] == shown


def test_amounts_by_currency_are_no_one_figure() -> None:
    several = "SELECT region, amount_currency, sum(amount) AS s FROM spend GROUP BY 1, 2"
    assert beside(HEADS, several, is_text=True) == ""


def test_spellings_of_a_group_are_one_and_groups_without_a_name_meet(tmp_path: Path) -> None:
    heads = [("North", None, 3), ("north ", None, 1), (None, None, 2)]
    spent = [(name, "Acme", "1", "EUR", 2024, None, False) for name in ("north", "North", None)]
    files = {
        "plan": write_table(tmp_path / "plan.parquet", PLAN, list(enumerate(heads, 1))),
        "spend": write_table(tmp_path / "spend.parquet", SPEND, list(enumerate(spent, 1))),
    }
    sql = beside(HEADS, "SELECT region, count(*) AS rows FROM spend GROUP BY region", is_text=True)
    with QueryProcess(timeout_s=20) as process:
        found = process.run(check(sql, TABLES), files)
    assert found.rows == (("North", 4, 2), (None, 2, 1))
    assert [each.total for each in found.sources] == [4, 2]


def test_a_table_may_have_the_name_of_a_side() -> None:
    sql = beside(HEADS, HEADS.replace("plan", "other"), is_text=False)
    assert set(check(sql, [PLAN, replace(PLAN, name="other")]).tables) == {"plan", "other"}
