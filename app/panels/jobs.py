"""Controls of a job, on every page that shows or begins one."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from app import services, state
from app.components.job import OF_FILES, JobActions, draw_next, draw_outcomes, draw_progress
from app.components.shell import draw_said, guarded
from app.presenting.wording import JOB
from core.domain.ids import JobId
from core.domain.job import Job
from core.errors import NotFoundError

MOST_RUNNING = 3


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


def draw_running() -> None:
    """The ingests that run, whoever began them and in whatever tab, each with its progress and its own page.

    The place is there also while nothing runs: else what stands below would be made anew.
    """
    session = services.session()
    with st.container(key="running-ingests"):
        if not session.settings.status().open_jobs:
            return
        running = [job for job in session.jobs.list() if job.kind in OF_FILES and not job.state.is_ended]
        for job in running[::-1][:MOST_RUNNING]:
            st.fragment(_following(job.id), run_every=1)()
        if len(running) > MOST_RUNNING:
            st.markdown(f":small[[{len(running) - MOST_RUNNING:,} more jobs](/jobs)]")


def _following(job: JobId) -> Callable[[], None]:
    def follow() -> None:
        session = services.session()
        now = session.jobs.get(job)
        if now.state.is_ended:
            state.flash(f"{now.title or 'The ingest'}: {JOB[now.state].lower()}.", job)
            st.rerun()
        with st.container(border=True):
            draw_progress(
                now,
                job_actions(),
                is_cancelling=state.is_cancelling(job),
                has_worker=session.settings.status().worker_alive,
            )
            st.button(
                "Show its files",
                icon=":material/list:",
                type="tertiary",
                on_click=lambda: state.to_address(job=job),
                key=f"show-{job}",
            )

    return follow


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
