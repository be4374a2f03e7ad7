"""Notices fields in words on which people judged more, and has them learnt again."""

from __future__ import annotations

import time
from collections.abc import Callable

from core.domain.ids import JobId
from core.extract.jobs.word_learning import unlearnt
from core.jobs import queue
from core.jobs.kinds import LEARN
from core.workbench.wiring import Parts

NEW_VERDICTS = 5
"""Verdicts that came or went since a field learnt, from which on it learns by itself."""

_LOOK_EVERY_S = 60.0


class FieldLearning:
    """Submits the learning of fields whose verdicts changed; for a worker."""

    def __init__(self, parts: Parts, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._parts = parts
        self._clock = clock
        self._look_at = clock() + _LOOK_EVERY_S

    def look(self) -> JobId | None:
        """Submit a job where enough verdicts are new and none is at it; gives it. Cheap: call it often."""
        if self._clock() < self._look_at:
            return None
        self._look_at = self._clock() + _LOOK_EVERY_S
        records = self._parts.records
        if not queue.is_due(records, LEARN):
            return None
        fields: dict[str, list[str]] = {}
        for schema, definition in unlearnt(records, self._parts.definitions(), least=NEW_VERDICTS):
            fields.setdefault(schema, []).append(definition.name)
        if not fields:
            return None
        count = sum(map(len, fields.values()))
        title = f"{count:,} field{'' if count == 1 else 's'} in words learnt from new verdicts"
        return queue.submit(records, LEARN, title, {"fields": fields})
