"""The steps of a new crawl: where, how far, what, how, where to, and when. What is typed stays."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields
from typing import Any

import streamlit as st

from app import state
from app.components.shell import plain
from app.presenting.crawl_draft import CRON, NEVER, SCHEDULES, CrawlDraft, Fault
from app.presenting.crawl_words import KIND, REASON, SCOPE
from core.domain.crawl.ledger import UrlReason
from core.domain.crawl.request import DEEPEST, MOST_STARTS, PageKind, SiteScope

_DEFAULT = CrawlDraft()
_DEPTHS = {0: "Only the start", 1: "1 link", 2: "2 links", 3: "3 links", 4: "4 links"}
_WHEN = {
    NEVER: "Never",
    "hourly": "Hourly",
    "daily": "Daily, 03:00 UTC",
    "weekly": "Mondays, 03:00 UTC",
    CRON: "Cron",
}
_KEEP: dict[str, Any] = {"persist_state": "session"}


def key_of(name: str) -> str:
    """Key of the widget that holds a value of the draft."""
    return f"crawl-{name}"


def fill(draft: CrawlDraft) -> None:
    """Let the form show these values, before it is drawn."""
    for each in fields(draft):
        value = getattr(draft, each.name)
        state.set_widget(key_of(each.name), list(value) if isinstance(value, tuple) else value)


def draft() -> CrawlDraft:
    """The form as it stands, also where it is not drawn."""
    given = {
        each.name: state.widget(key_of(each.name), getattr(_DEFAULT, each.name)) for each in fields(_DEFAULT)
    }
    return CrawlDraft(
        **{
            **given,
            "depth": int(given["depth"]),
            "max_pages": int(given["max_pages"] or 1),
            "kinds": tuple(PageKind(kind) for kind in given["kinds"] or ()),
            "groups": tuple(given["groups"] or ()),
            "bucket": " ".join((given["bucket"] or "").split()),
        }
    )


def draw_form(buckets: Sequence[str]) -> CrawlDraft:
    """The steps; gives what they say now. Below each stands what of it cannot be."""
    faults = draft().faults()
    _draw_where(faults)
    _draw_how_far()
    _draw_what(faults)
    _draw_how(faults)
    _draw_where_to(buckets, faults)
    draw_when(faults)
    return draft()


def draw_when(faults: Sequence[Fault]) -> str:
    """The schedule, as core takes it."""
    st.subheader("6 · Again", anchor=False)
    st.segmented_control(
        "Crawl again by itself",
        SCHEDULES,
        default=_DEFAULT.schedule,
        key=key_of("schedule"),
        required=True,
        format_func=lambda name: _WHEN[name],
        help="A run again asks only for what changed: the rest is neither sent nor read again.",
        **_KEEP,
    )
    with st.container():
        if state.widget(key_of("schedule")) != CRON:
            return draft().every
        st.text_input(
            "Five fields of cron, in UTC",
            placeholder="30 6 * * 1-5",
            key=key_of("cron"),
            width=320,
            help="Minute, hour, day, month, weekday: 30 6 * * 1-5 is 06:30 on workdays.",
            **_KEEP,
        )
        _draw_faults("cron", faults)
    return draft().every


def _draw_where(faults: Sequence[Fault]) -> None:
    st.subheader("1 · Start", anchor=False)
    st.text_area(
        f"Start addresses, one a line (up to {MOST_STARTS})",
        key=key_of("addresses"),
        placeholder="https://docs.example.com/manual/",
        height=110,
        **_KEEP,
    )
    _draw_faults("addresses", faults)


def _draw_how_far() -> None:
    st.subheader("2 · How far", anchor=False)
    with st.container(horizontal=True):
        st.segmented_control(
            "Depth: links from a start",
            list(range(DEEPEST + 1)),
            default=_DEFAULT.depth,
            key=key_of("depth"),
            required=True,
            format_func=lambda depth: _DEPTHS[depth],
            **_KEEP,
        )
        st.number_input(
            "Pages at most",
            min_value=1,
            max_value=1_000_000,
            value=_DEFAULT.max_pages,
            step=100,
            key=key_of("max_pages"),
            width=160,
            **_KEEP,
        )
    st.segmented_control(
        "Belongs to the site",
        list(SiteScope),
        default=_DEFAULT.scope,
        key=key_of("scope"),
        required=True,
        format_func=lambda scope: SCOPE[SiteScope(scope)].word,
        **_KEEP,
    )
    st.caption(SCOPE[draft().scope].sentence)


def _draw_what(faults: Sequence[Fault]) -> None:
    st.subheader("3 · What to take", anchor=False)
    st.pills(
        "Kinds of pages",
        list(PageKind),
        selection_mode="multi",
        default=list(_DEFAULT.kinds),
        key=key_of("kinds"),
        format_func=lambda kind: KIND[PageKind(kind)],
        **_KEEP,
    )
    _draw_faults("kinds", faults)
    left, right = st.columns(2)
    with left:
        st.text_area(
            "Only addresses that fit (one pattern a line; empty: all)",
            key=key_of("include"),
            placeholder="/docs/*",
            height=80,
            help="What follows the host; * is anything: /docs/* is all below docs, *.pdf all PDF files.",
            **_KEEP,
        )
        _draw_faults("include", faults)
    with right:
        st.text_area(
            "Leave out addresses that fit",
            key=key_of("exclude"),
            placeholder="*/old/*",
            height=80,
            help="These win over the patterns beside them.",
            **_KEEP,
        )
        _draw_faults("exclude", faults)
    given = st.text_input(
        "Try an address",
        key="crawl-try",
        placeholder="https://docs.example.com/manual/old/page.html",
        live=True,
        **_KEEP,
    )
    with st.container():
        if given and given.strip():
            _draw_verdict(given.strip())


def _draw_verdict(address: str) -> None:
    reason = draft().verdict(address)
    if reason is None:
        st.caption("○ Write a start address and a whole address here to see whether the crawl would take it.")
    elif reason is UrlReason.NONE:
        st.caption("● It would be fetched, if a link leads to it within the depth.")
    else:
        st.caption(f"– It would be left out. **{REASON[reason].word}.** {REASON[reason].sentence}")


def _draw_how(faults: Sequence[Fault]) -> None:
    st.subheader("4 · Manners", anchor=False)
    st.toggle("Heed robots.txt", value=_DEFAULT.heeds_robots, key=key_of("heeds_robots"), **_KEEP)
    with st.container():
        if not draft().heeds_robots:
            st.text_input(
                "Reason for not heeding it",
                key=key_of("ignore_robots_because"),
                placeholder="The site is our own; its owner agreed on 3 Oct.",
                max_chars=300,
                **_KEEP,
            )
            _draw_faults("because", faults)
    draw_pace(_DEFAULT, prefix="crawl-", keep=_KEEP)
    with st.expander("More: sitemaps, name of the crawler, images"):
        st.toggle(
            "Read sitemaps for addresses",
            value=_DEFAULT.use_sitemaps,
            key=key_of("use_sitemaps"),
            help="Addresses in a sitemap count as one link from the start.",
            **_KEEP,
        )
        st.toggle(
            "Keep small images of cited pages",
            value=_DEFAULT.keep_thumbnails,
            key=key_of("keep_thumbnails"),
            help="Off: images stay links to the site.",
            **_KEEP,
        )
        st.text_input(
            "User agent",
            value=_DEFAULT.user_agent,
            key=key_of("user_agent"),
            help="The name by which the site knows the crawler; robots.txt is read for it.",
            **_KEEP,
        )
    _draw_faults("user_agent", faults)


def draw_pace(values: Any, *, prefix: str, keep: dict[str, Any]) -> None:
    """How fast. values: has what the widgets begin with."""
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


def _draw_where_to(buckets: Sequence[str], faults: Sequence[Fault]) -> None:
    st.subheader("5 · Where to", anchor=False)
    st.selectbox(
        "Bucket",
        list(dict.fromkeys(["default", *buckets])),
        key=key_of("bucket"),
        accept_new_options=True,
        width=320,
        help="Choose one, or type the name of a new one. A site is best kept in a bucket of its own.",
        **_KEEP,
    )
    _draw_faults("bucket", faults)
    st.toggle("Only some groups may see the documents", key=key_of("sets_groups"), **_KEEP)
    with st.container():
        if draft().sets_groups:
            st.multiselect(
                "Groups",
                [],
                key=key_of("groups"),
                accept_new_options=True,
                placeholder="Type the name of a group, then Enter",
                **_KEEP,
            )
            _draw_faults("groups", faults)


def _draw_faults(field: str, faults: Sequence[Fault]) -> None:
    found = [each for each in faults if each.field == field]
    with st.container():  # always there: else what stands below is made anew, and typed words are lost
        if not found:
            return
        st.warning("  \n".join(f"{plain(each.message)} {plain(each.next_step)}" for each in found))
