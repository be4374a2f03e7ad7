"""The runs of a crawl with what each found new, changed, gone and unchanged; its schedule; its settings."""

from __future__ import annotations

import streamlit as st

from app import state
from app.components.controls import draw_button
from app.components.shell import moment, plain
from app.components.table import Row, column, draw_table, row
from app.presenting.crawl.draft import CRON, SCHEDULES, CrawlDraft
from app.presenting.crawl.words import CHANGE, KIND, SCOPE, run_word, schedule_word
from app.presenting.wording import duration
from app.views.crawl import actions
from app.views.crawl.filters import show_only
from core.domain.crawl.ledger import Change, CrawlRun
from core.domain.crawl.request import checked_schedule
from core.errors import UsageError
from core.workbench.services.crawls import CrawlView

_COUNTS = {
    "kept": "Pages",
    "new": "New",
    "changed": "Changed",
    "gone": "Gone",
    "unchanged": "Unchanged",
    "failed": "Failed",
    "skipped": "Left out",
}
_CHANGES = (Change.NEW, Change.CHANGED, Change.GONE, Change.UNCHANGED)


def draw_runs(view: CrawlView) -> None:
    """The report of the last run, whose counts list their addresses, and the runs before it."""
    changes = view.progress.changes
    if view.runs:
        st.subheader(f"Run {view.runs[0].run:,}: what is different", anchor=False)
        with st.container(horizontal=True):
            for change in _CHANGES:
                number = changes.get(change, 0)
                draw_button(
                    f"{CHANGE[change].word} **{number:,}**",
                    show_only,
                    key=f"report-{change}",
                    help=CHANGE[change].sentence,
                    disabled=not number,
                    kwargs={"change": change.value},
                )
        st.caption("A click lists the addresses.")
        st.subheader("All runs", anchor=False)
        _draw_table(view)
    _draw_schedule(view)


def _draw_table(view: CrawlView) -> None:
    columns = [
        column("run", "Run", 160),
        column("started", "Started", 130),
        column("took", "Took", 110),
        *(column(key, label, 84, right=True) for key, label in _COUNTS.items()),
    ]
    rows = [_row(run, view) for run in view.runs]
    draw_table(
        "runs-table",
        "crawl-runs",
        "Runs of this crawl",
        columns,
        rows,
        most=300,
        open=lambda sent: state.to_address(job=None),
    )


def _row(run: CrawlRun, view: CrawlView) -> Row:
    is_last = run is view.runs[0]
    counts = dict(run.counts)
    if is_last and run.ended_at is None:
        counts = {each.value: number for each, number in view.progress.counts.items()}
        counts |= {each.value: number for each, number in view.progress.changes.items()}
    worked = run.seconds_at_work
    took = "" if run.ended_at is None or worked is None else duration(worked)
    cells = {
        "run": run_word(run),
        "started": moment(run.started_at),
        "took": took or "not ended",
        **{name: f"{counts.get(name, 0):,}" for name in _COUNTS},
    }
    return row(f"{run.run}", cells, hover={"started": run.started_at.isoformat(timespec="seconds")})


def _draw_schedule(view: CrawlView) -> None:
    summary = view.summary
    st.subheader("Schedule", anchor=False)
    shown = CrawlDraft.of(view.request, summary.schedule)
    if summary.next_at is not None:
        st.markdown(
            f"**{schedule_word(summary.schedule)}**. Next run: **{moment(summary.next_at)}** "
            f"({summary.next_at:%d %b %Y %H:%M} UTC)."
        )
    else:
        st.markdown("It does not run by itself.")
    with st.container(horizontal=True, vertical_alignment="bottom"):
        chosen = st.selectbox(
            "Crawl again",
            SCHEDULES,
            index=SCHEDULES.index(shown.schedule),
            key=f"again-{summary.id}",
            format_func=str.capitalize,
            width=200,
        )
        every = "" if chosen == SCHEDULES[0] else chosen
        if chosen == CRON:
            every = st.text_input(
                "Five fields of cron, in UTC",
                value=shown.cron,
                key=f"cron-{summary.id}",
                placeholder="30 6 * * 1-5",
                width=240,
            )
        problem = _problem(every, is_cron=chosen == CRON)
        draw_button(
            "Save the schedule",
            actions.set_schedule,
            summary.id,
            every,
            key="save-schedule",
            disabled=bool(problem) or every == summary.schedule,
        )
    if problem:
        st.warning(plain(problem))


def _problem(every: str, *, is_cron: bool) -> str:
    if is_cron and not every.strip():
        return "Write five fields, such as 30 6 * * 1-5."
    try:
        checked_schedule(every)
    except UsageError as error:
        return error.explanation
    return ""


def draw_settings(view: CrawlView) -> None:
    """All that the crawl was asked for."""
    request, pace = view.request, view.pace
    facts = {
        "Start": "  \n".join(f"`{url}`" for url in request.urls),
        "Depth": f"{request.depth}, {request.max_pages:,} pages at most",
        "Site": SCOPE[request.scope].word,
        "Takes": ", ".join(KIND[kind] for kind in request.kinds),
        "Only": "  \n".join(f"`{each}`" for each in request.include) or "all addresses of the site",
        "Leaves out": "  \n".join(f"`{each}`" for each in request.exclude) or "nothing by pattern",
        "robots.txt": "is heeded"
        if request.heeds_robots
        else f"is not heeded: {plain(request.ignore_robots_because)}",
        "Sitemaps": "are read" if request.use_sitemaps else "are not read",
        "Pace": f"{pace.delay_s:g} s between requests, {pace.concurrency} at a time, {pace.per_host} a host"
        + (", slower where the site is" if pace.adapt else ""),
        "User agent": f"`{request.user_agent}`",
        "Bucket": plain(request.bucket),
        "Groups": "everybody, or as known documents have it"
        if request.acl is None
        else plain(", ".join(request.acl)) or "everybody",
        "Made": f"{moment(view.summary.created_at)} by {plain(view.summary.user)}",
    }
    for label, value in facts.items():
        with st.container(horizontal=True):
            st.markdown(f"**{label}**", width=130)
            st.markdown(value)
