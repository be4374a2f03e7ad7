"""Rows and cells of a table as they show."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from core.ingest.parse.base import PartTally
from core.ingest.parse.word.elements import W, children_of, number, value

DELETED = "Deletions that are tracked are no text of the document."
_MOST_COLUMNS = 100


@dataclass(frozen=True, slots=True)
class WordCell:
    """A cell. columns: how many it spans; goes_on: it is the lower part of one that spans rows."""

    element: Any
    columns: int
    goes_on: bool


@dataclass(frozen=True, slots=True)
class WordRow:
    """A row. offset: how many columns it leaves empty before its first cell."""

    cells: tuple[WordCell, ...]
    offset: int


def rows_of(table: Any, tally: PartTally) -> list[WordRow]:
    """The rows of a table without those of tables within; deleted rows and cells are left out."""
    rows = []
    for row in children_of(table, f"{W}tr"):
        if row.find(f"{W}trPr/{W}del") is not None:
            tally.left_out("tracked deletions", DELETED)
            continue
        before = min(max(0, number(value(row, "trPr/gridBefore"))), _MOST_COLUMNS)
        cells = (each for each in children_of(row, f"{W}tc") if each.find(f"{W}tcPr/{W}cellDel") is None)
        rows.append(WordRow(tuple(_cell(each) for each in cells), before))
    return rows


def _cell(element: Any) -> WordCell:
    merge = element.find(f"{W}tcPr/{W}vMerge")
    goes_on = merge is not None and merge.get(f"{W}val", "continue") == "continue"
    return WordCell(element, min(max(1, number(value(element, "tcPr/gridSpan"), 1)), _MOST_COLUMNS), goes_on)
