from __future__ import annotations

from datetime import UTC, datetime

from core.domain.ids import DocumentId
from core.domain.rows.dataset import Dataset, DatasetColumn, DatasetProblem, PossibleJoin
from core.domain.wire.datasets import DatasetRecord, DatasetRow

DATASET = Dataset(
    id=DocumentId("d1"), name="A", table="a", source="a.csv", path="/a.csv", sheet="", bucket="default",
    acl=(), owner="ann", version=1, rows=2, columns=(DatasetColumn("n", "N", "number", sketch=(1,)),),
    problems=(DatasetProblem("odd", "N", (2,)),), file="f/0.parquet", content_hash="h", size_bytes=1,
    modified_ns=1, registered_at=datetime(2026, 1, 2, tzinfo=UTC),
)  # fmt: skip


def test_a_dataset_is_told_with_its_columns_and_without_the_paths_of_the_home() -> None:
    row = DatasetRow.of_dataset(DATASET).json_ready()

    assert row["columns"] == [{"name": "n", "type": "number"}]
    assert (row["problems"], row["state"], row["registered_at"]) == (1, "ready", "2026-01-02T00:00:00+00:00")
    assert not {"file", "path", "owner"} & set(row)


def test_a_whole_dataset_has_problems_and_possible_joins() -> None:
    join = PossibleJoin("n", DocumentId("d2"), "B", "b", "m", 0.5)
    record = DatasetRecord.of_whole(DATASET, [join]).json_ready()

    assert record["problems"] == [{"text": "odd", "column": "N", "rows": [2]}]
    assert record["joins"][0]["table"] == "b"
    assert "sketch" not in record["columns"][0]
