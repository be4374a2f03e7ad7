"""Upkeep of what a language model reads: new documents, and batches of jobs that were cancelled."""

from __future__ import annotations

import time
from collections.abc import Callable

from core.domain.ids import JobId
from core.jobs import queue
from core.jobs.kinds import CRAWL, EXTRACT, INGEST, READ_CELLS, REINGEST
from core.workbench.wiring import Parts

FIRST_LOOK_S = 10.0  # who runs one command needs no upkeep of an older home
_READ_EVERY_S = 5.0


class NewReading:
    """Has a model read new documents of buckets where that is switched on, after extraction; for a worker."""

    def __init__(self, parts: Parts, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._parts = parts
        self._clock = clock
        self._look_at = clock() + FIRST_LOOK_S
        self._cancelled: set[str] = set()  # batches of jobs that were cancelled

    def look(self) -> JobId | None:
        """Submit a job where cells wait and none is at it; gives it. Cheap: call it often.

        A job that was cancelled may have left a batch at the server, which is cancelled here.
        """
        if self._clock() < self._look_at:
            return None
        self._look_at = self._clock() + _READ_EVERY_S
        records, settings = self._parts.records, self._parts.models_of_home.settings
        if records.model_calls.open_batches():
            from core.extract.model.batches import cancel_left

            cancel_left(records, self._parts.models_of_home, self._cancelled)
        switched_on = records.documents.read_by_model() if settings.is_configured else ()
        if not switched_on or not queue.is_due(
            records, READ_CELLS, done_by=(INGEST, REINGEST, CRAWL, EXTRACT)
        ):
            return None
        from core.extract.model.reader import ReadCellsPayload
        from core.extract.model.waiting import waiting

        for bucket in sorted(switched_on):
            found = waiting(records, self._parts.definitions(), settings, bucket=bucket)
            cells = sum(len(each.cells) + len(each.kept) for each in found)
            if cells:
                payload = ReadCellsPayload(bucket=bucket, cells=cells).model_dump(mode="json")
                title = f"{cells:,} uncertain cell{'' if cells == 1 else 's'} of {bucket}, read by a model"
                return queue.submit(records, READ_CELLS, title, payload)
        return None
