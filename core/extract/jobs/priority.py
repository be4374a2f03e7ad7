"""Order in which documents are read: those that questions wait for come first."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, MutableMapping

from core.domain.ids import DocumentId
from core.records.store import Records

_LOOK_EVERY_S = 0.5


class Priority:
    """Chooses among waiting documents. What questions wait for is looked up twice a second at most.

    Not thread-safe.
    """

    def __init__(self, records: Records, clock: Callable[[], float] = time.monotonic) -> None:
        self._records = records
        self._clock = clock
        self._awaited: list[DocumentId] = []
        self._look_at = 0.0

    def take(self, waiting: MutableMapping[DocumentId, None]) -> DocumentId:
        """Take a document out of those that wait, which are in order; there must be one."""
        if self._clock() >= self._look_at:
            self._look_at = self._clock() + _LOOK_EVERY_S
            self._awaited = self._records.reading_queue.list()
        first = next((each for each in self._awaited if each in waiting), None)
        document = next(iter(waiting)) if first is None else first
        del waiting[document]
        return document

    def order(self, documents: Iterable[DocumentId]) -> Iterator[DocumentId]:
        """These documents, each once, the next one chosen when it is asked for."""
        waiting = dict.fromkeys(documents)
        while waiting:
            yield self.take(waiting)
