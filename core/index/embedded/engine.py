"""The embedded engine: BM25 by tantivy and exact vectors by numpy, in files below the home folder."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from core.domain.upkeep import IndexFacts, RepairReport
from core.encode.base import EncoderSignature
from core.errors import IndexUnavailableError
from core.index.base import EngineHit, EngineStatus, Filter, IndexBatch, SearchRequest, TermFrequencies
from core.index.embedded.check import compare
from core.index.embedded.frequencies import frequencies
from core.index.embedded.generation import Generation, View
from core.index.embedded.search import search
from core.index.sync import PassageFeed, replay
from core.index.version import Generations, Hold, WriterLock

NAME = "embedded"

_DEAD_ROWS_TOLERATED = 10_000
_SWEEP_EVERY_S = 10.0


class EmbeddedEngine:
    """A SearchEngine in local files. Thread-safe; any number of processes search, one writes.

    Reading never waits for a batch that is being written. The right to write is taken by the first
    `apply` and kept until `close`, so that merges can go on between batches. A generation that was open
    elsewhere when it was replaced is deleted later, by the writer, when it is asked for its status.
    """

    def __init__(
        self,
        generations: Generations,
        signature: EncoderSignature,
        *,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._generations = generations
        self._clock = clock
        self._may_sweep = False  # while this engine has the right to write
        self._sweep_at = 0.0
        self._signature = signature
        self._writing = threading.Lock()  # one batch at a time
        self._switching = threading.Lock()  # _open and _stamp change together
        self._writer_lock = WriterLock(generations.root)
        self._closed = False
        self._stamp = generations.stamp()
        self._open: tuple[Generation, Hold] = _open_current(generations, signature)

    @classmethod
    def open(cls, root: Path, signature: EncoderSignature) -> EmbeddedEngine:
        """Open the index below `root` (the home's `index` folder), or start an empty one.

        Raises EncoderError where it holds vectors of another encoder, IndexUnavailableError where it is
        damaged or was built by another version; both say what to do.
        """
        try:
            generations = Generations(root / NAME)
            if generations.current() is None:
                generations.create_first(lambda folder: Generation.create(folder, signature))
        except (OSError, ValueError) as error:
            raise IndexUnavailableError(
                f"The search index in {str(root)!r} cannot be made: {error}.",
                next_step="Move away what is there, check rights and disk, then run `groundwork reindex`.",
            ) from error
        return cls(generations, signature)

    @property
    def name(self) -> str:
        """Name of the engine in settings."""
        return NAME

    def search(self, request: SearchRequest) -> list[EngineHit]:
        """At most top_k hits, best first; ties by passage id. See SearchEngine.

        Of a hybrid search every hit carries its exact cosine, also where only the keyword list held it
        (fusion counts what the lists held). Raises EncoderError where the query vector does not fit.
        """
        return search(self._view(), request)

    def apply(self, batch: IndexBatch) -> None:
        """Make the batch visible and durable, or leave the state as it was.

        Raises HomeBusyError where another process writes, EncoderError where a vector does not fit.
        """
        with self._writing:
            self._take_the_right_to_write()
            self._view()
            self._open[0].apply(batch)

    def document_frequencies(self, terms: Sequence[str], within: Filter | None = None) -> TermFrequencies:
        """In how many passages each analysed term stands, of how many; see SearchEngine.

        Within a filter terms of more than 20,000 passages count as if they were spread evenly.
        """
        return frequencies(self._view(), terms, within)

    def status(self) -> EngineStatus:
        """State of the engine now; a worker asks at every look, and so it also tidies up here."""
        self._sweep_now_and_then()
        rows = self._view().rows
        return EngineStatus(
            engine=NAME,
            sequence=rows.state.sequence,
            passages=rows.alive_count,
            encoder=self._signature,
            generation=self._open[0].name,
        )

    def facts(self) -> IndexFacts:
        """Contents and place of the index."""
        status = self.status()
        return IndexFacts(
            engine=NAME,
            place=str(self._generations.root),
            collection=NAME,
            version=status.generation,
            passages=status.passages,
            sequence=status.sequence,
            waiting=None,
            quantiser="none",
        )

    def repair(
        self, records: PassageFeed, on_progress: Callable[[int, int], None] | None = None
    ) -> RepairReport:
        """Compare every row with the records, and build anew where anything differs. Blocks.

        Raises HomeBusyError where another process writes.
        """
        report = compare(self._view().rows, records, on_progress)
        if report.is_clean:
            return report
        self.rebuild(records, on_progress)
        after = compare(self._view().rows, records)
        return replace(report, repaired=report.found - after.found, is_rebuilt=True)

    def is_mostly_dead(self) -> bool:
        """True where replaced and removed passages outnumber the living: time for a `rebuild`.

        Dead rows cost disk and scanning time, and tantivy's idf counts them until it merges them away.
        """
        rows = self._view().rows
        return rows.state.dead > max(rows.alive_count, _DEAD_ROWS_TOLERATED)

    def rebuild(self, records: PassageFeed, on_progress: Callable[[int, int], None] | None = None) -> str:
        """Build a new generation from the records while this one serves, then switch; gives its name.

        Blocks until done; searches go on. Raises HomeBusyError where another process writes.
        """
        with self._writing:
            self._take_the_right_to_write()
            name = _build(self._generations, self._signature, records, on_progress)
            self._view()
            self._generations.sweep()
            return name

    def close(self) -> None:
        """Release files and locks; safe to call twice."""
        with self._writing, self._switching:
            self._closed, self._may_sweep = True, False
            generation, hold = self._open
            generation.close()
            hold.release()
            self._writer_lock.release()

    def _take_the_right_to_write(self) -> None:
        self._writer_lock.acquire()
        self._may_sweep = True

    def _sweep_now_and_then(self) -> None:
        """Delete what a rebuild had to leave; the cost is one listing of a folder."""
        if not self._may_sweep or self._clock() < self._sweep_at or not self._writing.acquire(blocking=False):
            return
        try:
            if self._may_sweep:
                self._sweep_at = self._clock() + _SWEEP_EVERY_S
                self._generations.sweep()
        finally:
            self._writing.release()

    def _view(self) -> View:
        """The newest state of the serving generation."""
        if self._closed:
            raise IndexUnavailableError("The search index has been closed.", next_step="Open it again.")
        if self._generations.stamp() != self._stamp:
            self._follow()
        return self._open[0].view()

    def _follow(self) -> None:
        """Go over to the generation that serves now."""
        with self._switching:
            stamp = self._generations.stamp()
            if stamp == self._stamp or self._closed:
                return
            generation, hold = self._open
            self._open = _open_current(self._generations, self._signature)
            self._stamp = stamp
            generation.close()
            hold.release()


def rebuild(
    root: Path,
    signature: EncoderSignature,
    records: PassageFeed,
    on_progress: Callable[[int, int], None] | None = None,
) -> str:
    """Build the index below `root` from the records, whatever is there now, and let it serve; gives its name.

    For an index that cannot be opened: damaged, of another encoder (encode the records first), or of
    another version. Open readers follow at their next search. Raises HomeBusyError where another
    process writes.
    """
    generations = Generations(root / NAME)
    with WriterLock(generations.root):
        name = _build(generations, signature, records, on_progress)
        generations.sweep()
    return name


def _build(
    generations: Generations,
    signature: EncoderSignature,
    records: PassageFeed,
    on_progress: Callable[[int, int], None] | None,
) -> str:
    """A generation that holds all of the records, serving; the caller has the right to write."""
    name = generations.reserve()
    hold = generations.hold(name)
    try:
        Generation.create(generations.path(name), signature)
        generation = Generation(generations.path(name), signature)
        try:
            replay(generation.apply, 0, records, on_progress)
        finally:
            generation.close()
        generations.switch(name)
    finally:
        hold.release()
    return name


def _open_current(generations: Generations, signature: EncoderSignature) -> tuple[Generation, Hold]:
    name, hold = generations.hold_current()
    try:
        return Generation(generations.path(name), signature), hold
    except BaseException:
        hold.release()
        raise
