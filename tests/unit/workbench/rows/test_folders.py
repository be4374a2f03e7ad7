"""Six monthly files of the same columns, registered as a folder and ingested: one table in every answer."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from core.domain.answer import Answer
from core.domain.rows.dataset import DatasetState
from core.errors import NotFoundError
from core.workbench import Workbench

MONTHS = ("01", "02", "03", "04", "05", "06")


def _write(folder: Path, month: str, *rows: str) -> None:
    (folder / f"sales-2024-{month}.csv").write_text("\n".join(("Region,Units,Day", *rows)), "utf-8")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("months")
    for month in MONTHS:
        at = int(month)
        _write(
            folder,
            month,
            *(f"{d},{at * 10 + n},2024-{month}-0{n + 1}" for n, d in enumerate(("North", "South", "East"))),
        )
    return folder


@pytest.fixture(scope="module")
def registered(tmp_path_factory: pytest.TempPathFactory, folder: Path) -> Iterator[Workbench]:
    with Workbench.open(home=tmp_path_factory.mktemp("registered")) as bench:
        bench.local.datasets.register([folder])
        yield bench


@pytest.fixture(scope="module")
def ingested(tmp_path_factory: pytest.TempPathFactory, folder: Path) -> Iterator[Workbench]:
    with Workbench.open(home=tmp_path_factory.mktemp("ingested")) as bench:
        bench.ingest([folder])
        yield bench


def _value(answer: Answer) -> str:
    return answer.value.value if answer.value is not None else answer.text


@pytest.mark.parametrize("home", ["registered", "ingested"])
def test_a_sum_is_over_all_files_and_says_so(home: str, request: pytest.FixtureRequest) -> None:
    answer = request.getfixturevalue(home).ask("What is the total of Units?")
    assert _value(answer) == "648"
    assert any("6 tables with the same columns" in gap for gap in answer.gaps)


@pytest.mark.parametrize("home", ["registered", "ingested"])
def test_a_file_that_is_named_is_asked_alone_and_said_to_be_one_of_six(
    home: str, request: pytest.FixtureRequest
) -> None:
    answer = request.getfixturevalue(home).ask("What is the total of Units in sales-2024-03?")
    assert _value(answer) == "93"
    assert any("one of 6 tables" in gap for gap in answer.gaps)


def test_rows_are_cited_by_file_and_row(registered: Workbench) -> None:
    found = registered.local.datasets.query("SELECT file, units FROM sales_2024_files WHERE units = 41")
    assert found.rows == (("sales-2024-04.csv", "41"),)
    assert [(Path(each.source).name, each.row) for each in found.sources] == [("sales-2024-04.csv", 3)]
    alone = registered.local.datasets.query("SELECT file, sum(units) FROM sales_2024_04 GROUP BY file")
    assert alone.rows == (("sales-2024-04.csv", "123"),)
    every = registered.local.datasets.query("SELECT * FROM sales_2024_04 WHERE region <> 'profile'")
    assert [each["name"] for each in every.columns] == ["region", "units", "day"]


def test_it_is_shown_as_one_and_its_rows_are_told_with_their_own_numbers(registered: Workbench) -> None:
    datasets = registered.local.datasets
    (whole,) = datasets.whole()
    assert (len(whole.files), whole.rows, whole.state) == (6, 18, DatasetState.READY)
    assert datasets.get("sales_2024_files") == whole
    rows = datasets.rows(whole, 4, 3).rows
    assert [row[:3] for row in rows] == [
        (str(n), "sales-2024-02.csv", d) for n, d in ((2, "North"), (3, "South"), (4, "East"))
    ]


def test_a_question_that_nothing_reads_is_not_told_that_there_is_nothing(registered: Workbench) -> None:
    answer = registered.ask("Why did Mr Smith leave?")
    said = [answer.text, *(each.message for each in answer.degradations)]
    assert not any("There are no documents yet" in each for each in said)
    assert "sales_2024_files" in answer.text


def test_a_new_file_is_added_one_that_changed_is_said_and_one_that_differs_stays_apart(
    tmp_path: Path,
) -> None:
    folder = tmp_path / "months"
    folder.mkdir()
    for month in MONTHS[:2]:
        _write(folder, month, f"North,{int(month)},2024-{month}-01", f"South,1,2024-{month}-02")
    with Workbench.open(home=tmp_path / "home") as bench:
        datasets = bench.local.datasets
        datasets.register([folder])
        _write(folder, "03", "North,30,2024-03-01", "East,2,2024-03-02")
        (folder / "plan.csv").write_text(
            "Region,Pieces,Day\nNorth,5,2024-01-01\nSouth,6,2024-01-02\n", "utf-8"
        )
        datasets.register([folder])
        (_, whole) = datasets.whole()
        assert len(whole.files) == 3
        assert [reason for _, reason in datasets.apart(whole)] == ["it has no Units; it has Pieces beside"]

        _write(folder, "01", "North,1000,2024-01-01", "South,1,2024-01-02")
        answer = bench.ask("What is the total of Units?")
        assert _value(answer) == "37"
        assert any("“sales-2024-01” changed since it was registered" in gap for gap in answer.gaps)
        assert datasets.whole()[1].state is DatasetState.CHANGED

        datasets.remove(whole.table)
        assert [each.name for each in datasets.list()] == ["plan"]
        with pytest.raises(NotFoundError):
            datasets.of_document(whole.table)
