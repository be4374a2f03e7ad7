"""Notices documents whose cells are missing or of older definitions, and has them filled."""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

from core.domain.ids import JobId
from core.domain.job import JobState
from core.ingest.job import INGEST, REINGEST
from core.jobs import queue
from core.jobs.kinds import EXTRACT
from core.records.database.visibility import Visibility
from core.workbench.wiring import Parts

_LOOK_EVERY_S = 30.0
_FIRST_LOOK_S = 10.0  # who runs one command needs no back-fill of an older home
_IN_VAIN = (JobState.FAILED, JobState.CANCELLED)
_NOT_AGAIN = timedelta(hours=1)  # after one that failed, or that somebody cancelled
_JOBS_LOOKED_AT = 50
_OPEN = (JobState.QUEUED, JobState.RUNNING)


class BackFill:
    """Submits an extraction for homes that are older than their fields, and after a kill; for a worker."""

    def __init__(self, parts: Parts, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._parts = parts
        self._clock = clock
        self._look_at = clock() + _FIRST_LOOK_S

    def look(self) -> JobId | None:
        """Submit a job where documents lack cells and none is at it; gives it. Cheap: call it often."""
        if self._clock() < self._look_at:
            return None
        self._look_at = self._clock() + _LOOK_EVERY_S
        self._parts.extractions.rest()
        records = self._parts.records
        if any(job.kind in (EXTRACT, INGEST, REINGEST) for job in records.jobs.list(states=_OPEN)):
            return None
        last = next((job for job in records.jobs.list(limit=_JOBS_LOOKED_AT) if job.kind == EXTRACT), None)
        if last is not None and last.state in _IN_VAIN and datetime.now(UTC) - last.updated_at < _NOT_AGAIN:
            return None
        definitions = self._parts.definitions()
        lacking = sum(
            len(records.fields.lacking(bucket.name, definitions.fingerprint(bucket.name)))
            for bucket in records.documents.buckets(Visibility.everything())
        )
        if not lacking:
            return None
        title = f"Fields of {lacking:,} document{'' if lacking == 1 else 's'}"
        return queue.submit(records, EXTRACT, title, {})
