"""The ledger: filters, the rows a hundred at a time, and all that is known of one address."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from urllib.parse import urlencode

import streamlit as st

from app import links, services, state
from app.components.controls import draw_button
from app.components.shell import draw_said, moment, plain
from app.components.table import Row, column, draw_table, row
from app.presenting.crawl.words import (
    CHANGE,
    LOOK,
    REASON,
    STATE,
    advice,
    media_word,
    short_address,
    why,
)
from app.presenting.wording import size
from app.views.crawl import actions
from app.views.crawl.filters import clear_filters, draw_filters
from core.domain.crawl.ledger import LedgerOrder, LedgerQuery, UrlRow
from core.domain.ids import CrawlId
from core.workbench.services.crawls import CrawlView

PART = 100  # rows at a time: 60 KB on the wire, whatever the length of the ledger
LOOK_EVERY_S = 5
_TABLE_PX = 460  # the open address stands below


# Those that are off stand in the menu of columns; the panel of an open address has all.
COLUMNS = [
    column("url", "Address", 300, LedgerOrder.URL.value),
    column("state", "State", 116, LedgerOrder.STATE.value, kind="state"),
    column("reason", "Reason", 200, LedgerOrder.REASON.value),
    column("status", "HTTP", 60, LedgerOrder.STATUS.value, right=True),
    column("depth", "Depth", 74, LedgerOrder.DEPTH.value, right=True),
    column("change", "Change", 96, LedgerOrder.CHANGE.value),
    column("type", "Type", 72, LedgerOrder.MEDIA_TYPE.value),
    column("size", "Size", 78, LedgerOrder.SIZE.value, right=True, falling=True),
    column("title", "Title", 190, LedgerOrder.TITLE.value),
    column("found", "Found on", 220, off=True),
    column("leads", "Leads to", 200, off=True),
    column("hash", "Content", 90, off=True),
    column("document", "Document", 110, off=True),
    column("fetched", "Fetched", 104, LedgerOrder.FETCHED.value, falling=True, off=True),
]


def draw_ledger(view: CrawlView) -> None:
    """The fragment of the ledger; while the crawl is at work it looks again by itself."""
    crawl = view.summary.id
    is_live = view.summary.state.is_at_work
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
    _draw_table(rows, first + 1, matching, (order.value, descending), opened, has_changes)
    found = next((each for each in rows if each.url == opened), None)
    if found is None and opened:
        like = crawls.rows(crawl, LedgerQuery(text=opened, limit=20))
        found = next((each for each in like if each.url == opened), None)
    if found is not None:
        draw_address(found)
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


def _draw_table(
    rows: Sequence[UrlRow], first: int, total: int, order: tuple[str, bool], opened: str, has_changes: bool
) -> None:
    draw_table(
        "ledger-table",
        "ledger",
        "Addresses of the crawl",
        [each for each in COLUMNS if has_changes or each["key"] != "change"],  # all are new in the first run
        [_row(each) for each in rows],
        order=order,
        first=first,
        total=total,
        size=PART,
        opened=opened,
        most=_TABLE_PX,
        only_filled=True,
        open=lambda sent: state.to_address(url=str(sent["id"])),
        sort=lambda sent: state.to_address(sort=str(sent["key"]), down=int(sent["descending"]), part=None),
        part=lambda sent: state.to_address(part=int(sent["n"])),
    )


def _row(of: UrlRow) -> Row:
    cells = {
        "url": short_address(of.url),
        "state": STATE[of.state].word,
        "reason": why(of),
        "status": "" if of.status is None else str(of.status),
        "depth": str(of.depth),
        "change": CHANGE[of.change].word,
        "type": media_word(of.media_type),
        "size": size(of.size_bytes) if of.size_bytes else "",
        "title": of.title,
        "found": short_address(of.found_on),
        "leads": short_address(of.leads_to),
        "hash": of.content_hash[:8],
        "document": "Open below" if of.document else "",
        "fetched": moment(of.fetched_at) if of.fetched_at else "",
    }
    hover = {"reason": of.detail or advice(of.state, of.reason), "hash": of.content_hash}
    if of.fetched_at:
        hover["fetched"] = of.fetched_at.isoformat(timespec="seconds")
    return row(of.url, cells, LOOK[of.state], of.detail, hover)


def draw_address(row: UrlRow) -> None:
    """State and reason in words, the answer of the site, the document, where it was found and leads."""
    with st.container(border=True, key="crawl-url"):
        st.subheader(plain(row.title or short_address(row.url)), anchor=False)
        word = REASON[row.reason].word
        st.markdown(
            f"**{STATE[row.state].word}**{': ' + word if word else ''}. {advice(row.state, row.reason)}"
            + (f"  \n{plain(row.detail)}" if row.detail else "")
        )
        st.markdown("  \n".join(f"{label}: {value}" for label, value in _facts(row) if value))
        with st.container(horizontal=True, vertical_alignment="center"):
            if row.document:
                st.link_button("Open the document", links.place(row.document), icon=":material/description:")
            for label, url in (("Show found on", row.found_on), ("Show where it leads", row.leads_to)):
                if url:
                    draw_button(label, actions.open_url, url, key=label, type="tertiary")


def _facts(row: UrlRow) -> list[tuple[str, str]]:
    fetched = f"{row.fetched_at:%d %b %Y %H:%M:%S} UTC" if row.fetched_at else ""
    return [
        ("Address", _code(row.url)),
        ("Found on", _code(row.found_on)),
        ("Leads to", _code(row.leads_to)),
        (
            "Answer",
            " · ".join(
                part
                for part in (
                    f"HTTP {row.status}" if row.status else "",
                    media_word(row.media_type),
                    size(row.size_bytes) if row.size_bytes else "",
                    fetched.lstrip("0"),
                )
                if part
            ),
        ),
        ("Depth", f"{row.depth}, seen in run {row.run}"),
        ("Change", f"{CHANGE[row.change].word}. {CHANGE[row.change].sentence}" if row.change else ""),
        ("Content", _code(row.content_hash)),
    ]


def _code(text: str) -> str:
    return f"`{text.replace('`', '%60')}`" if text else ""
