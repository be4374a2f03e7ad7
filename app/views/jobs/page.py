"""Jobs: what runs, what ran, and what came of it."""

from __future__ import annotations

import streamlit as st

from app import services, state
from app.components.controls import draw_page_link
from app.panels.jobs import draw_job
from app.presenting.crawl_words import ADDRESSES
from app.presenting.wording import counted
from app.views.jobs.table import draw_jobs
from core.domain.crawl.ledger import UrlState
from core.domain.ids import JobId
from core.domain.job import Job
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
