"""What can be done with a job, on every page that shows or begins one."""

from __future__ import annotations

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
    """How far the job is, what came of each file, and what to do next."""
    bench, principal = services.bench(), services.current_principal()
    draw_said()
    draw_progress(
        job,
        job_actions(),
        is_cancelling=state.is_cancelling(job.id),
        has_worker=job.state.is_ended or bench.status(principal).worker_alive,
    )
    try:
        items = bench.job_items(job.id, principal)
    except NotFoundError:
        items = []
    draw_outcomes(items)
    if job.state.is_ended:
        draw_next(items)


@guarded
def load_sample() -> None:
    """Begin to read the sample collection."""
    job = services.bench().submit_sample(services.current_principal())
    state.flash("The sample collection is being loaded.", job)


def _cancel(job: JobId) -> None:
    services.bench().cancel_job(job, services.current_principal())
    state.note_cancel(job)


def _resume(job: JobId) -> None:
    services.bench().resume_job(job, services.current_principal())
    state.note_cancel(job, asked=False)
