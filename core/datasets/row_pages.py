"""The pages of a dataset, made of its Parquet file: a row always stands in the line of its number."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from core.datasets.base import ROW
from core.datasets.pages import ROWS_OF_PAGE, DatasetPage, first_row_of, page

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection


def row_pages(
    db: DuckDBPyConnection, file: Path, columns: Sequence[tuple[str, str]], first: int, last: int
) -> Iterator[DatasetPage]:
    """Pages `first` to `last`. columns: (name, as people wrote it); the line of no row is blank."""
    labels = [label for _, label in columns]
    listed = ", ".join(f'"{name}"::VARCHAR' for name, _ in columns)
    path = str(file).replace("'", "''")
    for number in range(first, last + 1):
        start = first_row_of(number)
        within = f"{ROW} BETWEEN {start} AND {start + ROWS_OF_PAGE - 1}"
        found = db.execute(f"SELECT {ROW}, {listed} FROM '{path}' WHERE {within} ORDER BY {ROW}").fetchall()
        rows: list[Sequence[str | None]] = [()] * ROWS_OF_PAGE
        for row, *cells in found:
            rows[row - start] = cells
        while rows and not rows[-1]:
            rows.pop()
        yield page(number, labels, rows)
