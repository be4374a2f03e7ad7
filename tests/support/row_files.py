"""Files of rows as they come, and what is read of them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import duckdb

from core.datasets.reading import ReadTask, read_file
from core.datasets.sources import Header
from core.domain.rows.dataset import ReadTable

SPEND = "\n".join(
    [
        "Report 2024",
        "",
        "id,Region,Amount (EUR),When,Paid",
        '1,North,"1,200.50",2024-01-03,yes',
        "2,South,300.00,2024-02-03,no",
        "3,North,n/a,2024-03-04,yes",
        "4,East,see note,2024-05-06,no",
        *(f"{number},West,{number}.25,2024-06-{number:02},yes" for number in range(5, 15)),
        'Total,,"1,700.00",,',
    ]
)


def written(folder: Path, name: str, text: str, encoding: str = "utf-8") -> Path:
    """The file with this text."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / name
    path.write_text(text, encoding=encoding, newline="")
    return path


def read(path: Path, header: Header = "auto") -> list[ReadTable]:
    """The tables of a file, read in this process; their Parquet files lie in `path.out`."""
    return list(read_file(ReadTask(path, path.with_suffix(".out"), header)))


def rows(path: Path, table: ReadTable, *names: str) -> list[tuple[Any, ...]]:
    """Row number and values of some columns of a table, in order."""
    listed = ", ".join(("_row", *(f'"{name}"' for name in names)))
    file = path.with_suffix(".out") / table.file
    with duckdb.connect() as db:
        return db.execute(f"SELECT {listed} FROM '{file}' ORDER BY _row").fetchall()


def said(table: ReadTable) -> str:
    """All problems of a table."""
    return "\n".join(f"{each.column}: {each.text}" for each in table.problems)
