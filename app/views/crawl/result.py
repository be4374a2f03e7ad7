"""The result of a dry run: pages at each depth, by host and type, and what would be left out and why."""

from __future__ import annotations

from collections import Counter

import streamlit as st

from app import services
from app.components.controls import draw_button
from app.components.shell import plain
from app.presenting import crawl_charts
from app.presenting.crawl_words import REASON, STATE, short_address
from app.presenting.wording import counted, size
from app.views.crawl import actions, form, overview
from app.views.crawl.filters import show_only
from core.domain.crawl.ledger import LedgerGroup, LedgerQuery, UrlReason, UrlState
from core.workbench.services.crawls import CrawlView

SAMPLE = 5
OPEN = 2
"""Reasons whose sample stands open, those with the most addresses."""
_LEFT_OUT = (UrlState.SKIPPED, UrlState.FAILED, UrlState.DUPLICATE)


def draw_result(view: CrawlView) -> None:
    """The findings of a real run, by the same code."""
    groups = services.session().crawls.groups(view.summary.id)
    kept = sum(group.urls for group in groups if group.state is UrlState.KEPT)
    total = sum(group.urls for group in groups)
    bytes_kept = sum(group.size_bytes for group in groups if group.state is UrlState.KEPT)
    if not kept:
        st.warning(
            "This crawl would keep no page. The reasons stand below: most often the start cannot be reached, "
            "or robots.txt forbids it."
        )
    else:
        st.markdown(
            f"A crawl with these settings would keep **{counted(kept, 'page')}** ({size(bytes_kept)}) of "
            f"**{total:,}** addresses. Nothing was kept so far."
        )
    if not groups:
        return
    st.subheader("By depth", anchor=False)
    overview.draw_chart("crawl-depths", crawl_charts.depth_chart(groups), actions.show_depth)
    left, right = st.columns([3, 2])
    with left:
        st.subheader("By host", anchor=False)
        st.dataframe(crawl_charts.by_host(groups), hide_index=True, height="auto", alt="Pages by host")
    with right:
        st.subheader("By type", anchor=False)
        st.dataframe(crawl_charts.by_type(groups), hide_index=True, height="auto", alt="Pages by type")
    _draw_left_out(view, groups)
    overview.draw_map(view)
    with st.expander("When this crawl is to run again", key="again-panel"):
        form.draw_when(form.draft().faults())


def _draw_left_out(view: CrawlView, groups: list[LedgerGroup]) -> None:
    counts: Counter[tuple[UrlState, UrlReason]] = Counter()
    for group in groups:
        if group.state in _LEFT_OUT:
            counts[group.state, group.reason] += group.urls
    if not counts:
        return
    st.subheader("What would be left out", anchor=False)
    for at, ((of, reason), number) in enumerate(counts.most_common()):
        word = REASON[reason].word or crawl_charts.plain_word(of)
        with st.expander(
            f"{STATE[of].word}: **{word}** · {number:,}", key=f"left-{of}-{reason}", expanded=at < OPEN
        ):
            st.markdown(REASON[reason].sentence or STATE[of].sentence)
            query = LedgerQuery(states=(of,), reasons=(reason,), limit=SAMPLE)
            for row in services.session().crawls.rows(view.summary.id, query):
                where = f", found on {_code(row.found_on)}" if row.found_on else ""
                detail = f" ({plain(row.detail)})" if row.detail else ""
                st.markdown(f"- {_code(row.url)}{where}{detail}")
            if number > SAMPLE:
                draw_button(
                    f"See all {number:,}",
                    show_only,
                    key=f"all-{of}-{reason}",
                    type="tertiary",
                    kwargs={"state": of.value, "reason": reason.value},
                )


def _code(url: str) -> str:
    return f"`{short_address(url).replace('`', '%60')}`"
