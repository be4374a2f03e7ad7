"""Sums over tables that were ingested as files: every row counts once."""

from __future__ import annotations

import csv
import threading
from collections.abc import Iterator, Sequence
from decimal import Decimal
from pathlib import Path

import openpyxl
import pytest

from core.config.load import load_settings
from core.jobs.worker import run
from core.workbench import Workbench
from core.workbench.work.handlers import Handlers
from tests.support.given_encoder import PartsWith
from tests.support.hashed_encoder import HashedEncoder

Rows = Sequence[Sequence[str]]
_SHEETS: dict[str, Rows] = {
    "one.csv": [("r0", "$1.00")],
    "two.csv": [("r0", "$1.00"), ("r1", "$2.00")],
    "hundred.csv": [(f"r{n}", f"${n}.00") for n in range(1, 101)],
    "sparse.csv": [("r0", "$1.00"), ("", "$2.00"), ("r2", ""), ("r3", "$4.00"), ("", "$8.00")],
    "book.xlsx": [(f"r{n}", f"${n}") for n in range(1, 51)],
}


@pytest.fixture(scope="module")
def bench(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workbench]:
    """A home into which every sheet was ingested, each with a column of amounts that is called as it is."""
    folder = tmp_path_factory.mktemp("sums")
    for name, rows in _SHEETS.items():
        _write(folder / name, [("Item", f"Price {name.split('.')[0]}"), *rows])
    home = folder / "home"
    parts, stop = PartsWith(load_settings(home), HashedEncoder()), threading.Event()
    worker = threading.Thread(target=run, args=(parts.records, home, Handlers(parts).make, stop))
    worker.start()
    try:
        with Workbench(parts) as opened:
            while not opened.local.settings.status().worker_alive:
                worker.join(0.05)
            opened.ingest([folder / name for name in _SHEETS], bucket="sheets")
            yield opened
            stop.set()
            worker.join()
    finally:
        stop.set()


@pytest.mark.parametrize(
    ("name", "total", "rows"),
    [("one", 1, 1), ("two", 3, 2), ("hundred", 5_050, 100), ("sparse", 15, 4), ("book", 1_275, 50)],
)
def test_the_sum_of_a_column_is_that_of_the_file(bench: Workbench, name: str, total: int, rows: int) -> None:
    [group] = bench.local.matrix.aggregate("sheets", aggregate="sum", field=f"Price {name}").groups

    assert (group.value, group.rows) == (Decimal(total), rows)


def test_a_row_is_found_once(bench: Workbench) -> None:
    assert bench.local.matrix.search("sheets", [("Price two", "=", "$1.00")]).total == 1
    assert bench.local.matrix.search("sheets", [("Price hundred", "<=", "$3.00")]).total == 3


def _write(path: Path, rows: Rows) -> None:
    if path.suffix == ".csv":
        with path.open("w", newline="") as file:
            csv.writer(file).writerows(rows)
        return
    book = openpyxl.Workbook()
    for row in rows:
        book.active.append(list(row))
    book.save(path)
