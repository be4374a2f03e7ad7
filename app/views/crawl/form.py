"""The steps of a new crawl: where, how far, what, how, where to, and when. What is typed stays."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields

import streamlit as st

from app import state
from app.presenting.crawl.draft import CRON, NEVER, SCHEDULES, CrawlDraft, Fault, scope_hint
from app.presenting.crawl.words import KIND, REASON, SCOPE
from app.views.crawl.manners import DEFAULT, KEEP, draw_faults, draw_manners, key_of
from core.domain.crawl.ledger import UrlReason
from core.domain.crawl.request import DEEPEST, MOST_STARTS, PageKind, SiteScope

_DEPTHS = {0: "Only the start", 1: "1 link", 2: "2 links", 3: "3 links", 4: "4 links"}
_WHEN = {
    NEVER: "Never",
    "hourly": "Hourly",
    "daily": "Daily, 03:00 UTC",
    "weekly": "Mondays, 03:00 UTC",
    CRON: "Cron",
}


def fill(draft: CrawlDraft) -> None:
    """Let the form show these values, before it is drawn."""
    for each in fields(draft):
        _set(each.name, draft)


def _set(name: str, draft: CrawlDraft) -> None:
    value = getattr(draft, name)
    state.set_widget(key_of(name), list(value) if isinstance(value, tuple) else value)


def _begin() -> None:
    """Give widgets their first value here alone: a second source of it, beside `fill`, is refused."""
    for each in fields(DEFAULT):
        if state.widget(key_of(each.name)) is None:
            _set(each.name, DEFAULT)


def draft() -> CrawlDraft:
    """The form as it stands, also where it is not drawn."""
    given = {
        each.name: state.widget(key_of(each.name), getattr(DEFAULT, each.name)) for each in fields(DEFAULT)
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
    _begin()
    faults = draft().faults()
    _draw_where(faults)
    _draw_how_far()
    _draw_what(faults)
    draw_manners(faults)
    _draw_where_to(buckets, faults)
    draw_when(faults)
    return draft()


def draw_when(faults: Sequence[Fault]) -> str:
    """The schedule, as core takes it."""
    _begin()
    st.subheader("6 · Again", anchor=False)
    st.segmented_control(
        "Crawl again by itself",
        SCHEDULES,
        key=key_of("schedule"),
        required=True,
        format_func=lambda name: _WHEN[name],
        help="A run again asks only for what changed: the rest is neither sent nor read again.",
        **KEEP,
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
            **KEEP,
        )
        draw_faults("cron", faults)
    return draft().every


def _draw_where(faults: Sequence[Fault]) -> None:
    st.subheader("1 · Start", anchor=False)
    st.text_area(
        f"Start addresses, one a line (up to {MOST_STARTS})",
        key=key_of("addresses"),
        placeholder="https://docs.example.com/manual/",
        height=110,
        **KEEP,
    )
    draw_faults("addresses", faults)


def _draw_how_far() -> None:
    st.subheader("2 · How far", anchor=False)
    with st.container(horizontal=True):
        st.segmented_control(
            "Depth: links from a start",
            list(range(DEEPEST + 1)),
            key=key_of("depth"),
            required=True,
            format_func=lambda depth: _DEPTHS[depth],
            **KEEP,
        )
        st.number_input(
            "Pages at most",
            min_value=1,
            max_value=1_000_000,
            step=100,
            key=key_of("max_pages"),
            width=160,
            **KEEP,
        )
    st.segmented_control(
        "Belongs to the site",
        list(SiteScope),
        key=key_of("scope"),
        required=True,
        format_func=lambda scope: SCOPE[SiteScope(scope)].word,
        **KEEP,
    )
    st.caption(scope_hint(draft().scope, draft().starts))


def _draw_what(faults: Sequence[Fault]) -> None:
    st.subheader("3 · What to take", anchor=False)
    st.pills(
        "Kinds of pages",
        list(PageKind),
        selection_mode="multi",
        key=key_of("kinds"),
        format_func=lambda kind: KIND[PageKind(kind)],
        **KEEP,
    )
    draw_faults("kinds", faults)
    left, right = st.columns(2)
    with left:
        st.text_area(
            "Only addresses that fit (one pattern a line; empty: all)",
            key=key_of("include"),
            placeholder="/docs/*",
            height=80,
            help="What follows the host; * is anything: /docs/* is all below docs, *.pdf all PDF files.",
            **KEEP,
        )
        draw_faults("include", faults)
    with right:
        st.text_area(
            "Leave out addresses that fit",
            key=key_of("exclude"),
            placeholder="*/old/*",
            height=80,
            help="These win over the patterns beside them.",
            **KEEP,
        )
        draw_faults("exclude", faults)
    given = st.text_input(
        "Try an address",
        key="crawl-try",
        placeholder="https://docs.example.com/manual/old/page.html",
        live=True,
        **KEEP,
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


def _draw_where_to(buckets: Sequence[str], faults: Sequence[Fault]) -> None:
    st.subheader("5 · Where to", anchor=False)
    st.selectbox(
        "Bucket",
        list(dict.fromkeys(["default", *buckets])),
        key=key_of("bucket"),
        accept_new_options=True,
        width=320,
        help="Choose one, or type the name of a new one. A site is best kept in a bucket of its own.",
        **KEEP,
    )
    draw_faults("bucket", faults)
    st.toggle("Only some groups may see the documents", key=key_of("sets_groups"), **KEEP)
    with st.container():
        if draft().sets_groups:
            st.multiselect(
                "Groups",
                [],
                key=key_of("groups"),
                accept_new_options=True,
                placeholder="Type the name of a group, then Enter",
                **KEEP,
            )
            draw_faults("groups", faults)
