"""Text of the pages of a registered dataset: 100 rows a page, a row a line, and where cells stand."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

ROWS_OF_PAGE = 100
_BETWEEN = " | "
_MOST_OF_A_CELL = 500


@dataclass(frozen=True, slots=True)
class PageRow:
    """A row's characters on its page, and those of its cells; a cell without a value is an empty span."""

    start: int
    end: int
    cells: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class DatasetPage:
    """A page: its text, and its rows in order."""

    page_no: int
    text: str
    rows: tuple[PageRow, ...]


def page_of(row: int) -> int:
    """Number of the page that a row (from 1) stands on, from 1."""
    return 1 + (row - 1) // ROWS_OF_PAGE


def first_row_of(page_no: int) -> int:
    """Number of the first row of a page."""
    return 1 + (page_no - 1) * ROWS_OF_PAGE


def page(page_no: int, labels: Sequence[str], rows: Iterable[Sequence[str | None]]) -> DatasetPage:
    """The page of these rows, which are all the rows of its number, each cell as text.

    Its first line holds the names of the columns. A cell's lines become one, and of a long one the beginning
    stands; the same rows give the same page.
    """
    text, places = _line(labels).text, []
    for row in rows:
        line = _line(row)
        start = len(text) + 1
        text = f"{text}\n{line.text}"
        places.append(
            PageRow(start, start + len(line.text), tuple((start + a, start + b) for a, b in line.cells))
        )
    return DatasetPage(page_no, text, tuple(places))


@dataclass(frozen=True, slots=True)
class _Line:
    text: str
    cells: tuple[tuple[int, int], ...]


def _line(values: Sequence[str | None]) -> _Line:
    at, cells, parts = 0, [], []
    for value in values:
        part = " ".join((value or "").split())[:_MOST_OF_A_CELL]
        cells.append((at, at + len(part)))
        parts.append(part)
        at += len(part) + len(_BETWEEN)
    return _Line(_BETWEEN.join(parts), tuple(cells))
