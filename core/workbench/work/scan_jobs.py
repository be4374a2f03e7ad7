"""Reading scans as a worker does it: by a job of its own, which it also submits by itself."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from core.domain.document import PDF, DocumentStatus, DocumentSummary
from core.domain.ids import JobId
from core.ingest.ocr import is_installed
from core.jobs import queue
from core.jobs.base import JobHandler
from core.jobs.kinds import OCR, REINGEST
from core.store.base import DocumentQuery
from core.store.database.visibility import Visibility

if TYPE_CHECKING:
    from core.store.store import Records
    from core.workbench.wiring import Parts


def scans(records: Records, *, again: bool = False) -> list[DocumentSummary]:
    """The PDFs whose pages hold no text; without those that were read before, in vain, unless `again`."""
    unreadable = DocumentQuery(status=DocumentStatus.UNREADABLE)
    found = [
        each
        for each in records.documents.list(Visibility.everything(), unreadable)
        if each.media_type == PDF and each.pages
    ]
    if again or not found:
        return found
    read = records.page_readings.originals()
    return [each for each in found if each.content_hash not in read]


def submit(records: Records, documents: Sequence[DocumentSummary], user: str = "") -> JobId:
    """Queue the reading of these documents."""
    title = f"Reading {len(documents):,} scan{'' if len(documents) == 1 else 's'}"
    return queue.submit(records, OCR, title, {"documents": [each.id for each in documents]}, user=user)


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
        self._look_at = clock() + queue.LOOK_EVERY_S / 3

    def look(self) -> JobId | None:
        """Submit a job where scans wait and none is at it; gives it. Cheap: call it often.

        An ingest that still runs is not waited for: it may take hours, and the scans that it brings later
        are seen at a later look.
        """
        if self._clock() < self._look_at:
            return None
        self._look_at = self._clock() + queue.LOOK_EVERY_S
        records = self._parts.records
        if self._parts.settings.ingest.ocr != "auto" or not self._can_read():
            return None
        if not queue.is_due(records, OCR, done_by=(REINGEST,)):
            return None
        waiting = scans(records)
        return submit(records, waiting) if waiting else None


def ocr_job(parts: Parts, ingest: JobHandler) -> JobHandler:
    """The handler of the job kind `ocr`, with its process. ingest: the handler of `reingest`."""
    from core.ingest.ocr_job import OcrJob, OcrPool

    pool = OcrPool(parts.settings)
    parts.on_close(pool.close)
    return OcrJob(parts.records, pool, ingest)
