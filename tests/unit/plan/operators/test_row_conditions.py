"""Conditions on rows as SQL."""

from __future__ import annotations

import pytest

from core.datasets.base import DataColumn, DataType
from core.domain.predicate import Operator
from core.plan.ir.nodes import Condition
from core.plan.operators.row_conditions import RowColumn, UnsaidError, condition_sql

COLUMNS = {
    "name": RowColumn("t.name", DataColumn("name", DataType.TEXT)),
    "fee": RowColumn("t.fee", DataColumn("fee", DataType.MONEY, units=("EUR", "USD")), "t.fee_currency"),
    "due": RowColumn("t.due", DataColumn("due", DataType.DATE)),
    "paid": RowColumn("t.paid", DataColumn("paid", DataType.BOOLEAN)),
}
YEAR = ("2024-01-01", "2024-12-31")


@pytest.mark.parametrize(
    ("field", "op", "value", "sql"),
    [
        ("name", Operator.EQUAL, "O'Neil  Ltd", "lower(trim(t.name)) = 'o''neil ltd'"),
        ("name", Operator.IN, ("A", "b"), "lower(trim(t.name)) IN ('a', 'b')"),
        ("name", Operator.NOT_EQUAL, ("A", "b"), "lower(trim(t.name)) NOT IN ('a', 'b')"),
        ("name", Operator.CONTAINS, "oak'", "contains(lower(t.name), 'oak''')"),
        ("name", Operator.MISSING, (), "t.name IS NULL"),
        ("fee", Operator.GREATER, "5 USD", "(t.fee > 5 AND t.fee_currency = 'USD')"),
        ("fee", Operator.GREATER, "5", "t.fee > 5"),
        ("fee.unit", Operator.EQUAL, "EUR", "t.fee_currency = 'EUR'"),
        ("due", Operator.BETWEEN, YEAR, "t.due BETWEEN DATE '2024-01-01' AND DATE '2024-12-31'"),
        ("paid", Operator.EQUAL, "false", "NOT t.paid"),
    ],
)
def test_a_condition_is_written(field: str, op: Operator, value: str | tuple[str, ...], sql: str) -> None:
    assert condition_sql(Condition(field=field, op=op, value=value), COLUMNS.__getitem__) == sql


@pytest.mark.parametrize(("field", "value"), [("fee", "soon"), ("due", "x")])
def test_what_no_column_says_is_told(field: str, value: str) -> None:
    with pytest.raises(UnsaidError):
        condition_sql(Condition(field=field, op=Operator.GREATER, value=value), COLUMNS.__getitem__)
