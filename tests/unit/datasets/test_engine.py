"""Mounts of tables: which row a row of a file is, and the currencies of a registered dataset."""

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from core.datasets.base import ROWS_OF_FILE, DataTable, QueryRefusedError
from core.datasets.engine import Mount, dataset_table
from core.datasets.families import family_of
from core.datasets.sql.gate import check
from core.domain.ids import DocumentId
from core.domain.rows.dataset import Bar, Dataset, DatasetColumn
from core.domain.rows.place import TablePlace
from tests.support.row_files import read, written

COLUMNS = (
    DatasetColumn("city", "City", "text"),
    DatasetColumn("fee", "Fee", "money", unit="EUR"),
    DatasetColumn("spend", "Spend", "money", currency="spend_currency"),
    DatasetColumn("spend_currency", "Currency", "text", often=(Bar("EUR", 3), Bar("USD", 1))),
    DatasetColumn("cost", "Cost", "money", currency="cost_currency"),
    DatasetColumn("cost_currency", "Currency", "text", often=(Bar("EUR", 3),)),
)
DATASET = Dataset(
    id=DocumentId("d"), name="Spend", table="spend", source="s.csv", path="", sheet="", bucket="b", acl=(),
    owner="u", version=1, rows=4, columns=COLUMNS, problems=(), file="f", content_hash="h", size_bytes=1,
    modified_ns=0, registered_at=datetime(2026, 1, 1, tzinfo=UTC),
)  # fmt: skip


def test_a_dataset_says_in_how_many_currencies_its_amounts_are() -> None:
    table = dataset_table(DATASET)
    assert [each.units for each in table.columns if each.units] == [("EUR",), ("EUR", "USD"), ("EUR", "")]
    assert (table.name, table.rows) == ("spend", 4)


def _registered(folder: Path, name: str, *fees: str) -> Dataset:
    rows = "".join(f"i{number},{fee}\n" for number, fee in enumerate(fees))
    (table,) = read(written(folder, f"{name}.csv", f"item,fee\n{rows}"))
    return replace(DATASET, id=DocumentId(name), name=name, table=name, columns=table.columns)


@pytest.mark.parametrize(
    ("files", "units"),
    [
        ((("10 EUR", "20 USD"),), ("EUR", "USD")),
        ((("10 EUR", "20 USD", "5 GBP"),), ("EUR", "GBP", "USD")),
        ((("1 EUR", "2 USD", "3 GBP", "4 CHF", "5"),), ("CHF", "EUR", "GBP", "USD", "")),
        ((("10 EUR", "20 USD"), ("5 USD", "6 GBP")), ("EUR", "USD", "GBP")),
    ],
)
def test_currencies_that_differ_in_each_row_are_never_added(
    tmp_path: Path, files: tuple[tuple[str, ...], ...], units: tuple[str, ...]
) -> None:
    fees = [_registered(tmp_path, f"fees_{number}", *each) for number, each in enumerate(files)]
    table = dataset_table(family_of(fees, "fees"), "fees")
    assert [each.units for each in table.columns if each.name == "fee"] == [units]
    with pytest.raises(QueryRefusedError, match="several currencies"):
        check("select sum(fee) from fees", [table])


def test_amounts_that_state_no_currency_are_added_and_those_of_an_unknown_one_are_not() -> None:
    fee, holder = DatasetColumn("fee", "Fee", "money", currency="of"), DatasetColumn("of", "Of", "text")
    units = [
        dataset_table(replace(DATASET, columns=columns)).columns[0].units
        for columns in ((fee, holder), (fee, replace(holder, filled=2, distinct=2)), (fee,))
    ]
    assert units == [("",), ("", "?"), ("", "?")]


def test_a_row_of_a_file_is_a_row_of_one_of_its_tables() -> None:
    parts = (TablePlace("a"), TablePlace("b", 3))
    sheets = Mount(DataTable("t", (), 2), (), parts, ((0, 7), (1, 0)))
    assert [sheets.key(row) for row in (1, 2)] == [("a", 0, 7), ("b", 3, 0)]
    datasets = Mount(DataTable("t", (), 2), (), parts)
    assert [datasets.key(row) for row in (9, ROWS_OF_FILE + 9)] == [("a", 0, 9), ("b", 3, 9)]
