"""What a worker can do: the handlers of all job kinds, and the upkeep between jobs."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Mapping
from functools import cached_property

from core.domain.ids import JobId
from core.encode.base import TextToEncode
from core.errors import GroundworkError, HomeBusyError
from core.index.shared import SharedEngine
from core.ingest.job import INGEST, REINGEST, IngestJob
from core.ingest.pace import Pace
from core.ingest.pipeline import Pipeline
from core.ingest.workers import ParsePool
from core.jobs import queue
from core.jobs.base import JobContext, JobHandler
from core.jobs.lead import Lead
from core.records.backup import sweep_leftovers
from core.workbench.wiring import Parts

REINDEX = "reindex"
_PASSAGES_READ = 2_000
_AFTER_AN_ERROR_S = 30.0
_SWEEP_EVERY_S = 3600.0
_LEAD_WITHIN_S = 20.0  # longer than the lease of a dead worker


class Handlers:
    """The handlers of one worker; nothing is loaded before the job that needs it."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts
        self._lead = Lead(parts.records)
        self._upkeep_at = 0.0
        self._sweep_at = 0.0
        parts.on_close(self._lead.close)

    def make(self) -> Mapping[str, JobHandler]:
        """A handler for each kind of job."""
        ingest = _Ingest(self._parts, self._lead)
        return {INGEST: ingest, REINGEST: ingest, REINDEX: ReindexJob(self._parts, self._lead)}

    def withheld(self) -> Collection[str]:
        """The kinds of jobs that only the worker with the lead may take: it alone writes the index."""
        return () if self._lead.take() else (REINDEX,)

    def upkeep(self) -> None:
        """Bring the index up to the records: after a kill, and after documents were removed elsewhere.

        Only the worker with the lead does. Now and then also delete originals that a killed ingest kept but
        never published and what a killed backup left, and have an index rebuilt that holds mostly replaced
        passages. What hinders it (a full disk, vectors of another encoder) is raised once, then left for a
        while.
        """
        if time.monotonic() < self._upkeep_at or not self._lead.take():
            return
        try:
            self._parts.repair()
            if time.monotonic() >= self._sweep_at:
                self._sweep_at = time.monotonic() + _SWEEP_EVERY_S
                self._parts.records.blobs.remove_unreferenced()
                sweep_leftovers(self._parts.settings.home)
                if self._parts.engine.is_mostly_dead():
                    queue.submit(self._parts.records, REINDEX, "Search index, compacted", {})
        except HomeBusyError:
            return  # another process is writing that very change
        except GroundworkError:
            self._upkeep_at = time.monotonic() + _AFTER_AN_ERROR_S
            raise


class _Ingest:
    """The ingest handler, made with its encoder and engine when the first such job comes."""

    def __init__(self, parts: Parts, lead: Lead) -> None:
        self._parts = parts
        self._lead = lead

    @cached_property
    def _job(self) -> IngestJob:
        parts = self._parts
        pool = ParsePool(parts.settings)
        parts.on_close(pool.close)
        pool.warm()  # while the encoder is loaded
        engine = SharedEngine(parts.engine, parts.records, self._lead)
        pipeline = Pipeline(parts.records, parts.batch_encoder, engine, parts.settings, pool)
        parts.on_close(pipeline.close)
        return IngestJob(parts.records, parts.settings, pipeline)

    def prepare(self, context: JobContext) -> None:
        """See JobHandler."""
        self._job.prepare(context)

    def work(self, context: JobContext) -> bool:
        """See JobHandler."""
        return self._job.work(context)


class ReindexJob:
    """Encodes again what another encoder made, then builds the index beside the old one and switches."""

    def __init__(self, parts: Parts, lead: Lead) -> None:
        self._parts = parts
        self._lead = lead

    def prepare(self, context: JobContext) -> None:
        """Nothing: it has no items."""

    def work(self, context: JobContext) -> bool:
        """All of it in one slice; a repeated one starts over where vectors were still being replaced."""
        report = self._reporter(context)
        self._require_lead()
        if self._parts.records.passages.encoder_signature() != self._parts.signature:
            self._encode_again(report)
        self._parts.rebuild_index(report)
        return False

    def _require_lead(self) -> None:
        deadline = time.monotonic() + _LEAD_WITHIN_S
        while not self._lead.take():
            if time.monotonic() > deadline:
                raise HomeBusyError(
                    f"Another process writes the search index ({self._lead.holder()}).",
                    next_step="Resume this job; a worker that may write the index takes it.",
                )
            time.sleep(0.2)

    def _encode_again(self, report: Callable[[int, int], None]) -> None:
        records, encoder = self._parts.records, self._parts.batch_encoder
        total, done, pace = records.passages.count(), 0, Pace()
        records.passages.set_encoder_signature(None)  # until the end the vectors are of two encoders
        for rows in records.passages.iterate(batch=_PASSAGES_READ):
            rest = [row.stored for row in rows]
            while rest:
                report(done, max(done, total))
                chosen, rest = rest[: pace.size], rest[pace.size :]
                began = time.perf_counter()
                encoded = encoder.encode_passages(
                    [TextToEncode(item.passage.text, item.passage.sentences) for item in chosen]
                )
                pace.note(len(chosen), time.perf_counter() - began)
                records.passages.replace_vectors(
                    [(item.id, one.vector, one.sentences) for item, one in zip(chosen, encoded, strict=True)]
                )
                done += len(chosen)
        records.passages.set_encoder_signature(self._parts.signature)

    def _reporter(self, context: JobContext) -> Callable[[int, int], None]:
        job: JobId = context.order.id

        def report(done: int, total: int) -> None:
            context.check()
            self._parts.records.jobs.progress(job, done, total)

        return report
