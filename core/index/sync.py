"""Brings an engine up to the records, from the sequence of changes that the records keep.

Records are the truth. An engine that missed changes (a crash between publishing and indexing, a busy
writer, a rebuild) asks for what changed since its own sequence and applies it; applying again is harmless.

Of many processes that feed one engine one writes (`SharedEngine`). Whoever has the lead applies changes;
who has not waits until the index has reached what he wanted applied. So no two apply the same changes side
by side, and an engine that lets one process write keeps doing so.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from typing import Protocol

from core.domain.ids import DocumentId
from core.errors import HomeBusyError, IndexUnavailableError
from core.index.base import (
    EngineHit,
    EngineStatus,
    Filter,
    IndexBatch,
    SearchEngine,
    SearchRequest,
    TermFrequencies,
)
from core.store.base import ChangesUpTo, IndexedPassage

_DOCUMENTS_PER_BATCH = 100


class ChangeLog(Protocol):
    """Log of changed documents, in the order of a sequence that only grows."""

    def data_version(self) -> int:
        """The sequence of the newest change; 0 before the first."""
        ...

    def since(self, sequence: int) -> ChangesUpTo:
        """The documents added, changed or removed after `sequence`, and the newest sequence."""
        ...


class IndexablePassages(Protocol):
    """The passages that are to be found."""

    def of_documents(self, wanted: Iterable[DocumentId], /) -> Sequence[IndexedPassage]:
        """The passages of the newest version of each document; none of a removed one."""
        ...


class PassageFeed(Protocol):
    """Feed of passages from the records that `catch_up` and a rebuild need."""

    @property
    def changes(self) -> ChangeLog:
        """The sequence of changes."""
        ...

    @property
    def passages(self) -> IndexablePassages:
        """The passages as they are now."""
        ...


def catch_up(engine: SearchEngine, records: PassageFeed) -> int:
    """Apply every change that the engine lacks; gives how many documents were applied.

    Blocks until done. Raises IndexUnavailableError where the engine is ahead of the records (they were
    restored from an older backup), and HomeBusyError where another process writes.
    """
    sequence, newest = engine.status().sequence, records.changes.data_version()
    if sequence > newest:
        raise IndexUnavailableError(
            f"The search index knows change {sequence}, the records end at change {newest}.",
            next_step="Run `groundwork reindex` to build the index from these records.",
        )
    return replay(engine.apply, sequence, records)


def replay(
    apply: Callable[[IndexBatch], object],
    sequence: int,
    records: PassageFeed,
    on_progress: Callable[[int, int], None] | None = None,
) -> int:
    """Apply all changes after `sequence` until there are none; gives how many documents were applied.

    on_progress: called with documents done and documents known so far.
    """
    done = 0
    while True:
        changes = records.changes.since(sequence)
        upto, documents = changes.sequence, changes.documents
        if upto <= sequence:
            return done
        groups = _groups(documents)
        total = done + len(documents)
        for group in groups:
            # The sequence rises with the last group only: after a crash in between all are applied again.
            reached = upto if group is groups[-1] else sequence
            rows = records.passages.of_documents(group)
            apply(IndexBatch(reached, group, tuple(rows)))
            done += len(group)
            if on_progress is not None:
                on_progress(done, total)
        if not groups:
            apply(IndexBatch(upto, frozenset(), ()))
        sequence = upto


def _groups(documents: frozenset[DocumentId]) -> list[frozenset[DocumentId]]:
    """The documents in groups that fit into memory with their passages, in a fixed order."""
    ordered = sorted(documents)
    starts = range(0, len(ordered), _DOCUMENTS_PER_BATCH)
    return [frozenset(ordered[start : start + _DOCUMENTS_PER_BATCH]) for start in starts]


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

    def document_frequencies(self, terms: Sequence[str], within: Filter | None = None) -> TermFrequencies:
        """See SearchEngine."""
        return self._engine.document_frequencies(terms, within)

    def status(self) -> EngineStatus:
        """State of the engine now."""
        return self._engine.status()

    def close(self) -> None:
        """Nothing: the engine belongs to who made it."""
