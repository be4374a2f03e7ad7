"""The ledger: filters, the rows a hundred at a time, and all that is known of one address."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import urlencode

import streamlit as st

from app import services, state
from app.components import mounts
from app.components.controls import draw_button
from app.components.shell import draw_said, moment
from app.presenting.crawl_words import (
    CHANGE,
    LOOK,
    STATE,
    advice,
    media_word,
    short_address,
    why,
)
from app.presenting.wording import size
from app.views.crawl import actions, overview
from app.views.crawl.address_panel import draw_address
from app.views.crawl.filters import clear_filters, draw_filters
from core.domain.crawl.ledger import LedgerOrder, LedgerQuery, UrlRow
from core.domain.ids import CrawlId
from core.workbench.services.crawls import CrawlView

PART = 100  # rows at a time: 60 KB on the wire, whatever the length of the ledger
LOOK_EVERY_S = 5
_TABLE_PX = 460  # the open address stands below


def _column(
    key: str, label: str, width: int, order: LedgerOrder | None = None, **more: object
) -> dict[str, Any]:
    return {"key": key, "label": label, "width": width, "sort": order.value if order else None, **more}


# Those that are off stand in the menu of columns; the panel of an open address has all.
COLUMNS = [
    _column("url", "Address", 300, LedgerOrder.URL),
    _column("state", "State", 116, LedgerOrder.STATE, kind="state"),
    _column("reason", "Reason", 200, LedgerOrder.REASON),
    _column("status", "HTTP", 60, LedgerOrder.STATUS, right=True),
    _column("depth", "Depth", 74, LedgerOrder.DEPTH, right=True),
    _column("change", "Change", 96, LedgerOrder.CHANGE),
    _column("type", "Type", 72, LedgerOrder.MEDIA_TYPE),
    _column("size", "Size", 78, LedgerOrder.SIZE, right=True, falling=True),
    _column("title", "Title", 190, LedgerOrder.TITLE),
    _column("found", "Found on", 220, off=True),
    _column("leads", "Leads to", 200, off=True),
    _column("hash", "Content", 90, off=True),
    _column("document", "Document", 110, off=True),
    _column("fetched", "Fetched", 104, LedgerOrder.FETCHED, falling=True, off=True),
]


@dataclass(frozen=True, slots=True)
class _LedgerPart:
    """Rows that are shown of all that fit. first: counts from 1. hidden: columns that say nothing."""

    rows: Sequence[UrlRow]
    first: int
    total: int
    order: LedgerOrder
    descending: bool
    opened: str
    hidden: Collection[str]


def draw_ledger(view: CrawlView) -> None:
    """The fragment of the ledger; while the crawl is at work it looks again by itself."""
    crawl = view.summary.id
    is_live = overview.is_at_work(view)
    hosts = sorted({group.host for group in services.session().crawls.groups(crawl) if group.host})

    def panel() -> None:
        draw_said()
        query = draw_filters(hosts, has_changes=view.summary.run > 1)
        _draw_rows(crawl, query, has_changes=view.summary.run > 1)
        if is_live and services.session().crawls.get(crawl).summary.state != view.summary.state:
            st.rerun()

    st.fragment(panel, run_every=LOOK_EVERY_S if is_live else None)()


def _draw_rows(crawl: CrawlId, query: LedgerQuery, *, has_changes: bool) -> None:
    crawls = services.session().crawls
    matching, total = crawls.count(crawl, query), crawls.count(crawl)
    order, descending, part = _place(matching)
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(f"**{matching:,}** of **{total:,}** addresses", width="content")
        st.markdown(f"Export as [CSV]({_export(crawl, query)})", width="content")
        if query != LedgerQuery():
            draw_button("Show all", clear_filters, type="tertiary", key="show-all")
    if not matching:
        st.info("No address fits these filters." if total else "No address was seen yet.")
        return
    first = (part - 1) * PART
    rows = crawls.rows(crawl, replace(query, limit=PART, offset=first, order=order, descending=descending))
    opened = state.from_address("url")
    hidden = () if has_changes else ("change",)  # all are new in the first run
    _draw_table(_LedgerPart(rows, first + 1, matching, order, descending, opened, hidden))
    row = next((each for each in rows if each.url == opened), None)
    if row is None and opened:
        found = crawls.rows(crawl, LedgerQuery(text=opened, limit=20))
        row = next((each for each in found if each.url == opened), None)
    if row is not None:
        draw_address(row)
    else:
        st.caption("Choose a row for all that is known of its address.")


def _place(matching: int) -> tuple[LedgerOrder, bool, int]:
    """Order and part that the address asks for; what it cannot mean is left out."""
    asked, part = state.from_address("sort"), state.from_address("part")
    order = LedgerOrder(asked) if asked in list(LedgerOrder) else LedgerOrder.DEPTH
    parts = max(1, -(-matching // PART))
    return (
        order,
        state.from_address("down") == "1",
        min(int(part) if part.isdecimal() and int(part) else 1, parts),
    )


def _export(crawl: CrawlId, query: LedgerQuery) -> str:
    given: list[tuple[str, str]] = [
        *(("state", each.value) for each in query.states),
        *(("reason", each.value) for each in query.reasons),
        *(("change", each.value) for each in query.changes),
        *([("depth", str(query.depth))] if query.depth is not None else []),
        *([("host", query.host)] if query.host else []),
        *([("address", query.text)] if query.text else []),
    ]
    return f"/api/crawls/{crawl}/ledger.csv" + (f"?{urlencode(given)}" if given else "")


def _draw_table(part: _LedgerPart) -> None:
    key = "ledger-table"

    def sent(name: str, field: str) -> Any:
        return state.sent(key, name)[field]

    cells = [_row(row) for row in part.rows]
    filled = {name for row in cells for name, value in row["cells"].items() if value}
    mounts.table(
        key=key,
        data={
            "name": "ledger",
            "label": "Addresses of the crawl",
            "ticks": False,
            "most": _TABLE_PX,
            "columns": [each for each in COLUMNS if each["key"] in filled and each["key"] not in part.hidden],
            "rows": cells,
            "sort": part.order.value,
            "descending": part.descending,
            "first": part.first,
            "total": part.total,
            "size": PART,
            "open": part.opened,
            "chosen": [],
        },
        on_open_change=lambda: actions.open_url(str(sent("open", "id"))),
        on_sort_change=lambda: actions.sort(str(sent("sort", "key")), bool(sent("sort", "descending"))),
        on_part_change=lambda: actions.turn(int(sent("part", "n"))),
    )


def _row(row: UrlRow) -> dict[str, Any]:
    cells = {
        "url": short_address(row.url),
        "state": STATE[row.state].word,
        "reason": why(row),
        "status": "" if row.status is None else str(row.status),
        "depth": str(row.depth),
        "change": CHANGE[row.change].word,
        "type": media_word(row.media_type),
        "size": size(row.size_bytes) if row.size_bytes else "",
        "title": row.title,
        "found": short_address(row.found_on),
        "leads": short_address(row.leads_to),
        "hash": row.content_hash[:8],
        "document": "Open below" if row.document else "",
        "fetched": moment(row.fetched_at) if row.fetched_at else "",
    }
    hover = {"reason": row.detail or advice(row.state, row.reason), "hash": row.content_hash}
    if row.fetched_at:
        hover["fetched"] = row.fetched_at.isoformat(timespec="seconds")
    return {"id": row.url, "state": LOOK[row.state], "note": row.detail, "cells": cells, "hover": hover}
