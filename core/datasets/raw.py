"""A table written as it stands: every cell a text, under its row number, in one Parquet file."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import islice, zip_longest
from pathlib import Path
from typing import Any

from core.datasets.base import ROW
from core.datasets.sources import MOST_COLUMNS, Row, TextRows, too_wide
from core.text.table_shape import unique_names

_CELLS_AT_ONCE = 200_000
_LEAST_ROWS, _MOST_ROWS = 100, 20_000  # of a piece that is written


def write_raw(source: TextRows, target: Path, name: str, tell: Callable[[int], None]) -> tuple[str, ...]:
    """Write all rows of a source; gives the names of its columns, each once.

    Columns are c0, c1, ... in the file; an empty cell is NULL. tell: called with the number of rows so far.
    Raises InputError for too many columns.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    first = list(islice(source.rows, _LEAST_ROWS))
    width = max([len(source.heads), *(len(row) for _, row in first)])
    heads = _heads(source, width, name)
    kinds = pa.schema([(ROW, pa.int64()), *((f"c{at}", pa.string()) for at in range(width))])
    pieces = _pieces(first, source.rows, max(_LEAST_ROWS, min(_MOST_ROWS, _CELLS_AT_ONCE // max(1, width))))
    done = 0
    with pq.ParquetWriter(target, kinds, compression="zstd") as writer:
        for piece in pieces:
            writer.write_table(pa.table(_columns(piece, width, source), schema=kinds))
            done += len(piece)
            tell(done)
    return heads


def _heads(source: TextRows, width: int, name: str) -> tuple[str, ...]:
    if width > MOST_COLUMNS:
        raise too_wide(name, width)
    given = [*source.heads, *[""] * (width - len(source.heads))]
    heads = tuple(
        each.replace("column ", "column_") if not own else each
        for own, each in zip(given, unique_names(given), strict=True)
    )
    for own, head in zip(given, heads, strict=True):
        if own and " ".join(own.split()) != head:
            source.problems.add(f"The name {own!r} comes again; this one is called {head!r}.", head)
        if not own and source.heads:
            source.problems.add(f"A column has no name; it is called {head!r}.", head)
    return heads


def _pieces(first: list[Row], rest: Iterator[Row], size: int) -> Iterator[list[Row]]:
    if first:
        yield first
    while piece := list(islice(rest, size)):
        yield piece


def _columns(piece: Sequence[Row], width: int, source: TextRows) -> list[list[Any]]:
    for number, row in piece:
        if len(row) > width and any(row[width:]):
            source.problems.note(
                "Rows have more cells than there are columns; the last ones are left out.", number
            )
        elif len(row) < len(source.heads):
            source.problems.note("Rows have fewer cells than there are columns.", number)
    cells = list(islice(zip_longest(*(row for _, row in piece), fillvalue=""), width))
    cells += [("",) * len(piece)] * (width - len(cells))
    return [[number for number, _ in piece], *([each or None for each in column] for column in cells)]
