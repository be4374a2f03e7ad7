"""Documents whose field stands in a column of a table."""

from __future__ import annotations

import pytest

from core.datasets.base import DataColumn, DataTable, DataType
from core.datasets.sql.gate import check
from core.plan.operators.names_in_list import names_in_list_sql

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
    sql = names_in_list_sql(OWN, "vendor", FIRMS, "Firm", are_names=True, kinds=("agreement",), **given)
    query = check(sql, [OWN, FIRMS])
    assert list(query.columns) == columns
    assert said in query.sql.upper()


def test_kinds_stand_in_the_table_of_documents() -> None:
    every = DataTable("every_contract", (*OWN.columns, DataColumn("source", DataType.TEXT)), 3)
    values = DataTable(
        "contract_parties",
        (DataColumn("document", DataType.TEXT), *every.columns[1:2], *every.columns[3:]),
        3,
    )
    sql = names_in_list_sql(
        values, "vendor", FIRMS, "Firm", are_names=True, kinds=("own. risk",), kinds_in="every_contract"
    )
    assert "document_kind" in check(sql, [values, FIRMS, every]).sql
    assert "lower(every.document_kind) IN ('own. risk')" in sql


def test_texts_are_compared_as_they_are_written() -> None:
    assert "name_key" not in names_in_list_sql(OWN, "vendor", FIRMS, "Firm", are_names=False)
