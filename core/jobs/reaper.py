"""Adopts what a dead worker left: jobs that say they run, but that no live process works on."""

from __future__ import annotations

from core.domain.ids import JobId
from core.domain.job import JobState
from core.records.store import Records


def adopt(records: Records, mine: frozenset[JobId] = frozenset()) -> list[JobId]:
    """Queue every running job that is not among `mine` again; gives them, the oldest first.

    Only the owner of the home may call this: no other process can be at work on any of them. One that was
    asked to stop before its worker died ends as cancelled.
    """
    adopted = []
    for job in reversed(records.jobs.list(states=(JobState.RUNNING,))):
        if job.id in mine:
            continue
        if records.jobs.cancel_requested(job.id):
            records.jobs.finish(job.id, JobState.CANCELLED)
        else:
            records.jobs.resume(job.id)
            adopted.append(job.id)
    return adopted
