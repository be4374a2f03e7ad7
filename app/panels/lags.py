"""Parts of the home that lag behind: a line each, with the next step and the page where it is taken."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from app import links
from app.components.shell import plain
from core.domain.experiments.variant import Lag

_PAGES = {"index": "settings", "fields": "jobs"}


def draw_lags(lags: Sequence[Lag], *, at: str) -> None:
    """A line for each; nothing where there is none. at: the page that it stands on, which is not linked."""
    for lag in lags:
        with st.container(horizontal=True, vertical_alignment="center"):
            st.markdown(f":orange[▲] {plain(lag.explanation)}", width="content")
            name = _PAGES.get(lag.kind, "experiments")
            if name != at:
                st.page_link(links.page(name))
