"""The steps of an ingest: where to, and what."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from app.components import mounts
from app.components.shell import plain
from core.domain.document import valid_bucket
from core.errors import UsageError


def draw_bucket(buckets: Sequence[str]) -> str:
    """The bucket chosen or typed; "" where its name cannot be one."""
    names = list(dict.fromkeys(["default", *buckets]))
    chosen = st.selectbox(
        "Bucket",
        names,
        key="bucket-for-ingest",
        accept_new_options=True,
        width=320,
        persist_state="session",
        help="A bucket keeps documents of one kind together. Choose one, or type the name of a new one.",
    )
    try:
        return valid_bucket(" ".join((chosen or "").split()))
    except UsageError as error:
        st.warning(f"{plain(error.message)} {plain(error.next_step)}")
        return ""


def draw_dropzone(batch: str) -> None:
    """The place to drop files; the page runs again when they have arrived."""
    mounts.dropzone(key="dropzone", data={"batch": batch}, on_arrived_change=lambda: None)
