"""Reading scans as a worker does it: by a job of its own, which it also submits by itself."""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from functools import cached_property
from typing import TYPE_CHECKING

from core.domain.ids import JobId
from core.domain.job import JobState
from core.ingest.job import REINGEST
from core.ingest.ocr import is_installed
from core.jobs.base import JobContext, JobHandler
from core.jobs.kinds import OCR
from core.workbench.scans import scans, submit
from core.workbench.wiring import Parts

if TYPE_CHECKING:
    from core.ingest.ocr_job import OcrJob

_LOOK_EVERY_S = 30.0
_OPEN = (JobState.QUEUED, JobState.RUNNING)
_IN_VAIN = (JobState.FAILED, JobState.CANCELLED)
_NOT_AGAIN = timedelta(hours=1)
_JOBS_LOOKED_AT = 50


class ScanReading:
    """Submits a job where scans came in, unless the setting `ingest.ocr` is off; for a worker."""

    def __init__(
        self,
        parts: Parts,
        *,
        clock: Callable[[], float] = time.monotonic,
        can_read: Callable[[], bool] = is_installed,
    ) -> None:
        self._parts = parts
        self._clock = clock
        self._can_read = can_read
        self._look_at = clock() + _LOOK_EVERY_S / 3

    def look(self) -> JobId | None:
        """Submit a job where scans wait and none is at it; gives it. Cheap: call it often.

        An ingest that still runs is not waited for: it may take hours, and the scans that it brings later
        are seen at a later look.
        """
        if self._clock() < self._look_at:
            return None
        self._look_at = self._clock() + _LOOK_EVERY_S
        records = self._parts.records
        if self._parts.settings.ingest.ocr != "auto" or not self._can_read():
            return None
        if any(job.kind in (OCR, REINGEST) for job in records.jobs.list(states=_OPEN)):
            return None
        last = next((job for job in records.jobs.list(limit=_JOBS_LOOKED_AT) if job.kind == OCR), None)
        if last is not None and last.state in _IN_VAIN and datetime.now(UTC) - last.updated_at < _NOT_AGAIN:
            return None
        waiting = scans(records)
        return submit(records, waiting) if waiting else None


class OcrHandler:
    """The handler of the job kind `ocr`, made with its process when the first such job comes.

    ingest: the handler of `reingest`.
    """

    def __init__(self, parts: Parts, ingest: JobHandler) -> None:
        self._parts = parts
        self._ingest = ingest

    @cached_property
    def _job(self) -> OcrJob:
        from core.ingest.ocr_job import OcrJob
        from core.ingest.ocr_pool import OcrPool

        pool = OcrPool(self._parts.settings)
        self._parts.on_close(pool.close)
        return OcrJob(self._parts.records, pool, self._ingest)

    def prepare(self, context: JobContext) -> None:
        """See JobHandler."""
        self._job.prepare(context)

    def work(self, context: JobContext) -> bool:
        """See JobHandler."""
        return self._job.work(context)
