"""`groundwork datasets`: registered, listed, shown, asked, removed, as people and programs read it."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.errors import NotFoundError, RefusedError
from tests.support.row_files import SPEND, written
from tests.unit.cli.test_plans_commands import invoke, run


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("datasets")
    written(folder, "spend.csv", SPEND)
    written(folder, "bad.parquet", "no")
    found = run(folder / "home", "datasets", "register", str(folder / "spend.csv"), "--name", "Spending")
    (dataset,) = found["datasets"]
    assert (dataset["table"], dataset["rows"], dataset["state"]) == ("spending", 14, "ready")
    assert {"name": "amount_eur", "type": "money"} in dataset["columns"]
    return folder / "home"


def test_a_file_that_cannot_be_read_is_listed_with_its_reason(home: Path) -> None:
    said = invoke(home, "datasets", "register", str(home.parent / "bad.parquet"))

    assert said.return_value == 3
    assert "no Parquet file" in said.stdout


def test_datasets_are_listed_and_shown(home: Path) -> None:
    (listed,) = run(home, "datasets", "list")["datasets"]
    shown = run(home, "datasets", "show", "spending")

    assert listed["id"] == shown["id"]
    assert [each["name"] for each in shown["columns"] if each["is_key"]] == ["id", "when_"]
    assert any("add up others" in each["text"] for each in shown["problems"])
    assert "add up others" in invoke(home, "datasets", "show", "spending").stderr


def test_rows_are_asked_with_their_sources(home: Path) -> None:
    sql = "SELECT region, count(*) AS n FROM spending GROUP BY 1 ORDER BY 1"
    found = run(home, "datasets", "query", sql)

    assert found["columns"] == [{"name": "region", "type": "text"}, {"name": "n", "type": "number"}]
    assert found["rows"][1] == ["North", "2"]
    assert [each["row"] for each in found["sources"] if each["result"] == 2] == [4, 6]
    assert "resting on 14 rows" in invoke(home, "datasets", "query", sql).stderr


def test_a_refused_statement_says_why(home: Path) -> None:
    with pytest.raises(RefusedError, match="Only SELECT is run, not DROP"):
        invoke(home, "datasets", "query", "DROP TABLE spending")


def test_a_dataset_goes_and_comes_back(home: Path) -> None:
    (id,) = run(home, "datasets", "remove", "spending")["removed"]
    assert run(home, "datasets", "list")["datasets"] == []
    assert [each["id"] for each in run(home, "datasets", "list", "--removed")["datasets"]] == [id]
    assert run(home, "datasets", "restore", id)["restored"] == [id]


def test_a_folder_is_told_as_one_dataset_and_a_single_row_as_one(tmp_path: Path) -> None:
    for month in ("01", "02"):
        written(tmp_path / "in", f"sales-{month}.csv", f"Region,Units\nNorth,{int(month)}\nSouth,7\n")
    home = tmp_path / "home"
    assert (
        "2 files with the same columns as one"
        in invoke(home, "datasets", "register", str(tmp_path / "in")).stderr
    )
    (family,) = run(home, "datasets", "list")["families"]
    assert (family["table"], family["rows"], len(family["files"])) == ("sales_files", 4, 2)
    assert "sales-02.csv" in invoke(home, "datasets", "show", "sales_files").stderr
    assert (
        "1 row, resting on 4 rows."
        in invoke(home, "datasets", "query", "SELECT sum(units) FROM sales_files").stderr
    )


def test_the_fields_of_documents_are_shown_by_their_name_in_sql(tmp_path: Path) -> None:
    text = "SERVICE AGREEMENT\n\nThis agreement is between Acme Ltd and Beta GmbH. Governing law: Delaware.\n"
    invoke(
        tmp_path / "home",
        "ingest",
        str(written(tmp_path / "in", "contract.txt", text).parent),
        "--bucket",
        "contracts",
    )
    shown = run(tmp_path / "home", "datasets", "show", "fields_contracts")
    assert {"name": "document", "type": "text"} in shown["columns"]
    with pytest.raises(NotFoundError, match="no dataset or table"):
        invoke(tmp_path / "home", "datasets", "show", "nothing")
