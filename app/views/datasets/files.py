"""Files that are asked as one, each with how it stands to its file, and those that stay apart."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from app.components.shell import moment
from app.components.table import column, draw_table, row
from app.presenting.rows.datasets import STATE_ADVICE, STATES
from app.presenting.wording import counted
from app.views.datasets import actions
from core.domain.rows.dataset import Dataset

_COLUMNS = [
    column("name", "File", 260, least=160),
    column("state", "State", 140, kind="state"),
    column("rows", "Rows", 90, right=True),
    column("table", "In SQL", 220, least=140),
    column("version", "Version", 74, right=True),
    column("at", "Registered", 120),
]


def draw_files(found: Dataset, apart: Sequence[tuple[Dataset, str]]) -> None:
    """The files of a dataset, then other datasets that have most of its columns; a click opens one."""
    if found.files:
        st.caption(
            "These have the same columns and are asked as one; a column says which file a row is of. Each "
            "can be asked alone by its own name. Register the folder again to add files that are new in it."
        )
        rows = [_row(each) for each in found.files]
        draw_table("files-table", "dataset-files", "Files", _COLUMNS, rows, only_filled=True, open=_opened)
    if apart:
        st.subheader(f"{counted(len(apart), 'dataset')} apart", anchor=False)
        st.caption("Most of their columns are the same, but not all: they are asked by themselves.")
        columns = [column("name", "Dataset", 260), column("reason", "Why it is apart", 620, kind="words")]
        others = [row(each.id, {"name": each.name, "reason": reason}) for each, reason in apart]
        draw_table("apart-table", "datasets-apart", "Datasets apart", columns, others, open=_opened)


def _opened(sent: dict[str, str]) -> None:
    actions.open_dataset(str(sent["id"]))


def _row(each: Dataset) -> dict[str, object]:
    word, look = STATES[each.state]
    cells = {
        "name": each.name,
        "state": word,
        "rows": f"{each.rows:,}",
        "table": each.table,
        "version": f"{each.version:,}" if each.version > 1 else "",
        "at": moment(each.registered_at),
    }
    return row(each.id, cells, look, hover={"state": STATE_ADVICE.get(each.state, "")})
