"""Text of the pages of a registered dataset: 100 rows a page, each in the line of its number."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from core.datasets.base import ROW
from core.datasets.names import quoted

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

_ROWS_OF_PAGE = 100
_BETWEEN = " | "
_MOST_OF_A_CELL = 500


def page_of(row: int) -> int:
    """Number of the page that a row (from 1) stands on, from 1."""
    return 1 + (row - 1) // _ROWS_OF_PAGE


def first_row_of(page_no: int) -> int:
    """Number of the first row of a page."""
    return 1 + (page_no - 1) * _ROWS_OF_PAGE


def page(labels: Sequence[str], rows: Iterable[Sequence[str | None]]) -> str:
    """The page of these rows, which are all the rows of its number, each cell as text.

    Its first line holds the names of the columns. A cell's lines become one, and of a long one the beginning
    stands; the same rows give the same page.
    """
    return "\n".join(map(_line, (labels, *rows)))


def row_span(text: str, row: int) -> tuple[int, int] | None:
    """Characters [start, end) of a row on its page, or nothing where the page ends before it."""
    lines = text.split("\n")
    at = 1 + row - first_row_of(page_of(row))
    if at >= len(lines):
        return None
    start = sum(len(line) + 1 for line in lines[:at])
    return start, start + len(lines[at])


def row_pages(
    db: DuckDBPyConnection, file: Path, columns: Sequence[tuple[str, str]], first: int, last: int
) -> Iterator[str]:
    """Pages `first` to `last` of a Parquet file. columns: (name, label). No row: a blank line."""
    labels = [label for _, label in columns]
    listed = ", ".join(f'"{name}"::VARCHAR' for name, _ in columns)
    path = quoted(str(file))
    for number in range(first, last + 1):
        start = first_row_of(number)
        within = f"{ROW} BETWEEN {start} AND {start + _ROWS_OF_PAGE - 1}"
        found = db.execute(f"SELECT {ROW}, {listed} FROM {path} WHERE {within} ORDER BY {ROW}").fetchall()
        rows: list[Sequence[str | None]] = [()] * _ROWS_OF_PAGE
        for row, *cells in found:
            rows[row - start] = cells
        while rows and not rows[-1]:
            rows.pop()
        yield page(labels, rows)


def _line(values: Sequence[str | None]) -> str:
    return _BETWEEN.join(" ".join((value or "").split())[:_MOST_OF_A_CELL] for value in values)
