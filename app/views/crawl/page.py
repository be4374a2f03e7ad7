"""Crawl: the list of crawls, the form for a new one, or one crawl with its ledger."""

from __future__ import annotations

import streamlit as st

from app import services, state
from app.components.controls import draw_button
from app.components.shell import draw_error, plain
from app.presenting.crawl.draft import CrawlDraft
from app.presenting.crawl.words import state_word
from app.views.crawl import actions, listing, one_crawl
from app.views.crawl.form import draw_form
from core.domain.ids import CrawlId
from core.errors import NotFoundError


def page() -> None:
    """Draw the page."""
    session = services.session()
    asked = state.from_address("crawl")
    if asked:
        try:
            view = session.crawls.get(CrawlId(asked))
        except NotFoundError as error:
            draw_error(error)
            listing.draw_way_back()
            return
        one_crawl.draw_crawl(view)
        return
    st.title("Crawl", anchor=False)
    found = session.crawls.list()
    if state.from_address("new") or not found:
        _draw_new(is_first=not found)
    else:
        listing.draw_list(found)


def _draw_new(*, is_first: bool) -> None:
    with st.container(key="reading"):
        if is_first:
            st.info(
                "No site was crawled yet. Write where to start, make a dry run to see what would come of it, "
                "then start. Every address that is seen gets a line with its state and the reason."
            )
        else:
            listing.draw_way_back()
        buckets = services.session().documents.buckets()
        _draw_start(draw_form([bucket.name for bucket in buckets]))


def _draw_start(draft: CrawlDraft) -> None:
    crawls = services.session().crawls
    faults = draft.faults()
    is_ready = bool(draft.starts) and not faults
    tried = crawls.dry_run_of(draft.request()) if is_ready else None
    st.divider()
    for other in crawls.at_work_beside(draft.request()) if is_ready else ():
        st.warning(
            f"The crawl **{plain(other.title)}** of the same host into the same bucket is at work "
            f"({state_word(other.state)[0]}). Two of them fetch every page twice: wait for its end, or "
            "choose another bucket."
        )
    with st.container(horizontal=True, vertical_alignment="center"):
        for label, is_dry_run, key in (("Dry run", True, "dry-run"), ("Start", False, "start-crawl")):
            draw_button(
                label,
                actions.start,
                draft,
                key=key,
                type="primary" if is_dry_run == (tried is None) else "secondary",
                disabled=not is_ready,
                kwargs={"is_dry_run": is_dry_run},
            )
        if tried is not None:
            draw_button("See its dry run", actions.open_crawl, tried, type="tertiary")
    if faults:
        st.caption("Something above cannot be yet: see the notes there.")
    elif not draft.starts:
        st.caption("Write at least one start address.")
    elif tried is None:
        st.caption("A dry run fetches the same pages and keeps none: it shows what would be found.")
    else:
        st.caption("A dry run was made with these settings.")
