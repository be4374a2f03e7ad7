"""The list of crawls: state, counts, when each runs next."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

import streamlit as st

from app import services, state
from app.components import mounts
from app.components.controls import draw_button
from app.components.shell import moment
from app.presenting.crawl_words import schedule_word, state_word
from app.presenting.wording import counted
from app.views.crawl import actions
from core.domain.crawl.ledger import CrawlSummary, UrlState
from core.domain.ids import CrawlId

LOOK_EVERY_S = 2
_COLUMNS: list[dict[str, Any]] = [
    {"key": "title", "label": "Crawl", "width": 230},
    {"key": "state", "label": "State", "width": 132, "kind": "state"},
    {"key": "kept", "label": "Pages", "width": 70, "right": True},
    {"key": "left", "label": "Left out", "width": 82, "right": True},
    {"key": "failed", "label": "Failed", "width": 70, "right": True, "kind": "act"},
    {"key": "doubt", "label": "In doubt", "width": 82, "right": True},
    {"key": "queued", "label": "Queued", "width": 78, "right": True},
    {"key": "bucket", "label": "Bucket", "width": 96},
    {"key": "again", "label": "Again", "width": 76},
    {"key": "next", "label": "Next run", "width": 92},
    {"key": "run", "label": "Run", "width": 50, "right": True},
    {"key": "begun", "label": "Made", "width": 100},
    {"key": "by", "label": "By", "width": 72},
]
"""The first takes what the others leave; one that no row fills is left out."""


def draw_way_back() -> None:
    """The way to the list."""
    draw_button("All crawls", actions.open_crawl, None, icon="arrow_back", type="tertiary", key="all-crawls")


def draw_list(found: Sequence[CrawlSummary]) -> None:
    """All crawls, the newest first; a click opens one. It looks again by itself while one is at work."""
    with st.container(horizontal=True, vertical_alignment="center"):
        draw_button("New crawl", actions.begin_new, icon="add", type="primary", key="new-crawl")
        st.markdown(f"**{counted(len(found), 'crawl')}**", width="content")
    is_live = any(each.state.is_at_work for each in found)

    def table() -> None:
        now = services.session().crawls.list()
        _draw_table(now)
        if is_live != any(each.state.is_at_work for each in now) or state.take_redraw():
            st.rerun()

    st.fragment(table, run_every=LOOK_EVERY_S if is_live else None)()


def _draw_table(found: Sequence[CrawlSummary]) -> None:
    key = "crawls-table"

    def opened() -> None:
        actions.open_crawl(CrawlId(str(state.sent(key, "open")["id"])))
        state.redraw()

    def listed() -> None:
        actions.open_failed(CrawlId(str(state.sent(key, "act")["id"])))
        state.redraw()

    doubts = services.session().crawls.in_doubt()
    rows = [_row(each, doubts.get(each.id, 0)) for each in found]
    longest = max((len(row["cells"]["state"]) for row in rows), default=0)
    filled = {name for row in rows for name, value in row["cells"].items() if value}
    mounts.table(
        key=key,
        data={
            "name": "crawls",
            "label": "Crawls",
            "ticks": False,
            "columns": [_column(each, longest) for each in _COLUMNS if each["key"] in filled],
            "rows": rows,
            "sort": "",
            "descending": True,
            "first": 1,
            "total": len(found),
            "size": max(1, len(found)),
            "open": "",
            "chosen": [],
        },
        on_open_change=opened,
        on_act_change=listed,
    )


def _column(of: dict[str, Any], longest: int) -> dict[str, Any]:
    """The column, that of the states as wide as the longest of them."""
    width = max(of["width"], 44 + 8 * longest) if of["key"] == "state" else of["width"]
    return {**of, "width": width, "sort": None}


def _row(each: CrawlSummary, doubt: int) -> dict[str, Any]:
    counts = {of: each.counts.get(of.value, 0) for of in UrlState}
    word, look = state_word(each.state, counts[UrlState.FAILED])
    waiting = counts[UrlState.QUEUED] + counts[UrlState.FETCHING]
    is_due = each.next_at is not None and each.next_at <= datetime.now(UTC)
    cells = {
        "title": each.title,
        "state": f"{word} (dry run)" if each.is_dry_run else word,
        "kept": f"{counts[UrlState.KEPT]:,}",
        "left": f"{counts[UrlState.SKIPPED]:,}",
        "failed": f"{counts[UrlState.FAILED]:,}" if counts[UrlState.FAILED] else "",
        "doubt": f"{doubt:,}" if doubt else "",
        "queued": f"{waiting:,}" if waiting else "",
        "bucket": "" if each.is_dry_run else each.bucket,
        "run": f"{each.run:,}",
        "again": schedule_word(each.schedule) if each.schedule else "",
        "next": "" if each.next_at is None else "now" if is_due else moment(each.next_at),
        "begun": moment(each.created_at),
        "by": each.user,
    }
    hover = {"begun": each.created_at.isoformat(timespec="seconds")}
    if doubt:
        hover["doubt"] = "The last run left them, though they should go: open the crawl to withdraw them."
    if each.next_at is not None:
        hover["next"] = each.next_at.isoformat(timespec="seconds")
    return {"id": each.id, "state": look, "note": "", "cells": cells, "hover": hover}
