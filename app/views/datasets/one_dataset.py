"""One dataset: its columns with how they are spread, its rows, problems, and what it may be joined with."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import streamlit as st

from app import services, state
from app.components.chart import draw_chart_and_table
from app.components.controls import draw_button, draw_page_link, draw_switch
from app.components.shell import moment, plain
from app.components.table import Column, Row, column, draw_table, row
from app.presenting.rows.datasets import (
    STATE_ADVICE,
    cell_word,
    column_chart,
    range_word,
    spread_of,
    title_of,
    type_word,
)
from app.presenting.wording import counted, size
from app.views.datasets import actions
from app.views.datasets.files import draw_files
from core.domain.rows.dataset import Dataset, DatasetColumn, DatasetState
from core.domain.trust.permission import Action
from core.domain.wire.datasets import QueryResult

PART = 100
ROW_NO = "row_no"
"""Column of a result that holds the number of the row in its source."""

_FILES = "Files"
_VIEWS = ("Columns", "Rows", "Problems", "Joins", _FILES)
_TABLE_PX = 560


def draw_dataset(found: Dataset) -> None:
    """Head, then one of its views."""
    st.title(plain(title_of(found)), anchor=False)
    _draw_head(found)
    apart = services.session().datasets.apart(found)
    views = _VIEWS if found.files or apart else _VIEWS[:-1]
    view = draw_switch("View", views, "of", _FILES if found.files else views[0])
    if view == "Columns":
        _draw_columns(found)
    elif view == "Rows":
        _draw_rows(found)
    elif view == "Problems":
        _draw_problems(found)
    elif view == _FILES:
        draw_files(found, apart)
    else:
        _draw_joins(found)


def _draw_head(found: Dataset) -> None:
    version = f"version {found.version} of {moment(found.registered_at)}"
    st.markdown(
        f"{found.rows:,} rows · {counted(len(found.columns), 'column')} · {plain(found.source)} · "
        f"{size(found.size_bytes)} · "
        + (counted(len(found.files), "file") + " as one" if found.files else version)
        + f" · in SQL `{found.table}`"
        + (f" · {counted(len(found.problems), 'problem')}" if found.problems else "")
    )
    if (advice := STATE_ADVICE.get(found.state)) and not found.files:
        st.warning(f"{advice}")
    with st.container(horizontal=True, vertical_alignment="center"):
        if found.state is not DatasetState.REMOVED:
            draw_button(
                "Ask by SQL",
                actions.write_sql,
                f"SELECT * FROM {found.table} LIMIT 100",
                icon="database",
                type="primary",
                key="ask-sql",
            )
            draw_page_link("ask", "Ask in words", "forum", **{"in": found.bucket})
        if services.may(Action.INGEST):
            _draw_care(found)


def _draw_care(found: Dataset) -> None:
    if found.state is DatasetState.REMOVED:
        draw_button("Bring back", actions.restore, found.id, found.name, icon="undo", key="bring-back")
        return
    if actions.paths_there(found):
        draw_button("Register again", actions.register_again, found, icon="refresh", key="again")
    if not found.files:
        with st.popover("Rename", icon=":material/edit:"):
            st.text_input("Name", value=found.name, key="new-name")
            draw_button("Rename", actions.rename, found.id, "new-name", key="rename")
    with st.popover("Remove", icon=":material/delete:"):
        st.markdown(
            f"**{plain(found.name)}** goes from every list and query. Answers that cite it can still be "
            "opened, and it can be brought back."
        )
        draw_button("Remove it", actions.remove, found.id, found.name, type="primary", key="remove")


def _draw_columns(found: Dataset) -> None:
    columns = [
        column("head", "Column", 170, least=130),
        column("type", "Type", 124, least=118),
        column("key", "Key", 60),
        column("empty", "Empty", 66, right=True),
        column("different", "Different", 84, right=True),
        column("spread", "Spread", 146),
        column("range", "Range, or most often", 220, kind="words", least=150),
        column("examples", "Examples", 190, kind="words", least=104),
        column("name", "In SQL", 150, least=96),
    ]
    opened = state.from_address("column")
    draw_table(
        "columns-table",
        "dataset-columns",
        "Columns",
        columns,
        [_column_row(each, found.rows) for each in found.columns],
        most=_TABLE_PX,
        opened=opened,
        only_filled=True,
        file=f"{found.table}-columns",
        open=lambda sent: state.to_address(column=str(sent["id"])),
    )
    chosen = found.column(opened)
    if chosen is None:
        st.caption("Choose a column to see how its values are spread.")
    elif (chart := column_chart(chosen)) is not None:
        st.subheader(plain(chosen.head), anchor=False)
        draw_chart_and_table("column-chart", chart)
    else:
        st.info("Its values differ from row to row: there is nothing to draw.")


def _column_row(each: DatasetColumn, rows: int) -> dict[str, object]:
    cells = {
        "head": each.head,
        "type": type_word(each),
        "key": "✓ key" if each.is_key else "",
        "empty": f"{rows - each.filled:,}" if each.filled < rows else "",
        "different": f"{each.distinct:,}",
        "spread": spread_of(each.chart),
        "range": range_word(each),
        "examples": ", ".join(each.examples),
        "name": each.name,
    }
    return row(each.name, cells, hover={"examples": "\n".join(each.examples)})


def _draw_rows(found: Dataset) -> None:
    asked = state.from_address("part")
    parts = max(1, -(-found.rows // PART))
    part = min(max(1, int(asked) if asked.isdecimal() else 1), parts)
    first = 1 + (part - 1) * PART
    result = services.session().datasets.rows(found, first, PART)
    draw_result_rows(result, "rows-table", first=first, total=found.rows)


def draw_result_rows(
    result: QueryResult, key: str, *, first: int = 1, total: int | None = None, can_open: bool = False
) -> None:
    """Rows of a query as a table, part by part where a total is given. can_open: the address says which."""
    columns = [_result_column(result, at) for at in range(len(result.columns))]
    rows = [_result_row(result, number) for number in range(1, len(result.rows) + 1)]
    actions_of: dict[str, Any] = {}
    if can_open:
        actions_of["open"] = lambda sent: state.to_address(row=str(sent["id"]))
    if total is not None:
        actions_of["part"] = lambda sent: state.to_address(part=int(sent["n"]))
    draw_table(
        key,
        key,
        "Rows",
        columns,
        rows,
        most=_TABLE_PX,
        opened=state.from_address("row") if can_open else "",
        first=first,
        total=total,
        size=None if total is None else PART,
        **actions_of,
    )


def _result_column(result: QueryResult, at: int) -> Column:
    each = result.columns[at]
    name = "Row" if each["name"] == ROW_NO else each["name"]
    width, is_number = _width(result, at), _is_number(each["type"])
    least = width if is_number else min(width, max(80, width * 7 // 10))
    return column(f"c{at}", name, width, right=is_number and at > 0, least=least)


def _result_row(result: QueryResult, number: int) -> Row:
    cells = {}
    for at, (each, value) in enumerate(zip(result.columns, result.rows[number - 1], strict=True)):
        cells[f"c{at}"] = cell_word(value, "text" if each["name"] == ROW_NO else each["type"])
    return row(str(number), cells)


def _is_number(type: str) -> bool:
    return type in ("number", "money")


def _width(result: QueryResult, at: int) -> int:
    cells = [result.columns[at]["name"], *(str(values[at] or "") for values in result.rows[:50])]
    return min(320, max(80, 30 + 8 * max(map(len, cells))))


def _draw_problems(found: Dataset) -> None:
    if not found.problems:
        st.info("Nothing was odd about this file.")
        return
    columns = [column("column", "Column", 200), column("text", "What was found", 700, kind="words")]
    rows: Sequence[dict[str, object]] = [
        row(str(number), {"column": each.column, "text": each.text})
        for number, each in enumerate(found.problems)
    ]
    draw_table("problems-table", "dataset-problems", "Problems", columns, rows, only_filled=True)


def _draw_joins(found: Dataset) -> None:
    joins = services.session().datasets.joins(found)
    if not joins:
        st.info("No other dataset has a column that shares many values with one of these.")
        return
    st.caption("Columns that share values may be joined: a click writes the query.")
    columns = [
        column("own", "Column", 220),
        column("other", "Column of another dataset", 320),
        column("share", "Values shared", 110, right=True),
    ]
    rows = [
        row(
            str(number),
            {"own": each.column, "other": f"{each.dataset_name}: {each.other}", "share": f"{each.share:.0%}"},
        )
        for number, each in enumerate(joins)
    ]

    def opened(sent: dict[str, str]) -> None:
        each = joins[int(sent["id"])]
        both = f"{found.table} a JOIN {each.table} b ON a.{each.column} = b.{each.other}"
        actions.write_sql(f"SELECT a.*, b.* FROM {both} LIMIT 100")

    draw_table("joins-table", "dataset-joins", "Possible joins", columns, rows, open=opened)
