"""Ingests that run, found again after a reload and from any tab."""

from __future__ import annotations

import streamlit as st

from app import services, state
from app.components.job import OF_FILES, draw_progress
from app.panels.jobs import job_actions
from core.domain.job import Job

MOST_RUNNING = 3
LOOK_EVERY_S = 2


@st.fragment(run_every=LOOK_EVERY_S)
def draw_running() -> None:
    """The ingests that run, whoever began them and in whatever tab, each with its progress and its own page.

    It looks again by itself, so also one is shown that began after the page was drawn.
    """
    session = services.session()
    status = session.settings.status()
    with st.container(key="running-ingests"):
        jobs = session.jobs.list() if status.open_jobs else []
        running = [job for job in jobs if job.kind in OF_FILES and not job.state.is_ended]
        for job in running[::-1][:MOST_RUNNING]:
            _draw(job, has_worker=status.worker_alive)
        if len(running) > MOST_RUNNING:
            st.markdown(f":small[[{len(running) - MOST_RUNNING:,} more jobs](/jobs)]")


def _draw(job: Job, *, has_worker: bool) -> None:
    with st.container(border=True):
        draw_progress(job, job_actions(), is_cancelling=state.is_cancelling(job.id), has_worker=has_worker)
        if st.button("Show its files", icon=":material/list:", type="tertiary", key=f"show-{job.id}"):
            state.to_address(job=job.id)
            st.rerun()
