"""Documents whose field stands in a column of a table."""

from __future__ import annotations

import pytest

from core.datasets.base import DataColumn, DataTable, DataType
from core.datasets.sql.gate import check
from core.plan.operators.listed import ListedNames

OWN = DataTable(
    "fields_contracts",
    tuple(DataColumn(name, DataType.TEXT, name) for name in ("document", "vendor", "document_kind")),
    3,
)
FIRMS = DataTable("firms", (DataColumn("firm", DataType.TEXT, "Firm"),), 2)


@pytest.mark.parametrize(
    ("given", "columns", "said"),
    [
        ({}, ["document", "vendor", "firm"], "JOIN"),
        ({"is_counted": True}, ["documents"], "COUNT(DISTINCT"),
        ({"is_denied": True}, ["document", "vendor"], "NOT"),
    ],
)
def test_the_gate_lets_each_through(given: dict[str, bool], columns: list[str], said: str) -> None:
    sql = ListedNames(OWN, "vendor", FIRMS, "Firm", True, ("agreement",)).sql(**given)
    query = check(sql, [OWN, FIRMS])
    assert list(query.columns) == columns
    assert said in query.sql.upper()


def test_texts_are_compared_as_they_are_written() -> None:
    assert "name_key" not in ListedNames(OWN, "vendor", FIRMS, "Firm", False).sql()
