"""The list of crawls: state, counts, when each runs next."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

import streamlit as st

from app import services, state
from app.components.controls import draw_button
from app.components.shell import moment
from app.components.table import Row, column, draw_table, row
from app.presenting.crawl.words import schedule_word, state_word
from app.presenting.wording import counted
from app.views.crawl import actions
from core.domain.crawl.ledger import CrawlSummary, UrlState
from core.domain.ids import CrawlId

LOOK_EVERY_S = 2
_COLUMNS = [
    column("title", "Crawl", 230),
    column("state", "State", 132, kind="state"),
    column("kept", "Pages", 70, right=True),
    column("left", "Left out", 82, right=True),
    column("failed", "Failed", 70, right=True, kind="act"),
    column("doubt", "In doubt", 82, right=True),
    column("queued", "Queued", 78, right=True),
    column("bucket", "Bucket", 96),
    column("again", "Again", 76),
    column("next", "Next run", 92),
    column("run", "Run", 50, right=True),
    column("begun", "Made", 100),
    column("by", "By", 72),
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
    def opened(sent: Any) -> None:
        actions.open_crawl(CrawlId(str(sent["id"])))
        state.redraw()

    def listed(sent: Any) -> None:
        actions.open_failed(CrawlId(str(sent["id"])))
        state.redraw()

    doubts = services.session().crawls.in_doubt()
    rows = [_row(each, doubts.get(each.id, 0)) for each in found]
    longest = max((len(each["cells"]["state"]) for each in rows), default=0)
    columns = [
        {**each, "width": max(each["width"], 44 + 8 * longest)} if each["key"] == "state" else each
        for each in _COLUMNS
    ]
    draw_table("crawls-table", "crawls", "Crawls", columns, rows, only_filled=True, open=opened, act=listed)


def _row(each: CrawlSummary, doubt: int) -> Row:
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
    return row(each.id, cells, look, hover=hover)
