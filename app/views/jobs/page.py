"""Jobs: what runs, what ran, and what came of it."""

from __future__ import annotations

import streamlit as st

from app import links, services, state
from app.panels.jobs import draw_job
from app.views.jobs.table import draw_jobs
from core.domain.ids import JobId
from core.domain.job import Job
from core.jobs.kinds import CRAWL


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
        draw_jobs(now, state.open_job(), _pick)
        if running == all(job.state.is_ended for job in now):
            st.rerun()
        if chosen := _chosen(now):
            st.divider()
            draw_job(chosen)
            _draw_crawl(chosen)

    st.fragment(panel, run_every=1 if running else None)()


def _draw_crawl(job: Job) -> None:
    """The way from a crawl's job to its page, for who may see that."""
    if job.kind != CRAWL or not services.current_principal().is_admin:
        return
    crawl = services.session().crawls.of_job(job.id)
    if crawl is not None:
        st.page_link(
            links.page("crawl"),
            label="Open this crawl, with every address",
            icon=":material/travel_explore:",
            query_params={"crawl": crawl},
        )


def _pick(job: JobId) -> None:
    state.to_address(job=job)


def _chosen(found: list[Job]) -> Job | None:
    asked = state.open_job()
    return next((job for job in found if job.id == asked), None)
