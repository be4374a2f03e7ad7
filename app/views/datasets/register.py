"""Files to register: dropped into the browser, or named by their path on the server."""

from __future__ import annotations

import streamlit as st

from app import services, state
from app.components import mounts
from app.components.controls import draw_button
from app.presenting.wording import counted, size
from app.running.uploads import Staging
from app.views.datasets import actions
from core.domain.document import valid_bucket
from core.errors import UsageError

_KINDS = "CSV, TSV, XLSX, Parquet or JSON lines; a sheet of a workbook is a dataset of its own"
_HEADERS = {"auto": "found by itself", "first": "the first row", "none": "there are none"}


def draw_register(*, is_first: bool) -> None:
    """The form; folded where there are datasets already."""
    with st.expander("Register files", expanded=is_first, icon=":material/add:", key="register"):
        batch = state.dataset_batch() or Staging.new_batch()
        state.dataset_batch.set(batch)
        given = {"batch": batch, "kinds": _KINDS}
        mounts.dropzone(key="dataset-dropzone", data=given, on_arrived_change=lambda: None)
        path = st.text_input(
            "Or a file or folder on this server",
            key="dataset-path",
            placeholder="/data/spending",
            help="It stays where it is, and the list tells when it changes.",
        )
        with st.container(horizontal=True):
            name = st.text_input("Name (of one file)", key="dataset-name", width=240)
            bucket = st.text_input("Bucket", value="default", key="dataset-bucket", width=160)
            header = st.selectbox(
                "Names of columns",
                list(_HEADERS),
                format_func=_HEADERS.__getitem__,
                key="dataset-header",
                width=200,
            )
        _draw_start(path.strip() if path else "", batch, bucket or "", name or "", header)


def _draw_start(path: str, batch: str, bucket: str, name: str, header: str) -> None:
    files = services.staging().files(batch)
    try:
        valid_bucket(bucket)
    except UsageError as error:
        st.warning(f"{error.message} {error.next_step}")
        return
    what = "the path" if path else counted(len(files), "file") if files else ""
    with st.container(horizontal=True, vertical_alignment="center"):
        draw_button(
            f"Register {what}".strip(),
            actions.register,
            [path] if path else [],
            batch,
            bucket,
            name,
            header,
            type="primary",
            disabled=not what,
            key="register-start",
        )
        if files:
            draw_button("Clear", actions.clear, batch, type="tertiary", key="register-clear")
            st.caption(size(sum(each.size_bytes for each in files)))
