"""Jobs: what runs, what ran, and what came of it."""

from __future__ import annotations

import streamlit as st

from app import services, state
from app.components.job import JobActions, draw_next, draw_outcomes, draw_progress
from app.components.job_table import draw_jobs
from app.components.shell import guarded
from core.domain.ids import JobId
from core.domain.job import Job
from core.errors import NotFoundError


def page() -> None:
    """Draw the page."""
    bench, principal = services.bench(), services.current_principal()
    st.title("Jobs", anchor=False)
    found = bench.jobs(principal)
    if not found:
        st.info("Nothing has run yet. Ingesting documents is a job: start one on the page Ingest.")
        return
    running = any(not job.state.is_ended for job in found)

    def panel() -> None:
        now = bench.jobs(principal)
        draw_jobs(now, _pick)
        if running and all(job.state.is_ended for job in now):
            st.rerun()
        if chosen := _chosen(now):
            _draw_one(chosen)

    st.fragment(panel, run_every=1 if running else None)()


def _pick(job: JobId | None) -> None:
    state.to_address(job=job)


def _chosen(found: list[Job]) -> Job | None:
    asked = state.open_job()
    return next((job for job in found if job.id == asked), None)


def _draw_one(job: Job) -> None:
    bench, principal = services.bench(), services.current_principal()
    actions = JobActions(
        cancel=guarded(lambda job: bench.cancel_job(job, principal)),
        resume=guarded(lambda job: bench.resume_job(job, principal)),
    )
    st.divider()
    draw_progress(job, actions)
    try:
        items = bench.job_items(job.id, principal)
    except NotFoundError:
        items = []
    draw_outcomes(items)
    if job.state.is_ended:
        draw_next(items)
