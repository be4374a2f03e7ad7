"""Rows and cells of a table as they show."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from core.ingest.parse.base import PartTally
from core.ingest.parse.word.elements import W, is_placeholder, number, value

DELETED = "Deletions that are tracked are no text of the document."
_MOST_COLUMNS = 100
_WRAPPERS = frozenset(W + name for name in ("sdt", "sdtContent", "customXml", "ins", "moveTo", "smartTag"))


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
    for row in _children(table, f"{W}tr"):
        if row.find(f"{W}trPr/{W}del") is not None:
            tally.left_out("tracked deletions", DELETED)
            continue
        before = min(max(0, number(value(row, "trPr/gridBefore"))), _MOST_COLUMNS)
        cells = (each for each in _children(row, f"{W}tc") if each.find(f"{W}tcPr/{W}cellDel") is None)
        rows.append(WordRow(tuple(_cell(each) for each in cells), before))
    return rows


def _cell(element: Any) -> WordCell:
    merge = element.find(f"{W}tcPr/{W}vMerge")
    goes_on = merge is not None and merge.get(f"{W}val", "continue") == "continue"
    return WordCell(element, min(max(1, number(value(element, "tcPr/gridSpan"), 1)), _MOST_COLUMNS), goes_on)


def _children(element: Any, tag: str) -> Iterator[Any]:
    for child in element:
        if child.tag == tag:
            yield child
        elif child.tag in _WRAPPERS and not (child.tag == f"{W}sdt" and is_placeholder(child)):
            yield from _children(child, tag)
