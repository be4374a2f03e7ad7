"""The list of datasets with their states and problems; what to do where there is none."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import streamlit as st

from app.components.controls import draw_button
from app.components.shell import moment, plain
from app.components.table import Row, column, draw_table, row
from app.presenting.rows.datasets import STATE_ADVICE, STATES
from app.presenting.wording import counted, size
from app.views.datasets import actions
from core.domain.rows.dataset import Dataset, DocumentTable

_COLUMNS = [
    column("name", "Dataset", 220),
    column("state", "State", 140, kind="state"),
    column("rows", "Rows", 90, right=True),
    column("columns", "Columns", 80, right=True),
    column("problems", "Problems", 88, right=True),
    column("table", "In SQL", 190),
    column("source", "File", 240),
    column("size", "Size", 80, right=True),
    column("bucket", "Bucket", 90),
    column("version", "Version", 74, right=True),
    column("at", "Registered", 110),
]


def draw_nothing(*, may_register: bool) -> None:
    """Next step where there is no dataset and no spreadsheet."""
    st.info(
        "There is no dataset yet. A dataset is a file of rows: CSV, TSV, XLSX, Parquet or JSON lines. "
        + (
            "Register one below; then look at its columns, ask it by SQL, or ask about it in words."
            if may_register
            else "Ask somebody who may ingest to register one; spreadsheets among the documents appear, too."
        )
    )


def draw_list(found: Sequence[Dataset], of_documents: Sequence[DocumentTable]) -> None:
    """Registered datasets, then tables of documents; a click opens one."""

    def opened(sent: Any) -> None:
        actions.open_dataset(str(sent["id"]))

    total = f"**{counted(len(found), 'dataset')}**, **{counted(len(of_documents), 'table')}** of documents"
    st.markdown(total)
    if found:
        draw_table(
            "datasets-table",
            "datasets",
            "Datasets",
            _COLUMNS,
            list(map(_row, found)),
            only_filled=True,
            open=opened,
        )
    if of_documents:
        _draw_of_documents(of_documents)


def _row(each: Dataset) -> Row:
    word, look = STATES[each.state]
    cells = {
        "name": each.name,
        "state": word,
        "rows": f"{each.rows:,}",
        "columns": f"{len(each.columns):,}",
        "problems": f"{len(each.problems):,}" if each.problems else "",
        "table": each.table,
        "source": counted(len(each.files), "file") + f" of {each.source}" * bool(each.path)
        if each.files
        else each.source,
        "size": size(each.size_bytes),
        "bucket": each.bucket,
        "version": f"{each.version:,}" if each.version > 1 else "",
        "at": moment(each.registered_at),
    }
    hover = {
        "at": each.registered_at.isoformat(timespec="seconds"),
        "state": STATE_ADVICE.get(each.state, ""),
    }
    if each.problems:
        hover["problems"] = "\n".join(problem.text for problem in each.problems[:5])
    return row(each.id, cells, look, hover={name: said for name, said in hover.items() if said})


def _draw_of_documents(found: Sequence[DocumentTable]) -> None:
    st.subheader("From documents", anchor=False)
    st.caption(
        "Tables of ingested spreadsheets, and the fields of documents as rows (`fields_…`), can be asked "
        "by SQL without being registered, and joined with datasets."
    )
    columns = [
        column("name", "Table", 300),
        column("rows", "Rows", 90, right=True),
        column("columns", "Columns", 80, right=True),
        column("table", "In SQL", 260),
        column("documents", "Documents", 100, right=True),
    ]
    by_name = {each.table: each for each in found}
    rows = [
        row(
            name,
            {
                "name": each.name,
                "rows": f"{each.rows:,}",
                "columns": f"{len(each.columns):,}",
                "table": each.table,
                "documents": f"{len(each.documents):,}" if len(each.documents) > 1 else "",
            },
            hover={"columns": ", ".join(name for name, _ in each.columns)[:300]},
        )
        for name, each in by_name.items()
    ]

    def opened(sent: Any) -> None:
        actions.write_sql(f"SELECT * FROM {by_name[sent['id']].table} LIMIT 100")

    draw_table(
        "tables-table", "document-tables", "Tables of documents", columns, rows, only_filled=True, open=opened
    )


def draw_removed(removed: Sequence[Dataset]) -> None:
    """Datasets that were removed, to be brought back."""
    if not removed:
        return
    with st.expander(f"{counted(len(removed), 'removed dataset')}", key="removed"):
        for each in removed:
            with st.container(horizontal=True, vertical_alignment="center"):
                st.markdown(f"{plain(each.name)} · {each.rows:,} rows", width="content")
                draw_button(
                    "Bring back", actions.restore, each.id, each.name, icon="undo", key=f"restore-{each.id}"
                )
