"""Stored text of a sheet as rows and cells, each with its characters: what the viewer draws as a grid.

A table is stored as a line of its columns' names and lines of `name: cell`, all joined by bars; what is in no
table stands in lines of its own.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from core.text.table_shape import is_figure

_BAR = " | "
_COLONS = 4  # that are looked for in the name of a column
_SAMPLE = 500  # rows by which columns are judged
_FILLED, _DIFFERENT = 0.8, 0.5  # shares of cells of a column whose words name its rows
_LEAST = 10  # rows from which a column of one value tells nothing


@dataclass
class SheetTable:
    """Columns of a table, in the order of the file. order: their numbers, useful ones first.

    right: numbers of columns of figures.
    """

    names: list[str]
    order: list[int] = field(default_factory=list)
    right: list[int] = field(default_factory=list)

    @cached_property
    def places(self) -> dict[str, int]:
        """The number of each column by its name."""
        return {name: at for at, name in enumerate(self.names) if name}

    def add(self, name: str) -> int:
        """One more column, behind the others."""
        self.names.append(name)
        self.places[name] = len(self.names) - 1
        return self.places[name]


@dataclass(slots=True)
class SheetRows:
    """Tables of a page, and its lines: `[table, start, end, [column, offset, text, ...]]`.

    table: its number; -1 for a line of no table, whose only cell is all of it. heads: numbers of lines that
    are heads of tables, whose cells are its names.
    """

    tables: list[SheetTable] = field(default_factory=list)
    lines: list[tuple[int, int, int, list[Any]]] = field(default_factory=list)
    heads: list[int] = field(default_factory=list)


def sheet_rows(text: str, names: Sequence[str] = ()) -> SheetRows:
    """Rows of a page. names: columns of the table that goes on from the page before it."""
    found = SheetRows()
    if names:
        found.tables.append(SheetTable(list(names)))
    lines = list(_lines(text))
    for at, (start, line) in enumerate(lines):
        if not line.strip():
            continue
        heads = line.split(_BAR)
        is_head = at + 1 < len(lines) and _is_row(lines[at + 1][1], frozenset(heads))
        if is_head:
            found.heads.append(len(found.lines))
            found.tables.append(SheetTable(heads))
        table = found.tables[-1] if found.tables else None
        cells = _head_cells(heads, start) if is_head else _cells(line, start, table) if table else []
        number = len(found.tables) - 1 if cells else -1
        found.lines.append((number, start, start + len(line), cells or [0, start, line]))
    for number, table in enumerate(found.tables):
        of = [each for at, each in enumerate(found.lines) if each[0] == number and at not in found.heads[:50]]
        _judge(table, [each[3] for each in of[:_SAMPLE]])
    return found


def last_names(text: str) -> list[str]:
    """Columns of the last table that begins on a page; [] where none does."""
    lines = text.split("\n")
    for line, below in zip(lines[-2::-1], lines[:0:-1], strict=True):
        if _is_row(below, frozenset(heads := line.split(_BAR))):
            return heads
    return []


def _lines(text: str) -> Iterator[tuple[int, str]]:
    start = 0
    for line in text.split("\n"):
        yield start, line
        start += len(line) + 1


def _is_row(line: str, heads: Collection[str]) -> bool:
    """True where a line is cells of these columns: its first part is one, and most of the others are.

    Not all: a cell may have a bar itself.
    """
    parts = line.split(_BAR)
    named = [any(name in heads for name in _may_be_named(part)) for part in parts]
    return named[0] and 2 * sum(named) > len(parts)


def _may_be_named(part: str) -> Iterator[str]:
    """What may be the name of a part's column, the longest first: a name may have a colon itself."""
    words = part.split(": ", _COLONS)
    return (": ".join(words[:end]) for end in range(len(words) - 1, 0, -1))


def _head_cells(heads: Sequence[str], start: int) -> list[Any]:
    cells: list[Any] = []
    for column, name in enumerate(heads):
        cells += [column, start, name]
        start += len(name) + len(_BAR)
    return cells


def _cells(line: str, start: int, table: SheetTable) -> list[Any]:
    """The cells of a row, [] where the line is none; columns that its head lacks are added behind."""
    cells: list[Any] = []
    column = -1
    for part in line.split(_BAR):
        named = (table.places.get(name, -1) for name in _may_be_named(part))
        found = next((at for at in named if at > column), -1)
        extra = part.partition(": ")[0]
        if found < 0 and ": " in part and (extra == "Section" or extra.removeprefix("column ").isdecimal()):
            found = table.add(extra)
        if found >= 0:
            column = found
            skip = len(table.names[column]) + 2
            cells += [column, start + skip, part[skip:]]
        elif not cells:
            return []
        else:
            cells[-1] += _BAR + part  # a bar of the cell's own
        start += len(part) + len(_BAR)
    return cells


def _judge(table: SheetTable, rows: Sequence[list[Any]]) -> None:
    """Set the order of the columns: what names the rows first, what is blank or always the same last."""
    values: list[list[str]] = [[] for _ in table.names]
    for cells in rows:
        for column, text in zip(cells[0::3], cells[2::3], strict=True):
            if column < len(values):
                values[column].append(text)
    table.right = [at for at, found in enumerate(values) if found and all(map(is_figure, found))]
    is_long = len(rows) >= _LEAST
    idle = {at for at, found in enumerate(values) if not found or (is_long and _is_same(found, len(rows)))}
    label = next((at for at, found in enumerate(values) if _names_rows(found, len(rows))), 0)
    rest = [at for at in range(len(table.names)) if at != label]
    table.order = [label, *(at for at in rest if at not in idle), *(at for at in rest if at in idle)]


def _is_same(found: Sequence[str], rows: int) -> bool:
    return len(set(found)) == 1 and len(found) == rows


def _names_rows(found: Sequence[str], rows: int) -> bool:
    if len(found) < _FILLED * rows or not found:
        return False
    counts = Counter(found)
    return sum(map(is_figure, found)) < 0.5 * len(found) and len(counts) >= _DIFFERENT * len(found)
