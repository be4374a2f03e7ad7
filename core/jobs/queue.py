"""Jobs as anyone may submit, cancel, resume and follow them, without importing what runs them.

A job is a row in the records; the worker looks for queued rows four times a second. So the app and the
command line enqueue with one insert.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Mapping
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

from core.domain.document import IngestOutcome
from core.domain.ids import JobId
from core.domain.job import Job, JobState
from core.errors import JobError
from core.jobs.base import WORKER_LEASE, is_dead

if TYPE_CHECKING:
    from core.store.base import Lease
    from core.store.store import Records

POLL_S = 0.2
LOOK_EVERY_S = 30.0
"""How often a worker looks whether work waits that nobody asked for."""
_OPEN = (JobState.QUEUED, JobState.RUNNING)
_IN_VAIN = (JobState.FAILED, JobState.CANCELLED)
_NOT_AGAIN = timedelta(hours=1)  # after one that failed, or that somebody cancelled
_JOBS_LOOKED_AT = 50


def submit(records: Records, kind: str, title: str, payload: Mapping[str, Any], *, user: str = "") -> JobId:
    """Queue a job; returns at once. The payload must be JSON."""
    return records.jobs.create(kind, title, payload, user=user)


def is_due(records: Records, kind: str, done_by: Collection[str] = ()) -> bool:
    """Nobody is at work of this kind, and the last job of it did not end in vain within the hour.

    done_by: other kinds of jobs that do the same work.
    """
    if any(job.kind in (kind, *done_by) for job in records.jobs.list(states=_OPEN)):
        return False
    last = next((job for job in records.jobs.list(limit=_JOBS_LOOKED_AT) if job.kind == kind), None)
    return last is None or last.state not in _IN_VAIN or datetime.now(UTC) - last.updated_at >= _NOT_AGAIN


def cancel(records: Records, job: JobId) -> JobState:
    """Stop a job: what it has finished stays. Takes effect within about two seconds.

    Gives the state it is in now. Raises JobError where it has ended, NotFoundError.
    """
    state = records.jobs.request_cancel(job)
    if state is JobState.RUNNING and not is_worker_alive(records):
        records.jobs.finish(job, JobState.CANCELLED)
        return JobState.CANCELLED
    return state


def resume(records: Records, job: JobId) -> None:
    """Queue an ended job again: what is done stays done, failed inputs are tried again.

    So is one whose worker died. Raises JobError where it goes on or left nothing to do, NotFoundError.
    """
    state = records.jobs.get(job).state
    is_abandoned = state is JobState.RUNNING and not is_worker_alive(records)
    if not state.is_ended and not is_abandoned:
        raise JobError(
            f"Job {job!r} is {state.value}.", next_step="It goes on by itself while a worker runs."
        )
    if state is JobState.DONE:
        raise JobError(f"Job {job!r} is done.", next_step="Ingest the files again to read them anew.")
    records.jobs.resume(job, retry=(IngestOutcome.FAILED,))


def live_workers(records: Records) -> list[Lease]:
    """The leases of workers that may be at work; one that died elsewhere counts for up to 15 s more."""
    return [lease for lease in records.leases.holders(WORKER_LEASE) if not is_dead(lease.owner)]


def is_worker_alive(records: Records) -> bool:
    """True where a worker is there for these records."""
    return bool(live_workers(records))


def follow(
    records: Records,
    job: JobId,
    on_progress: Callable[[Job], None] | None = None,
    *,
    is_wanted: Callable[[], bool] = lambda: True,
    sleep: Callable[[float], None] = time.sleep,
) -> Job:
    """The job once it has ended, or as it is when `is_wanted` turns false; blocks until then."""
    while True:
        found = records.jobs.get(job)
        if on_progress is not None:
            on_progress(found)
        if found.state.is_ended or not is_wanted():
            return found
        sleep(POLL_S)
