"""Durable jobs as a person follows them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Literal

from core.domain.document import DocumentSummary, FilePart, IngestOutcome
from core.domain.ids import DocumentId, JobId


class JobState(StrEnum):
    """State of a job. Ended: done, partial (some inputs failed), failed, cancelled."""

    QUEUED = "queued"
    RUNNING = "running"
    DONE = "done"
    PARTIAL = "partial"
    FAILED = "failed"
    CANCELLED = "cancelled"

    @property
    def is_ended(self) -> bool:
        """True where nothing more will happen unless the job is resumed."""
        return self not in (JobState.QUEUED, JobState.RUNNING)


@dataclass(frozen=True, slots=True)
class CurrentItem:
    """The input that a job is working on: how many of its passages are done; total 0 while it is read.

    left_s: seconds for the rest of it at the speed so far; None where that cannot be told.
    """

    source: str
    done: int
    total: int
    left_s: float | None = None


@dataclass(frozen=True, slots=True)
class Job:
    """A job's progress. rate: items a second lately; eta_s: None where it cannot be told.

    current: None where the job has not said what it works on, or has ended. is_cancelling: it was asked to
    stop and has not ended yet.
    """

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
    current: CurrentItem | None = None
    is_cancelling: bool = False

    @property
    def share(self) -> float:
        """Share of the work that is done, from 0 to 1, with the done part of the current input."""
        if not self.total:
            return 0.0
        begun = self.current.done / self.current.total if self.current and self.current.total else 0.0
        return min(1.0, (self.done + begun) / self.total)


class Decision(StrEnum):
    """What a file was taken for, where its source or its bytes were known."""

    NONE = ""
    VERSION = "version"
    OTHER = "other"
    RENAMED = "renamed"


@dataclass(frozen=True, slots=True)
class IngestItem:
    """Outcome of one input of a job.

    decision: what it was taken for, where its source or its bytes were known; remark: why, a sentence. parts:
    what its document says of the parts of its file.
    """

    document: DocumentId | None
    source: str
    title: str
    bucket: str
    outcome: IngestOutcome
    reason: str
    pages: int
    passages: int
    decision: Decision = Decision.NONE
    remark: str = ""
    parts: tuple[FilePart, ...] = ()

    @property
    def gaps(self) -> int:
        """Number of parts that can be seen in the file and were not read."""
        return sum(part.is_gap for part in self.parts)


SameNameChoice = Literal["version", "other"]
"""What a person says of such a file: a new version of the document, or another one."""


@dataclass(frozen=True, slots=True)
class SameName:
    """A file that is to be ingested under a name that a document with other contents has.

    likeness: share of the text that both have, 0 to 1; None where there are too few words to tell. is_alike:
    it would be taken for a new version, where nobody decides.
    """

    name: str
    document: DocumentSummary
    likeness: float | None
    is_alike: bool


@dataclass(frozen=True, slots=True)
class IngestReport:
    """Outcome of one ingest with all its inputs, in the order given.

    vanished: documents whose files are no longer in the folders and archives that were named.
    """

    job: JobId
    items: tuple[IngestItem, ...]
    seconds: float
    vanished: tuple[DocumentSummary, ...] = ()

    @property
    def counts(self) -> dict[str, int]:
        """Number of inputs by outcome; every outcome is a key."""
        return {o.value: sum(item.outcome is o for item in self.items) for o in IngestOutcome}
