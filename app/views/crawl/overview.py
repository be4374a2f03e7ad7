"""A crawl as it goes, or as a dry run found it: numbers, charts, the map of the site, the reasons."""

from __future__ import annotations

from collections import Counter
from typing import Any

import streamlit as st

from app import services, state
from app.components.chart import draw_chart_and_table
from app.components.controls import draw_button
from app.components.shell import plain
from app.components.table import column, draw_table, row
from app.presenting.crawl import charts as crawl_charts
from app.presenting.crawl.charts import pages_a_second, seconds_left
from app.presenting.crawl.words import LOOK, REASON, STATE, advice, short_address
from app.presenting.wording import counted, duration, size
from app.views.crawl import actions, form
from app.views.crawl.filters import show_only
from core.domain.crawl.ledger import LedgerGroup, LedgerQuery, UrlReason, UrlState
from core.workbench.services.crawls import CrawlView

LOOK_EVERY_S = 1
MAP_EVERY_S = 3
MANY = 20_000
"""Addresses of a crawl from which on it is counted a third as often: 100,000 take a third of a second."""
_LEAST_POINTS = 3
_REASONS_PX = 420


def draw_overview(view: CrawlView) -> None:
    """Two fragments: the numbers every second, the map every three; the page runs again when a run ends."""
    crawl, drawn = view.summary.id, view.summary.state
    is_live = view.summary.state.is_at_work
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


def _draw_numbers(view: CrawlView) -> None:
    progress, run = view.progress, view.runs[0] if view.runs else None
    counts = progress.counts
    rate = pages_a_second(run) if view.summary.state.is_at_work else None
    left_s = seconds_left(view.progress, rate, view.request.max_pages)
    tiles = [
        ("Pages kept", f"{counts.get(UrlState.KEPT, 0):,}"),
        ("Fetched", f"{progress.fetched:,}"),
        ("Queued", f"{progress.queued:,}"),
        ("Left out", f"{counts.get(UrlState.SKIPPED, 0):,}"),
        ("Failed", f"{counts.get(UrlState.FAILED, 0):,}"),
        ("Data", size(progress.size_bytes)),
    ]
    if view.summary.state.is_at_work:
        tiles += [
            ("Pages a second", "–" if rate is None else f"{rate:.1f}"),
            ("Time left", "–" if left_s is None else f"about {duration(left_s)}"),
        ]
    elif run is not None and run.ended_at is not None and run.seconds_at_work is not None:
        tiles.append(("Took", duration(run.seconds_at_work)))
    with st.container(horizontal=True, gap="small"):
        for label, value in tiles:
            st.metric(label, value, width=118)
    if view.summary.state.is_at_work:
        known = progress.fetched + progress.queued
        st.progress(
            progress.fetched / known if known else 0.0,
            text=f"{progress.fetched:,} of {known:,} addresses known so far; more may be found",
        )
        last = view.job.last_item if view.job is not None else ""
        st.caption(f"Last: {plain(short_address(last))}" if last else "Waiting for the first answer")
    if progress.earlier and not view.summary.state.is_at_work:
        unmet = counted(progress.earlier, "address", "addresses")
        st.caption(f"The list of addresses holds {unmet} more, which only an earlier run met.")
    if progress.repeats:
        again = counted(progress.repeats, "request was", "requests were")
        st.caption(f"{again} sent twice, since the crawler was interrupted while they were in flight.")


def _draw_time(view: CrawlView) -> None:
    samples = view.runs[0].samples if view.runs else ()
    if len(samples) >= _LEAST_POINTS:
        st.subheader("Over time", anchor=False)
        draw_chart_and_table("crawl-time", crawl_charts.time_chart(samples))


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
    draw_chart_and_table("crawl-map", chart, actions.show_place)
    if chart.note:
        st.caption(chart.note)


def _draw_reasons(view: CrawlView) -> None:
    reasons = view.progress.reasons
    if not reasons:
        return
    st.subheader("What became of the addresses", anchor=False)

    def opened(sent: Any) -> None:
        of, _, reason = str(sent["id"]).partition("|")
        show_only(state=of, reason=reason)

    ordered = sorted(reasons.items(), key=lambda each: (crawl_charts.ORDER.index(each[0][0]), -each[1]))
    rows = [
        row(
            f"{of.value}|{reason.value}",
            {
                "reason": REASON[reason].word or crawl_charts.plain_word(of),
                "state": STATE[of].word,
                "urls": f"{number:,}",
                "advice": advice(of, reason),
            },
            LOOK[of],
        )
        for (of, reason), number in ordered
    ]
    columns = [
        column("reason", "Reason", 270),
        column("state", "State", 130, kind="state"),
        column("urls", "Addresses", 100, right=True),
        column("advice", "Meaning, and what to do", 560, kind="words"),
    ]
    draw_table(
        "crawl-reasons",
        "crawl-reasons",
        "Addresses by state and reason",
        columns,
        rows,
        order=("", False),
        most=_REASONS_PX,
        open=opened,
    )


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
    draw_chart_and_table("crawl-depths", crawl_charts.depth_chart(groups), actions.show_depth)
    left, right = st.columns([3, 2])
    with left:
        st.subheader("By host", anchor=False)
        st.dataframe(crawl_charts.by_host(groups), hide_index=True, height="auto", alt="Pages by host")
    with right:
        st.subheader("By type", anchor=False)
        st.dataframe(crawl_charts.by_type(groups), hide_index=True, height="auto", alt="Pages by type")
    _draw_left_out(view, groups)
    draw_map(view)
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
