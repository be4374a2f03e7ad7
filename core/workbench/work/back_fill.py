"""Notices documents whose cells are missing or of older definitions, and has them filled."""

from __future__ import annotations

import time
from collections.abc import Callable

from core.domain.ids import JobId
from core.ingest.job import INGEST, REINGEST
from core.jobs import queue
from core.jobs.kinds import EXTRACT
from core.records.database.visibility import Visibility
from core.workbench.wiring import Parts

_FIRST_LOOK_S = 10.0  # who runs one command needs no back-fill of an older home


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
        self._look_at = self._clock() + queue.LOOK_EVERY_S
        self._parts.extractions.rest()
        records = self._parts.records
        if not queue.is_due(records, EXTRACT, done_by=(INGEST, REINGEST)):
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
