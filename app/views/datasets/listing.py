"""The list of datasets with their states and problems; what to do where there is none."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import PurePath
from typing import Any

import streamlit as st

from app.components.controls import draw_button
from app.components.shell import moment, plain
from app.components.table import Row, column, draw_table, row
from app.presenting.rows.datasets import STATE_ADVICE, STATES, table_title
from app.presenting.wording import counted, size
from app.views.datasets import actions
from core.domain.rows.dataset import Dataset, DocumentTable

_COLUMNS = [
    column("name", "Dataset", 220, least=200),
    column("state", "State", 112, kind="state"),
    column("rows", "Rows", 70, right=True),
    column("columns", "Columns", 84, right=True),
    column("problems", "Problems", 88, right=True),
    column("table", "In SQL", 190, least=120),
    column("source", "File", 240, least=100),
    column("size", "Size", 72, right=True),
    column("bucket", "Bucket", 90, least=70),
    column("version", "Version", 74, right=True),
    column("at", "Registered", 98),
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

    told = [f"**{counted(len(found), 'dataset')}**"] if found else []
    told += [f"**{counted(len(of_documents), 'table')}** of documents"] if of_documents else []
    st.markdown(", ".join(told))
    if found:
        draw_table(
            "datasets-table",
            "datasets",
            "Datasets",
            _COLUMNS,
            [_row(each, has_buckets=len({one.bucket for one in found}) > 1) for each in found],
            only_filled=True,
            file="datasets",
            open=opened,
        )
    if of_documents:
        _draw_of_documents(of_documents)


def _row(each: Dataset, *, has_buckets: bool) -> Row:
    word, look = STATES[each.state]
    cells = {
        "name": each.name,
        "state": word,
        "rows": f"{each.rows:,}",
        "columns": f"{len(each.columns):,}",
        "problems": f"{len(each.problems):,}" if each.problems else "",
        "table": each.table,
        "source": counted(len(each.files), "file") if each.files else PurePath(each.source).name,
        "size": size(each.size_bytes),
        "bucket": each.bucket if has_buckets else "",
        "version": f"{each.version:,}" if each.version > 1 else "",
        "at": moment(each.registered_at),
    }
    hover = {
        "at": each.registered_at.isoformat(timespec="seconds"),
        "state": STATE_ADVICE.get(each.state, ""),
        "source": each.source,
    }
    if each.problems:
        hover["problems"] = "\n".join(problem.text for problem in each.problems[:5])
    by = {"size": each.size_bytes}
    return row(each.id, cells, look, hover={name: said for name, said in hover.items() if said}, by=by)


def _draw_of_documents(found: Sequence[DocumentTable]) -> None:
    st.subheader("From documents", anchor=False)
    st.caption(
        "Tables of ingested spreadsheets, and the fields of documents as rows (`fields_…`), can be asked "
        "by SQL without being registered, and joined with datasets."
    )
    columns = [
        column("name", "Table", 300, kind="words"),
        column("rows", "Rows", 80, right=True),
        column("columns", "Columns", 84, right=True),
        column("table", "In SQL", 260, least=180),
        column("documents", "Documents", 104, right=True),
    ]
    by_name = {each.table: each for each in found}
    rows = [
        row(
            name,
            {
                "name": table_title(each),
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
        "tables-table",
        "document-tables",
        "Tables of documents",
        columns,
        rows,
        only_filled=True,
        file="tables-of-documents",
        open=opened,
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
