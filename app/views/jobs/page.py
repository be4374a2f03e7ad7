"""Jobs: what runs, what ran, and what came of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import streamlit as st

from app import services, state
from app.components.controls import draw_page_link
from app.components.shell import moment
from app.components.table import Row, column, draw_table, row
from app.panels.jobs import draw_job, time_left
from app.presenting.crawl.words import ADDRESSES, run_word, state_word
from app.presenting.wording import CANCELLING, JOB, counted, duration
from core.domain.crawl.ledger import CrawlRun, CrawlState, UrlState
from core.domain.ids import JobId
from core.domain.job import Job, JobState
from core.jobs.kinds import CRAWL
from core.workbench.services.crawls import CrawlOfJob


def page() -> None:
    """Draw the page."""
    session = services.session()
    st.title("Jobs", anchor=False)
    found = session.jobs.list()
    if not found:
        st.info("Nothing has run yet. Ingesting documents is a job: start one on the page Ingest.")
        return
    running = any(not job.state.is_ended for job in found)

    def panel() -> None:
        now = session.jobs.list()
        crawls = [job.id for job in now if job.kind == CRAWL]
        crawled = session.crawls.runs_of(crawls) if crawls else {}
        draw_jobs(now, {id: each.run for id, each in crawled.items()}, state.open_job(), _pick)
        if running == all(job.state.is_ended for job in now):
            st.rerun()
        if chosen := _chosen(now):
            st.divider()
            draw_job(chosen)
            if chosen.id in crawled:
                _draw_crawl(crawled[chosen.id])

    st.fragment(panel, run_every=1 if running else None)()


def _draw_crawl(found: CrawlOfJob) -> None:
    """The ways from a crawl's job to its page, and to what failed in it."""
    doubt = services.session().crawls.in_doubt().get(found.crawl, 0) if found.is_last else 0
    if doubt:
        st.warning(
            f"The run left {counted(doubt, 'document')} in doubt: by it they should go. Open the crawl to "
            "see why, and to withdraw them.",
            icon=":material/inventory_2:",
        )
    with st.container(horizontal=True, vertical_alignment="center"):
        draw_page_link("crawl", "Open this crawl, with every address", "travel_explore", crawl=found.crawl)
        failed = found.run.counts.get(UrlState.FAILED.value, 0)
        if failed and found.is_last:
            draw_page_link(
                "crawl",
                f"See the {counted(failed, 'failed address', 'failed addresses')}",
                "error_outline",
                crawl=found.crawl,
                view=ADDRESSES,
                state=UrlState.FAILED.value,
            )


def _pick(job: JobId) -> None:
    state.to_address(job=job)


def _chosen(found: list[Job]) -> Job | None:
    asked = state.open_job()
    return next((job for job in found if job.id == asked), None)


LOOK = {
    JobState.QUEUED: "idle",
    JobState.RUNNING: "ready",
    JobState.DONE: "ready",
    JobState.PARTIAL: "failed",
    JobState.FAILED: "unreadable",
    JobState.CANCELLED: "idle",
}
HEIGHT = 340  # px, where the open job stands below


def draw_jobs(
    found: Sequence[Job],
    runs: Mapping[JobId, CrawlRun],
    opened: JobId | None,
    pick: Callable[[JobId], None],
) -> None:
    """Newest first. A column that no row fills is left out. runs: of crawls, by their job."""
    columns = [
        column("title", "Job", 220),
        column("run", "Run", 170),
        column("state", "State", 160, kind="state"),
        column("done", "Done", 130),
        column("started", "Started", 130),
        column("left", "Time left", 120),
        column("last", "Last item", 220),
        column("error", "Error", 260, kind="words"),
    ]
    draw_table(
        "jobs-table",
        "jobs",
        "Jobs",
        columns,
        [_row(job, runs.get(job.id)) for job in found],
        opened=opened or "",
        most=HEIGHT if opened else None,
        only_filled=True,
        open=lambda sent: pick(JobId(str(sent["id"]))),
    )


def _row(job: Job, run: CrawlRun | None) -> Row:
    runs = not job.state.is_ended
    eta_s = time_left(job) if runs and not job.is_cancelling else None
    share = f" · {round(100 * job.share)} %" if runs and job.total else ""
    failed = run.counts.get(UrlState.FAILED.value, 0) if run is not None and job.state.is_ended else 0
    word, look = JOB[job.state], LOOK[job.state]
    if failed and job.state in (JobState.DONE, JobState.PARTIAL):
        word, look = state_word(CrawlState(job.state.value), failed)
    cells = {
        "title": job.title or job.kind,
        "run": "" if run is None else run_word(run),
        "state": CANCELLING if job.is_cancelling else word,
        "done": f"{job.done:,} of {job.total:,}{share}" if job.total else "",
        "started": moment(job.created_at),
        "left": "" if eta_s is None else duration(eta_s),
        "last": job.last_item if runs else "",
        "error": job.error or "",
    }
    hover = {"started": job.created_at.isoformat(timespec="seconds")}
    return row(job.id, cells, look, hover=hover)
