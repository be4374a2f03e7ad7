"""Controls of a job, on every page that shows or begins one."""

from __future__ import annotations

import streamlit as st

from app import services, state
from app.components.job import JobActions, draw_next, draw_outcomes, draw_progress
from app.components.shell import draw_said, guarded
from core.domain.ids import JobId
from core.domain.job import Job
from core.errors import NotFoundError


def job_actions() -> JobActions:
    """Cancel and resume."""
    return JobActions(cancel=guarded(_cancel), resume=guarded(_resume))


def draw_job(job: Job) -> None:
    """Progress of the job, the outcome of each file, and the next step."""
    session = services.session()
    draw_said()
    draw_progress(
        job,
        job_actions(),
        is_cancelling=state.is_cancelling(job.id),
        has_worker=job.state.is_ended or session.settings.status().worker_alive,
    )
    try:
        items = session.jobs.items(job.id)
    except NotFoundError:
        items = []
    draw_outcomes(items)
    if job.state.is_ended:
        draw_next(items)


@guarded
def load_sample() -> None:
    """Begin to read the sample collection."""
    job = services.session().documents.submit_sample()
    state.flash("The sample collection is being loaded.", job)


def rerun_on_change() -> None:
    """While a job is open, draw the page again whenever the collection changes."""
    if not services.session().settings.status().open_jobs:
        return
    shown = services.bench().data_version()

    def look() -> None:
        if services.bench().data_version() != shown:
            st.rerun()

    st.fragment(look, run_every=2)()


def _cancel(job: JobId) -> None:
    services.session().jobs.cancel(job)
    state.note_cancel(job)


def _resume(job: JobId) -> None:
    services.session().jobs.resume(job)
    state.note_cancel(job, asked=False)
