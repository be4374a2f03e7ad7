"""A crawl as it goes: its numbers, its chart over time, the map of the site, and the reasons."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from app import services, state
from app.components import mounts
from app.components.shell import plain
from app.presenting import crawl_charts
from app.presenting.crawl_charts import CrawlChart
from app.presenting.crawl_pace import pages_a_second, seconds_left
from app.presenting.crawl_words import LOOK, REASON, STATE, advice, short_address
from app.presenting.wording import counted, duration, size
from app.views.crawl import actions
from app.views.crawl.filters import show_only
from core.domain.crawl.ledger import UrlState
from core.workbench.services.crawls import CrawlView

LOOK_EVERY_S = 1
MAP_EVERY_S = 3
MANY = 20_000
"""Addresses of a crawl from which on it is counted a third as often: 100,000 take a third of a second."""
_LEAST_POINTS = 3
_REASONS_PX = 420


def is_at_work(view: CrawlView) -> bool:
    """True while a job fetches for it, or waits to."""
    return view.summary.state.is_at_work


def draw_overview(view: CrawlView) -> None:
    """Two fragments: the numbers every second, the map every three; the page runs again when a run ends."""
    crawl, drawn = view.summary.id, view.summary.state
    is_live = is_at_work(view)
    pause = 3 if sum(view.progress.counts.values()) > MANY else 1

    def numbers() -> None:
        now = services.session().crawls.get(crawl)
        _draw_numbers(now)
        _draw_time(now)
        if now.summary.state != drawn or state.take_redraw():
            st.rerun()

    def places() -> None:
        draw_map(view)
        _draw_reasons(services.session().crawls.get(crawl))
        if state.take_redraw():
            st.rerun()

    with st.container(key="crawl-numbers"):
        st.fragment(numbers, run_every=LOOK_EVERY_S * pause if is_live else None)()
    st.fragment(places, run_every=MAP_EVERY_S * pause if is_live else None)()


def draw_chart(key: str, chart: CrawlChart, pick: Callable[[str], None] | None = None) -> None:
    """The chart, and its table folded below it."""

    def picked() -> None:
        if pick is not None:
            pick(str(state.sent(key, "pick")["id"]))

    mounts.chart(
        key=key,
        data={"name": chart.name, "figure": chart.figure, "picks": pick is not None},
        on_pick_change=picked,
    )
    with st.expander("As a table", key=f"{key}-table", on_change="rerun") as table:
        if table.open:
            st.dataframe(chart.rows, hide_index=True, height="auto", alt=chart.name)


def _draw_numbers(view: CrawlView) -> None:
    progress, run = view.progress, view.runs[0] if view.runs else None
    counts = progress.counts
    rate = pages_a_second(run) if is_at_work(view) else None
    left_s = seconds_left(view.progress, rate, view.request.max_pages)
    tiles = [
        ("Pages kept", f"{counts.get(UrlState.KEPT, 0):,}"),
        ("Fetched", f"{progress.fetched:,}"),
        ("Queued", f"{progress.queued:,}"),
        ("Left out", f"{counts.get(UrlState.SKIPPED, 0):,}"),
        ("Failed", f"{counts.get(UrlState.FAILED, 0):,}"),
        ("Data", size(progress.size_bytes)),
    ]
    if is_at_work(view):
        tiles += [
            ("Pages a second", "–" if rate is None else f"{rate:.1f}"),
            ("Time left", "–" if left_s is None else f"about {duration(left_s)}"),
        ]
    elif run is not None and run.ended_at is not None and run.seconds_at_work is not None:
        tiles.append(("Took", duration(run.seconds_at_work)))
    with st.container(horizontal=True, gap="small"):
        for label, value in tiles:
            st.metric(label, value, width=118)
    if is_at_work(view):
        known = progress.fetched + progress.queued
        st.progress(
            progress.fetched / known if known else 0.0,
            text=f"{progress.fetched:,} of {known:,} addresses known so far; more may be found",
        )
        last = view.job.last_item if view.job is not None else ""
        st.caption(f"Last: {plain(short_address(last))}" if last else "Waiting for the first answer")
    if progress.earlier and not is_at_work(view):
        unmet = counted(progress.earlier, "address", "addresses")
        st.caption(f"The list of addresses holds {unmet} more, which only an earlier run met.")
    if progress.repeats:
        again = counted(progress.repeats, "request was", "requests were")
        st.caption(f"{again} sent twice, since the crawler was interrupted while they were in flight.")


def _draw_time(view: CrawlView) -> None:
    samples = view.runs[0].samples if view.runs else ()
    if len(samples) >= _LEAST_POINTS:
        st.subheader("Over time", anchor=False)
        draw_chart("crawl-time", crawl_charts.time_chart(samples))


def draw_map(view: CrawlView) -> None:
    """The site by folder and state; nothing where nothing was fetched."""
    shares = services.session().crawls.shares(view.summary.id)
    if not any(share.state is not UrlState.SKIPPED for share in shares):
        return
    st.subheader("The site", anchor=False)
    chart = crawl_charts.site_map(shares)
    colours = " · ".join(STATE[of].word for of in crawl_charts.states_of(shares))
    st.caption(
        f"A field is a folder, as large as its number of addresses; inside, {colours}. A click lists them."
    )
    draw_chart("crawl-map", chart, actions.show_place)
    if chart.note:
        st.caption(chart.note)


def _draw_reasons(view: CrawlView) -> None:
    reasons = view.progress.reasons
    if not reasons:
        return
    st.subheader("What became of the addresses", anchor=False)
    key = "crawl-reasons"

    def opened() -> None:
        of, _, reason = str(state.sent(key, "open")["id"]).partition("|")
        show_only(state=of, reason=reason)

    ordered = sorted(reasons.items(), key=lambda each: (crawl_charts.ORDER.index(each[0][0]), -each[1]))
    rows = [
        {
            "id": f"{of.value}|{reason.value}",
            "state": LOOK[of],
            "note": "",
            "cells": {
                "reason": REASON[reason].word or crawl_charts.plain_word(of),
                "state": STATE[of].word,
                "urls": f"{number:,}",
                "advice": advice(of, reason),
            },
            "hover": {},
        }
        for (of, reason), number in ordered
    ]
    mounts.table(
        key=key,
        data={
            "name": key,
            "label": "Addresses by state and reason",
            "ticks": False,
            "most": _REASONS_PX,
            "columns": [
                {"key": "reason", "label": "Reason", "width": 270, "sort": None},
                {"key": "state", "label": "State", "width": 130, "sort": None, "kind": "state"},
                {"key": "urls", "label": "Addresses", "width": 100, "sort": None, "right": True},
                {
                    "key": "advice",
                    "label": "Meaning, and what to do",
                    "width": 560,
                    "sort": None,
                    "kind": "words",
                },
            ],
            "rows": rows,
            "sort": "",
            "descending": False,
            "first": 1,
            "total": len(rows),
            "size": len(rows),
            "open": "",
            "chosen": [],
        },
        on_open_change=opened,
    )
