"""SQL over all tables that may be seen: written, run, its rows with the rows they rest on, saved."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from app import links, services, state
from app.components.chart import draw_chart_and_table
from app.components.controls import draw_button, draw_exports
from app.components.shell import draw_error, plain
from app.presenting.rows.datasets import result_chart
from app.presenting.wording import counted
from app.views.datasets import actions
from app.views.datasets.one_dataset import draw_result_rows
from core.domain.rows.dataset import Dataset, DocumentTable
from core.domain.wire.datasets import QueryResult
from core.errors import GroundworkError
from core.spreadsheet import number, sheet

_EDITOR_PX = 180


def draw_sql(datasets: Sequence[Dataset], of_documents: Sequence[DocumentTable]) -> None:
    """The editor, what may be named in it, and the result of what the address holds."""
    statement = state.from_address("sql")
    editor, known = st.columns([3, 1])
    if state.widget("sql-text") is None:
        state.set_widget("sql-text", statement or _example(datasets, of_documents))
    with editor:
        st.text_area(
            "SQL",
            key="sql-text",
            height=_EDITOR_PX,
            help="One SELECT in DuckDB's SQL. It runs in a process of its own, with bounds.",
        )
        draw_button("Run", _run, icon="play_arrow", type="primary", key="run-sql")
    with known:
        _draw_known(datasets, of_documents)
    if statement:
        _draw_result(statement)


def _run() -> None:
    state.to_address(sql=str(state.widget("sql-text") or "").strip() or None, row=None)


def _example(datasets: Sequence[Dataset], of_documents: Sequence[DocumentTable]) -> str:
    table = datasets[0].table if datasets else of_documents[0].table
    return f"SELECT * FROM {table} LIMIT 100"


def _draw_known(datasets: Sequence[Dataset], of_documents: Sequence[DocumentTable]) -> None:
    with st.container(height=_EDITOR_PX + 60, border=True):
        for each in datasets:
            with st.expander(each.table):
                st.markdown("\n".join(f"- `{c.name}` {c.type} {c.unit}" for c in each.columns[:200]))
        for table in of_documents:
            with st.expander(table.table):
                st.markdown("\n".join(f"- {plain(name)}: {kind}" for name, kind in table.columns[:200]))


def _draw_result(statement: str) -> None:
    try:
        result = services.session().datasets.query(statement)
    except GroundworkError as error:
        draw_error(error)
        return
    cut = " There may be more: the result was cut." if result.is_cut else ""
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(
            f"**{counted(len(result.rows), 'row')}** in {result.seconds:.1f} s.{cut}", width="content"
        )
        draw_exports("export-sql", "rows", lambda kind: _file(result, kind), "All rows of this result.")
        with st.popover("Save as an audit", icon=":material/bookmark_add:"):
            st.text_input("Name", key="audit-name", placeholder="Spend by region")
            draw_button("Save", actions.save_audit, statement, "audit-name", key="save-audit")
    with st.expander("What ran"):
        st.code(result.sql, language="sql", wrap_lines=True)
    for note in result.notes:
        st.caption(plain(note))
    if not result.rows:
        st.info("No row fulfils it.")
        return
    if (chart := result_chart(result)) is not None:
        draw_chart_and_table("sql-chart", chart)
    draw_result_rows(result, "sql-table", can_open=True)
    _draw_sources(result)


def _file(result: QueryResult, kind: str) -> bytes:
    heads = [each["name"] for each in result.columns]
    numeric = [each["type"] in ("number", "money") for each in result.columns]
    lines = (
        [number(value) if is_number else value for value, is_number in zip(values, numeric, strict=True)]
        for values in result.rows
    )
    return sheet(kind, heads, list(lines), [("SQL", result.sql)])


def _draw_sources(result: QueryResult) -> None:
    """The source rows of the row that was clicked."""
    asked = state.from_address("row")
    at = int(asked) if asked.isdecimal() else 0
    if not 1 <= at <= len(result.rows):
        st.caption("Choose a row to see the rows that it rests on.")
        return
    total = result.source_rows[at - 1]
    st.subheader(f"Row {at:,} rests on {counted(total, 'row')}", anchor=False)
    found = services.session().datasets.source_rows(result, at)
    for dataset, rows in found:
        st.markdown(f"**{plain(dataset.name)}** · {plain(dataset.source)}")
        draw_result_rows(rows, f"sources-{dataset.id}")
    known = {dataset.id for dataset, _ in found}
    others = [each for each in result.sources if each.result == at and each.dataset not in known]
    for each in (each for each in others if each.quote):
        address = links.place(each.dataset, each.version, each.page, each.start, each.end)
        st.markdown(f"[{plain(each.source)}]({address}), page {each.page}: “{plain(each.quote)}”")
    others = [each for each in others if not each.quote]
    for document in dict.fromkeys(each.dataset for each in others):
        numbers = ", ".join(str(each.row + 1) for each in others if each.dataset == document)
        source = next(each.source for each in others if each.dataset == document)
        st.markdown(f"[{plain(source)}]({links.place(document)}): rows {numbers} of its table")
