"""Evaluate: one run, two runs beside each other, or all suites and runs, as the address says."""

from __future__ import annotations

import streamlit as st

from app import services, state
from app.components.controls import draw_button
from app.components.shell import plain
from app.views.evaluate import actions, compared, one_run, samples, suites
from core.errors import NotFoundError


def page() -> None:
    """Draw the page."""
    st.title("Evaluate", anchor=False)
    run, before, after = (state.from_address(name) for name in ("run", "before", "after"))
    if not run and not (before and after):
        _draw_all()
        return
    draw_button("All suites and runs", actions.close, key="back", icon="arrow_back", type="tertiary")
    try:
        if run:
            one_run.draw_run(run)
        else:
            compared.draw_compared(before, after)
    except NotFoundError as error:
        st.warning(f"{plain(error.message)} {plain(error.next_step)}")


def _draw_all() -> None:
    found = services.session().evaluations.suites()
    every, trends, live = st.tabs(
        ["Suites and runs", "Trends", "Live answers"],
        key="evaluate-part",
        bind="query-params",
        on_change="rerun",
    )
    if every.open:
        with every:
            suites.draw_suites(found)
    if trends.open:
        with trends:
            suites.draw_trends(found)
    if live.open:
        with live:
            samples.draw_samples([each.name for each in found if each.kind == "own"])
