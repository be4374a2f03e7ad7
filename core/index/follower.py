"""An engine that many processes feed, of which one writes: the others wait until it has.

Whoever has the lead applies changes; who has not waits until the index has reached what he wanted applied.
So no two apply the same changes side by side, and an engine that lets one process write keeps doing so.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Protocol

from core.errors import HomeBusyError
from core.index.base import EngineHit, EngineStatus, IndexBatch, SearchEngine, SearchRequest
from core.index.sync import PassageFeed, catch_up

_POLL_S = 0.1
_PATIENCE_S = 600.0  # while another has the lead: it may be rebuilding
_BUSY_PATIENCE_S = 15.0  # while we have it, and somebody keeps the files locked all the same


class IndexLead(Protocol):
    """The right to write the index, of one process at a time."""

    @property
    def is_held(self) -> bool:
        """True where it is ours, beyond doubt."""
        ...

    def take(self) -> bool:
        """Take it where nobody has it; gives whether it is ours."""
        ...

    def let_go(self) -> None:
        """Leave it to another."""
        ...


class SharedEngine:
    """A SearchEngine over another, for a worker that may be one of several. Thread-safe as that one is."""

    def __init__(
        self,
        engine: SearchEngine,
        records: PassageFeed,
        lead: IndexLead,
        *,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._engine = engine
        self._records = records
        self._lead = lead
        self._clock = clock
        self._sleep = sleep

    def search(self, request: SearchRequest) -> list[EngineHit]:
        """See SearchEngine."""
        return self._engine.search(request)

    def apply(self, batch: IndexBatch) -> None:
        """Apply the batch where the lead is ours, else wait until the index holds its sequence.

        Raises HomeBusyError where that takes longer than a rebuild does, and what the engine raises.
        """
        if self._lead.is_held:
            self._engine.apply(batch)
            return
        began = self._clock()
        while self._engine.status().sequence < batch.sequence:
            if self._lead.take():
                try:
                    # The batch was read while another wrote, and may be older than what the index holds.
                    catch_up(self._engine, self._records)
                except HomeBusyError:
                    self._lead.let_go()
                    if self._clock() - began > _BUSY_PATIENCE_S:
                        raise
            elif self._clock() - began > _PATIENCE_S:
                raise HomeBusyError(
                    "The worker that writes the search index has not done so for ten minutes.",
                    next_step="Look at its log, or stop it: another worker takes over. Then resume the job.",
                )
            self._sleep(_POLL_S)

    def document_frequencies(self, terms: Sequence[str]) -> dict[str, int]:
        """See SearchEngine."""
        return self._engine.document_frequencies(terms)

    def status(self) -> EngineStatus:
        """State of the engine now."""
        return self._engine.status()

    def close(self) -> None:
        """Nothing: the engine belongs to who made it."""
