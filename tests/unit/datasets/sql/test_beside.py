"""Two grouped statements as one."""

from __future__ import annotations

import pytest

from core.datasets.sql.beside import beside
from core.datasets.sql.gate import check
from tests.support.data_tables import TABLES

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
