"""A table of records in the browser, one part of its rows at a time: columns, rows, actions."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from app import state
from app.components import mounts

Column = dict[str, Any]
Row = dict[str, Any]


def column(key: str, label: str, width: int, sort: str | None = None, **more: object) -> Column:
    """A column. sort: its order's name; more: kind (state, words, act), right, falling, off, about, least.

    about: said over a head that is short. least: pixels down to which it gives way in a narrow window;
    columns of words do so in any case.
    """
    return {"key": key, "label": label, "width": width, "sort": sort, **more}


def row(
    id: str,
    cells: Mapping[str, str],
    state: str = "",
    note: str = "",
    hover: Mapping[str, str] | None = None,
    *,
    of: str = "",
    by: Mapping[str, float] | None = None,
) -> Row:
    """A row. state: a class of assets/table.css; hover: by column, what stands there in full.

    of: the row above that it belongs to, and with which it is counted. by: by column, the number that it is
    sorted by where its text tells another.
    """
    shown = {"id": id, "state": state, "note": note, "cells": cells, "hover": hover or {}, "of": of}
    return shown | ({"by": by} if by else {})


def draw_table(
    key: str,
    name: str,
    label: str,
    columns: Sequence[Column],
    rows: Sequence[Row],
    *,
    order: tuple[str, bool] = ("", True),
    first: int = 1,
    total: int | None = None,
    size: int | None = None,
    opened: str = "",
    most: int | None = None,
    chosen: Sequence[str] | None = None,
    only_filled: bool = False,
    file: str = "",
    **actions: Callable[[Any], None],
) -> None:
    """Mount it. name: under which the browser keeps hidden columns; order: a sort and whether it falls.

    first, total, size: place of the rows among all, counted from 1, and how many are shown at a time; without
    them the rows are all. most: height in pixels. chosen: rows that are ticked, None where none can be.
    only_filled: columns that no row fills are left out. file: name of the CSV that all rows can be saved as;
    "" for none, as where they are not all here. actions: by what is done (open, sort, part, choose,
    act), each gets the values that the browser sent.
    """
    if only_filled:
        filled = {name for each in rows for name, value in each["cells"].items() if value}
        columns = [each for each in columns if each["key"] in filled]
    data = {
        "name": name,
        "label": label,
        "ticks": chosen is not None,
        "most": most,
        "columns": columns,
        "rows": rows,
        "sort": order[0],
        "descending": order[1],
        "first": first,
        "total": len(rows) if total is None else total,
        "size": size or max(1, len(rows)),
        "open": opened,
        "chosen": list(chosen or ()),
        "file": file,
    }
    mounts.table(key=key, data=data, **state.on_sent(key, actions))
