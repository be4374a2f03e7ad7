"""A chart in the browser, drawn again in place when its numbers change."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import streamlit as st

from app import state
from app.components import mounts
from app.presenting.chart import Chart


def draw_chart(key: str, chart: Chart, pick: Callable[[str], None] | None = None) -> None:
    """Mount it. pick: gets the id of a mark that is clicked."""
    actions: dict[str, Callable[[Any], None]] = {}
    if pick is not None:
        actions["pick"] = lambda sent: pick(str(sent["id"]))
    data = {"name": chart.name, "figure": chart.figure, "picks": pick is not None}
    mounts.chart(key=key, data=data, **state.on_sent(key, actions))


def draw_chart_and_table(key: str, chart: Chart, pick: Callable[[str], None] | None = None) -> None:
    """The chart, and its table folded below it."""
    draw_chart(key, chart, pick)
    with st.expander("As a table", key=f"{key}-table", on_change="rerun") as table:
        if table.open:
            st.dataframe(chart.rows, hide_index=True, height="auto", alt=chart.name)
