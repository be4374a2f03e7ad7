"""The embedded engine: BM25 by tantivy and exact vectors by numpy, in files below the home folder."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from core.domain.ids import PassageId
from core.domain.passage import Vector
from core.domain.upkeep import IndexFacts, RepairReport
from core.encode.base import EncoderSignature
from core.errors import IndexUnavailableError
from core.index.base import (
    EngineHit,
    EngineStatus,
    Filter,
    IndexBatch,
    Mode,
    SearchRequest,
    TermFrequencies,
    check_query,
)
from core.index.embedded.generation import Generation, View
from core.index.embedded.keyword import KeywordQuery
from core.index.embedded.rows import RowView
from core.index.fuse import COSINE_DIGITS, KEYWORD_DIGITS, ScoredPassage, fuse
from core.index.rebuildable import OnProgress
from core.index.sync import PassageFeed, replay
from core.index.version import Generations, Hold, WriterLock

_DOCUMENTS_AT_ONCE = 100
COUNTED_EXACTLY = 20_000
"""Passages of a term whose access is looked at one by one; words of more are words of the language."""
# Below this share of rows, reading only the admitted rows beats multiplying the whole matrix.
_GATHER_BELOW = 0.25
# Where fewer rows than this are admitted, their documents are named to tantivy; otherwise more of its
# list is read and the rest dropped, which costs less (6 ms for all of 50,000 rows against 64 ms for
# naming 50,000 documents).
_NAME_DOCUMENTS_BELOW = 1_000
_Ranked = tuple[NDArray[np.int64], NDArray[np.float64]]
_EMPTY: _Ranked = (np.empty(0, np.int64), np.empty(0, np.float64))
NAME = "embedded"
_DEAD_ROWS_TOLERATED = 10_000
_SWEEP_EVERY_S = 10.0


def compare(rows: RowView, records: PassageFeed, on_progress: OnProgress | None = None) -> RepairReport:
    """Passages that are missing, too much, or kept with another vector ("lost"); nothing is repaired.

    Documents that changed after the rows were written are left to `catch_up`.
    """
    places: dict[int, int] = {}
    for row in np.flatnonzero(rows.select(Filter())).tolist():
        places[int(rows.passages[row])] = row
    every = records.changes.since(0).documents
    late = records.changes.since(rows.state.sequence).documents
    documents = sorted(every - late)
    checked = missing = lost = 0
    for start in range(0, len(documents), _DOCUMENTS_AT_ONCE):
        group = documents[start : start + _DOCUMENTS_AT_ONCE]
        found = [(one, places.pop(one.stored.id, None)) for one in records.passages.of_documents(group)]
        checked += len(found)
        missing += sum(row is None for _, row in found)
        lost += sum(
            row is not None and not np.array_equal(rows.matrix[row], np.asarray(one.vector, np.float32))
            for one, row in found
        )
        if on_progress is not None:
            on_progress(start + len(group), len(documents))
    late = records.changes.since(rows.state.sequence).documents  # also those that changed meanwhile
    surplus = sum(rows.document(row) not in late for row in places.values())
    return RepairReport(checked, missing, lost, surplus, repaired=0)


def frequencies(view: View, terms: Sequence[str], within: Filter | None) -> TermFrequencies:
    """In how many passages each term stands, of how many; within: of those that this filter admits."""
    rows, reader = view.rows, view.reader
    counts = {term: reader.count(term) for term in dict.fromkeys(terms)}
    if within is None:
        return TermFrequencies(rows.alive_count, counts)
    mask = rows.select(within.settled(rows.state.sequence))
    admitted = int(mask.sum())
    share = admitted / max(rows.alive_count, 1)
    seen = {
        term: round(count * share)
        if count > COUNTED_EXACTLY
        else int(mask[reader.rows_of(term, count)].sum())
        for term, count in counts.items()
    }
    return TermFrequencies(admitted, seen)


def search(view: View, request: SearchRequest) -> list[EngineHit]:
    """At most top_k hits of a view, best first, ties by passage id."""
    check_query(request, view.rows.matrix.shape[1])
    if request.top_k < 1:
        return []
    mask = _admitted(view.rows, request.filter.settled(view.rows.state.sequence))
    keyword = _EMPTY if request.mode is Mode.SEMANTIC else _keyword_list(view, request, mask)
    if request.mode is Mode.KEYWORD:
        return _plain(view.rows, keyword, is_keyword=True)
    query = np.ascontiguousarray(request.vector, np.float32)
    vector = _vector_list(view.rows, query, mask, request.depth)
    if request.mode is Mode.SEMANTIC:
        return _plain(view.rows, vector, is_keyword=False)
    return _fused(view.rows, keyword, vector, query, request)


def _admitted(rows: RowView, wanted: Filter) -> NDArray[np.bool_] | None:
    """Mask of the rows that may be ranked; None where all may."""
    if wanted == Filter() and rows.alive_count == len(rows.alive):
        return None
    mask = rows.alive if wanted == Filter() else rows.select(wanted)
    return None if mask.all() else mask


def _keyword_list(view: View, request: SearchRequest, mask: NDArray[np.bool_] | None) -> _Ranked:
    """The best admitted rows by BM25; exact, since it reads on until `depth` of them are certain."""
    rows, depth = view.rows, request.depth
    total = len(rows.alive)
    admitted = total if mask is None else int(mask.sum())
    if admitted == 0:
        return _EMPTY
    documents = None
    share = admitted / max(rows.alive_count, 1)
    if mask is not None and admitted < _NAME_DOCUMENTS_BELOW and share < 1.0:
        documents, share = tuple(rows.documents_of(mask)), 1.0
    query = KeywordQuery(request.terms, request.phrases, documents)
    limit = min(total, int((depth + 20) / share * 1.25)) + 1
    while True:
        found = view.reader.search(query, limit)
        scores = np.round(found.scores, KEYWORD_DIGITS)
        kept = slice(None) if mask is None else mask[found.rows]
        ranked, ranked_scores = found.rows[kept], scores[kept]
        certain = len(ranked) >= depth and scores[-1] < ranked_scores[depth - 1]
        if found.exhausted or certain:
            return _ordered(rows, ranked, ranked_scores, depth)
        limit = min(total + 1, limit * 4)


def _vector_list(rows: RowView, query: Vector, mask: NDArray[np.bool_] | None, depth: int) -> _Ranked:
    """The nearest admitted rows by cosine; exact. Nothing for a zero query, which is near to nothing."""
    if not query.any() or len(rows.alive) == 0:
        return _EMPTY
    if mask is None:
        chosen, scores = None, rows.matrix @ query
    else:
        chosen = np.flatnonzero(mask)
        if len(chosen) < _GATHER_BELOW * len(mask):
            scores = rows.matrix[chosen] @ query
        else:
            scores = (rows.matrix @ query)[chosen]
    if len(scores) > depth:
        lowest = np.partition(scores, len(scores) - depth)[len(scores) - depth]
        near = np.flatnonzero(scores >= lowest - 10.0**-COSINE_DIGITS)
    else:
        near = np.arange(len(scores))
    picked = near if chosen is None else chosen[near]
    return _ordered(rows, picked, scores[near].astype(np.float64).round(COSINE_DIGITS), depth)


def _ordered(rows: RowView, found: NDArray[np.int64], scores: NDArray[np.float64], depth: int) -> _Ranked:
    order = np.lexsort((rows.passages[found], -scores))[:depth]
    return found[order], scores[order]


def _plain(rows: RowView, ranked: _Ranked, *, is_keyword: bool) -> list[EngineHit]:
    """Hits of a single list, scored by it."""
    return [
        EngineHit(
            passage=PassageId(int(rows.passages[row])),
            document=rows.document(row),
            score=score,
            keyword=score if is_keyword else None,
            cosine=None if is_keyword else score,
        )
        for row, score in zip(ranked[0].tolist(), ranked[1].tolist(), strict=True)
    ]


def _fused(
    rows: RowView, keyword: _Ranked, vector: _Ranked, query: Vector, request: SearchRequest
) -> list[EngineHit]:
    """Hits of both lists; each carries its exact cosine, also where it came by keyword alone."""
    fused = fuse(_scored(rows, keyword), _scored(rows, vector), request.alpha)[: request.top_k]
    found = np.concatenate([keyword[0], vector[0]]).tolist()
    row_of = dict(zip(rows.passages[found].tolist(), found, strict=True)) if found else {}
    cosines = rows.matrix[np.array([row_of[hit.passage] for hit in fused], np.int64)] @ query
    return [
        EngineHit(
            passage=hit.passage,
            document=rows.document(row_of[hit.passage]),
            score=hit.score,
            keyword=hit.keyword,
            cosine=hit.cosine if hit.cosine is not None else round(float(cosine), COSINE_DIGITS),
        )
        for hit, cosine in zip(fused, cosines, strict=True)
    ]


def _scored(rows: RowView, ranked: _Ranked) -> list[ScoredPassage]:
    passages = rows.passages[ranked[0]].tolist()
    return [ScoredPassage(PassageId(p), score) for p, score in zip(passages, ranked[1].tolist(), strict=True)]


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
