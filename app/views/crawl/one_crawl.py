"""One crawl: its head with what can be done, and its tabs, of which only the open one is drawn."""

from __future__ import annotations

import streamlit as st

from app import services
from app.components.controls import draw_button, draw_page_link
from app.components.shell import draw_said, plain
from app.presenting.crawl.words import ADDRESSES, stage_word
from app.presenting.wording import counted
from app.views.crawl import actions, form, ledger, listing, manners, overview, runs
from app.views.crawl.filters import OVERVIEW
from core.domain.crawl.ledger import CrawlState, UrlState
from core.workbench.services.crawls import CrawlView

_RUNS, _SETTINGS = "Runs and schedule", "Settings"


def draw_crawl(view: CrawlView) -> None:
    """The page of one crawl."""
    summary = view.summary
    kind = "Dry run of " if summary.is_dry_run else ""
    with st.container(key="crawl-head", gap=None):
        listing.draw_way_back()
        st.title(f"{kind}{plain(summary.title)}", anchor=False)
    _draw_actions(view)
    if view.summary.state.is_at_work and not services.session().settings.status().worker_alive:
        st.warning(
            "No worker is running, so nothing moves. `groundwork up` starts one again within seconds; what "
            "is fetched stays fetched."
        )
    if view.job is not None and view.job.error:
        st.error(plain(view.job.error))
    if not view.summary.state.is_at_work:
        _draw_doubt(view)
    names = [OVERVIEW, ADDRESSES, *([] if summary.is_dry_run else [_RUNS]), _SETTINGS]
    tabs = dict(zip(names, st.tabs(names, key="view", on_change="rerun", bind="query-params"), strict=True))
    for name, tab in tabs.items():
        if not tab.open:
            continue
        with tab:
            if name == ADDRESSES:
                ledger.draw_ledger(view)
            elif name == _RUNS:
                runs.draw_runs(view)
            elif name == _SETTINGS:
                runs.draw_settings(view)
            elif summary.is_dry_run and not view.summary.state.is_at_work:
                overview.draw_result(view)
            else:
                overview.draw_overview(view)


def _draw_doubt(view: CrawlView) -> None:
    """Documents that the last run did not withdraw by itself, and the button that does."""
    mass = services.session().crawls.mass_withdrawal(view.summary.id)
    if mass is None:
        return
    number = counted(len(mass.rows), "document")
    st.warning(plain(mass.sentence), icon=":material/inventory_2:")
    with st.popover(f"Withdraw {number}", icon=":material/delete_sweep:", key="withdraw-ask"):
        st.markdown(
            f"{number} will leave every list, count and answer. Older citations still "
            "open them, and a later run that finds their pages again brings them back."
        )
        draw_button("Withdraw them", actions.withdraw, view.summary.id, type="primary", key="withdraw")


def _draw_actions(view: CrawlView) -> None:
    summary, crawl = view.summary, view.summary.id
    word = stage_word(summary, view.job)
    is_asked = summary.is_stopping or (view.job is not None and view.job.is_cancelling)
    into = "" if summary.is_dry_run else f" · into **{plain(summary.bucket)}** · run {summary.run:,}"
    draw_said()
    with st.container(horizontal=True, vertical_alignment="center", key="crawl-actions"):
        st.markdown(f"**{word}**{into}", width="content")
        failed = view.progress.counts.get(UrlState.FAILED, 0)
        if failed:
            draw_button("See what failed", actions.open_failed, crawl, type="tertiary", key="see-failed")
        if view.summary.state.is_at_work:
            draw_button("Pause", actions.pause, crawl, icon="pause", key="pause", disabled=is_asked)
            if not is_asked:
                _draw_stop(view)
            _draw_pace(view)
        elif summary.state is CrawlState.PAUSED:
            _draw_resume(view)
            _draw_stop(view)
            _draw_pace(view)
        elif summary.is_dry_run:
            _draw_after_dry_run(view)
        else:
            _draw_after_run(view)
        if not view.summary.state.is_at_work:
            _draw_remove(view)


def _draw_after_dry_run(view: CrawlView) -> None:
    crawl = view.summary.id
    if _can_go_on(view):
        _draw_resume(view)
    draw_button(
        "Start this crawl",
        actions.start_after,
        crawl,
        form.draft().every,
        icon="play_arrow",
        type="primary",
        key="start-this",
    )
    draw_button("Change the settings", actions.begin_like, crawl, icon="tune")


def _draw_after_run(view: CrawlView) -> None:
    crawl, progress = view.summary.id, view.progress
    kept, failed = (progress.counts.get(state, 0) for state in (UrlState.KEPT, UrlState.FAILED))
    if kept:
        draw_page_link(
            "ask",
            f"Ask about {'this page' if kept == 1 else f'these {kept:,} pages'}",
            "forum",
            **{"in": view.summary.bucket},
        )
    if _can_go_on(view):
        _draw_resume(view)
    draw_button(
        "Crawl again",
        actions.run_again,
        crawl,
        icon="refresh",
        key="again",
        help="Only what changed is fetched and read again.",
    )
    if failed:
        draw_button(
            f"Try {counted(failed, 'failed address', 'failed addresses')} again",
            actions.retry_failed,
            crawl,
            icon="replay",
            key="retry",
        )
    draw_button("New crawl like this", actions.begin_like, crawl, type="tertiary")


def _can_go_on(view: CrawlView) -> bool:
    """True where a run is open; one that ended, and kept nothing, would only be done again from the start."""
    if view.summary.state is CrawlState.NOT_RUN:
        return True
    is_open = bool(view.runs) and view.runs[0].ended_at is None
    return view.summary.state is CrawlState.FAILED and is_open


def _draw_resume(view: CrawlView) -> None:
    draw_button("Go on", actions.resume, view.summary.id, icon="play_arrow", type="primary", key="resume")


def _draw_stop(view: CrawlView) -> None:
    with st.popover("Stop", icon=":material/stop_circle:", key="stop-ask"):
        waiting = counted(view.progress.queued, "address waits", "addresses wait")
        st.markdown(
            f"The run ends with what it has. {waiting} and will be left out, with that reason. What is "
            "fetched is still read into the collection."
        )
        draw_button("Stop this run", actions.stop, view.summary.id, type="primary", key="stop")


def _draw_pace(view: CrawlView) -> None:
    with st.popover("Pace", icon=":material/speed:", key="pace-panel"):
        manners.draw_pace(view.pace, prefix="pace-", keep={})
        draw_button("Change the pace", actions.set_pace, view.summary.id, key="set-pace")


def _draw_remove(view: CrawlView) -> None:
    with st.popover("Remove", icon=":material/delete:", type="tertiary", key="remove-ask"):
        what = "This dry run goes, with its ledger."
        if not view.summary.is_dry_run:
            what = (
                "The crawl goes, with its ledger, runs and schedule. Its documents stay in the bucket "
                f"{plain(view.summary.bucket)}."
            )
        st.markdown(f"{what} This cannot be undone.")
        draw_button("Remove it", actions.remove, view.summary.id, type="primary", key="remove")
