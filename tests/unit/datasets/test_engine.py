"""Mounts of tables: which row a row of a file is, and the currencies of a registered dataset."""

from datetime import UTC, datetime

from core.datasets.base import ROWS_OF_FILE, DataTable
from core.datasets.engine import Mount, dataset_table
from core.domain.ids import DocumentId
from core.domain.rows.dataset import Bar, Dataset, DatasetColumn
from core.domain.rows.place import TablePlace

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


def test_a_row_of_a_file_is_a_row_of_one_of_its_tables() -> None:
    parts = (TablePlace("a"), TablePlace("b", 3))
    sheets = Mount(DataTable("t", (), 2), (), parts, ((0, 7), (1, 0)))
    assert [sheets.key(row) for row in (1, 2)] == [("a", 0, 7), ("b", 3, 0)]
    datasets = Mount(DataTable("t", (), 2), (), parts)
    assert [datasets.key(row) for row in (9, ROWS_OF_FILE + 9)] == [("a", 0, 9), ("b", 3, 9)]
