"""Notices documents whose cells are missing or of older definitions, and has them filled."""

from __future__ import annotations

import time
from collections.abc import Callable

from core.domain.ids import JobId
from core.ingest.job import INGEST, REINGEST
from core.jobs import queue
from core.jobs.kinds import CRAWL, EXTRACT
from core.records.database.visibility import Visibility
from core.workbench.wiring import Parts

_ASK_EVERY_S = 1.0
_FIRST_LOOK_S = 10.0  # who runs one command needs no back-fill of an older home


class BackFill:
    """Submits an extraction for homes that are older than their fields, and after a kill; for a worker."""

    def __init__(self, parts: Parts, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._parts = parts
        self._clock = clock
        self._look_at = clock() + _FIRST_LOOK_S
        self._ask_at = 0.0

    def look(self) -> JobId | None:
        """Submit a job where documents lack cells and none is at it; gives it. Cheap: call it often.

        Where a question waits for documents that is looked at within a second.
        """
        records = self._parts.records
        if self._clock() < self._look_at and not self._is_awaited():
            return None
        self._look_at = self._clock() + queue.LOOK_EVERY_S
        self._parts.extractions.rest()
        if not queue.is_due(records, EXTRACT, done_by=(INGEST, REINGEST, CRAWL)):
            return None
        definitions = self._parts.definitions()
        lacking = {
            document
            for bucket in records.documents.buckets(Visibility.everything())
            for document in records.fields.lacking(bucket.name, definitions.fingerprint(bucket.name))
        }
        # Asked for when it had just been read: nothing would take it out again.
        records.reading_queue.remove(set(records.reading_queue.list()) - lacking)
        if not lacking:
            return None
        title = f"Fields of {len(lacking):,} document{'' if len(lacking) == 1 else 's'}"
        return queue.submit(records, EXTRACT, title, {})

    def _is_awaited(self) -> bool:
        if self._clock() < self._ask_at:
            return False
        self._ask_at = self._clock() + _ASK_EVERY_S
        return bool(self._parts.records.reading_queue.list())
