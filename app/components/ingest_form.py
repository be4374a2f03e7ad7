"""The steps of an ingest: where to, and what."""

from __future__ import annotations

import re
from collections.abc import Sequence

import streamlit as st

from app.components import mounts

NAME = re.compile(r"[\w][\w .-]{0,63}\Z")


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
    name = " ".join((chosen or "").split())
    if not NAME.match(name):
        st.warning("A bucket's name has letters, digits, spaces, dots or dashes, and at most 64 of them.")
        return ""
    return name


def draw_dropzone(batch: str) -> None:
    """The place to drop files; the page runs again when they have arrived."""
    mounts.dropzone(key="dropzone", data={"batch": batch}, on_arrived_change=lambda: None)
