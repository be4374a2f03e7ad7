"""Manners of a crawl, a step of its form: robots.txt, pace, sitemaps, name; and the notes below each step."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import streamlit as st

from app import state
from app.components.shell import plain
from app.presenting.crawl.draft import CrawlDraft, Fault
from core.domain.crawl.request import CrawlPace

KEEP: dict[str, Any] = {"persist_state": "session"}
DEFAULT = CrawlDraft()
_PACE = ("delay_s", "concurrency", "per_host", "adapt")


def key_of(name: str) -> str:
    """Key of the widget that holds a value of the draft."""
    return f"crawl-{name}"


def draw_manners(faults: Sequence[Fault]) -> None:
    """The step of the form."""
    st.subheader("4 · Manners", anchor=False)
    st.toggle("Heed robots.txt", key=key_of("heeds_robots"), **KEEP)
    with st.container():
        if not state.widget(key_of("heeds_robots"), True):
            st.text_input(
                "Reason for not heeding it",
                key=key_of("ignore_robots_because"),
                placeholder="The site is our own; its owner agreed on 3 Oct.",
                max_chars=300,
                **KEEP,
            )
            draw_faults("because", faults)
    draw_pace(None, prefix="crawl-", keep=KEEP)
    with st.expander("More: sitemaps, name of the crawler"):
        st.toggle(
            "Read sitemaps for addresses",
            key=key_of("use_sitemaps"),
            help="Addresses in a sitemap count as one link from the start.",
            **KEEP,
        )
        st.text_input(
            "User agent",
            key=key_of("user_agent"),
            help="The name by which the site knows the crawler; robots.txt is read for it.",
            **KEEP,
        )
    draw_faults("user_agent", faults)


def draw_pace(values: CrawlPace | None, *, prefix: str, keep: dict[str, Any]) -> None:
    """The widgets of the pace. values: what they begin with; None where they have been given that."""
    first: dict[str, dict[str, Any]] = {name: {} for name in _PACE}
    if values is not None:
        first = {name: {"value": getattr(values, name)} for name in _PACE}
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.number_input(
            "Seconds between requests",
            min_value=0.0,
            max_value=60.0,
            step=0.5,
            key=f"{prefix}delay_s",
            width=190,
            help="To one host, besides what its robots.txt asks for.",
            **first["delay_s"],
            **keep,
        )
        st.number_input(
            "Requests at a time",
            min_value=1,
            max_value=32,
            key=f"{prefix}concurrency",
            width=160,
            **first["concurrency"],
            **keep,
        )
        st.number_input(
            "of these, to one host",
            min_value=1,
            max_value=16,
            key=f"{prefix}per_host",
            width=160,
            **first["per_host"],
            **keep,
        )
        st.toggle("Slow down where the site does", key=f"{prefix}adapt", **first["adapt"], **keep)


def draw_faults(field: str, faults: Sequence[Fault]) -> None:
    """The faults of a widget, below it."""
    found = [each for each in faults if each.field == field]
    with st.container():  # always there: else what stands below is made anew, and typed words are lost
        if not found:
            return
        st.warning("  \n".join(f"{plain(each.message)} {plain(each.next_step)}" for each in found))
