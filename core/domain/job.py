"""Durable jobs as a person follows them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from core.domain.document import IngestOutcome
from core.domain.ids import DocumentId, JobId


class JobState(StrEnum):
    """Where a job stands. Ended: done, partial (some inputs failed), failed, cancelled."""

    QUEUED = "queued"
    RUNNING = "running"
    DONE = "done"
    PARTIAL = "partial"
    FAILED = "failed"
    CANCELLED = "cancelled"

    @property
    def is_ended(self) -> bool:
        """Whether nothing more will happen unless the job is resumed."""
        return self not in (JobState.QUEUED, JobState.RUNNING)


@dataclass(frozen=True, slots=True)
class Job:
    """A job's progress. rate: items a second lately; eta_s: None where it cannot be told."""

    id: JobId
    kind: str
    title: str
    state: JobState
    done: int
    total: int
    rate: float | None
    eta_s: float | None
    last_item: str
    error: str | None
    created_at: datetime
    updated_at: datetime


@dataclass(frozen=True, slots=True)
class IngestItem:
    """What ingest did with one input of a job."""

    document: DocumentId | None
    source: str
    title: str
    bucket: str
    outcome: IngestOutcome
    reason: str
    pages: int
    passages: int


@dataclass(frozen=True, slots=True)
class IngestReport:
    """What one ingest did with all its inputs, in the order given."""

    job: JobId
    items: tuple[IngestItem, ...]
    seconds: float

    @property
    def counts(self) -> dict[str, int]:
        """How many inputs came to each outcome; every outcome is a key."""
        return {o.value: sum(item.outcome is o for item in self.items) for o in IngestOutcome}
