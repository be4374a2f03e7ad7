"""Status of a workbench, for the foot line, the settings page and the doctor."""

from __future__ import annotations

from dataclasses import dataclass

from core.domain.job import JobState
from core.records.store import Records


@dataclass(frozen=True, slots=True)
class WorkbenchStatus:
    """mode: `offline`, or the model that answers. passages: in the records; index_passages: indexed.

    search_note: why another engine than the configured one answers; empty where it does. left_out: plug-ins
    that this process met and does not use, a sentence each.
    """

    engine: str
    encoder: str
    mode: str
    data_version: int
    documents: int
    passages: int
    index_passages: int
    running_jobs: int
    queued_jobs: int
    worker_alive: bool
    home: str
    search_note: str = ""
    left_out: tuple[str, ...] = ()

    @property
    def open_jobs(self) -> int:
        """Jobs that have not ended."""
        return self.running_jobs + self.queued_jobs


def count_jobs(records: Records) -> tuple[int, int]:
    """Number of jobs that run, and of those that wait."""
    found = [job.state for job in records.jobs.list(states=(JobState.RUNNING, JobState.QUEUED))]
    return found.count(JobState.RUNNING), found.count(JobState.QUEUED)
