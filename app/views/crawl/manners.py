"""Manners of a crawl, a step of its form: robots.txt, pace, sitemaps, name; and the notes below each step."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import streamlit as st

from app import state
from app.components.shell import plain
from app.presenting.crawl_draft import CrawlDraft, Fault

KEEP: dict[str, Any] = {"persist_state": "session"}
DEFAULT = CrawlDraft()


def key_of(name: str) -> str:
    """Key of the widget that holds a value of the draft."""
    return f"crawl-{name}"


def draw_manners(faults: Sequence[Fault]) -> None:
    """The step of the form."""
    st.subheader("4 · Manners", anchor=False)
    st.toggle("Heed robots.txt", value=DEFAULT.heeds_robots, key=key_of("heeds_robots"), **KEEP)
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
    draw_pace(DEFAULT, prefix="crawl-", keep=KEEP)
    with st.expander("More: sitemaps, name of the crawler"):
        st.toggle(
            "Read sitemaps for addresses",
            value=DEFAULT.use_sitemaps,
            key=key_of("use_sitemaps"),
            help="Addresses in a sitemap count as one link from the start.",
            **KEEP,
        )
        st.text_input(
            "User agent",
            value=DEFAULT.user_agent,
            key=key_of("user_agent"),
            help="The name by which the site knows the crawler; robots.txt is read for it.",
            **KEEP,
        )
    draw_faults("user_agent", faults)


def draw_pace(values: Any, *, prefix: str, keep: dict[str, Any]) -> None:
    """The widgets of the pace. values: has what the widgets begin with."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.number_input(
            "Seconds between requests",
            min_value=0.0,
            max_value=60.0,
            value=float(values.delay_s),
            step=0.5,
            key=f"{prefix}delay_s",
            width=190,
            help="To one host, besides what its robots.txt asks for.",
            **keep,
        )
        st.number_input(
            "Requests at a time",
            min_value=1,
            max_value=32,
            value=int(values.concurrency),
            key=f"{prefix}concurrency",
            width=160,
            **keep,
        )
        st.number_input(
            "of these, to one host",
            min_value=1,
            max_value=16,
            value=int(values.per_host),
            key=f"{prefix}per_host",
            width=160,
            **keep,
        )
        st.toggle("Slow down where the site does", value=bool(values.adapt), key=f"{prefix}adapt", **keep)


def draw_faults(field: str, faults: Sequence[Fault]) -> None:
    """The faults of a widget, below it."""
    found = [each for each in faults if each.field == field]
    with st.container():  # always there: else what stands below is made anew, and typed words are lost
        if not found:
            return
        st.warning("  \n".join(f"{plain(each.message)} {plain(each.next_step)}" for each in found))
