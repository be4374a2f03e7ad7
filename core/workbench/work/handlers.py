"""Handlers of all job kinds that a worker can do, and the upkeep between jobs."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Collection, Mapping
from functools import cached_property
from typing import TYPE_CHECKING

from core.domain.ids import CrawlId
from core.errors import GroundworkError, HomeBusyError
from core.extract.jobs.job import ExtractJob, IngestExtraction
from core.index.sync import SharedEngine, catch_up
from core.ingest.crawl.intake import PageIntake
from core.ingest.crawl.job import CrawlJob
from core.ingest.crawl.process import CrawlerProcess
from core.ingest.job import INGEST, REINGEST, IngestJob
from core.ingest.parse_pool import ParsePool
from core.ingest.pipeline import Pipeline
from core.jobs import queue
from core.jobs.base import JobContext, JobHandler
from core.jobs.kinds import CRAWL, EXTRACT, INSTALL, LEARN, OCR, READ_CELLS, RETRAIN
from core.jobs.ownership import Leader
from core.records.backup import sweep_leftovers
from core.workbench.wiring import Parts
from core.workbench.work.audit_upkeep import AuditUpkeep
from core.workbench.work.back_fill import BackFill
from core.workbench.work.crawl_runs import CrawlSchedules
from core.workbench.work.extra_jobs import InstallJob
from core.workbench.work.field_learning import FieldLearning
from core.workbench.work.index_jobs import REINDEX, REPAIR, Outages, ReindexJob, RepairJob
from core.workbench.work.scan_jobs import OcrHandler, ScanReading

if TYPE_CHECKING:
    from core.extract.jobs.retrain_job import RetrainJob
    from core.extract.jobs.word_learning import LearnJob
    from core.extract.model.job import ReadCellsJob

_AFTER_AN_ERROR_S = 30.0
_SWEEP_EVERY_S = 3600.0


class Handlers:
    """The handlers of one worker; nothing is loaded before the job that needs it."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts
        self._lead = Leader(parts.records)
        self._outages = Outages(parts)
        self._back_fill = BackFill(parts)
        self._scans = ScanReading(parts)
        self._field_learning = FieldLearning(parts)
        self._schedules = CrawlSchedules(parts.records)
        self._upkeep_at = 0.0
        self._audit = AuditUpkeep(parts.records, parts.settings)
        self._sweep_at = 0.0
        parts.on_close(self._lead.close)

    def make(self) -> Mapping[str, JobHandler]:
        """A handler for each kind of job."""
        ingest = _Ingest(self._parts, self._lead)
        return {
            INGEST: ingest,
            REINGEST: ingest,
            REINDEX: ReindexJob(self._parts, self._lead),
            REPAIR: RepairJob(self._parts, self._lead),
            EXTRACT: _Extract(self._parts, self._lead),
            RETRAIN: _Retrain(self._parts),
            LEARN: _Learn(self._parts),
            READ_CELLS: _ReadCells(self._parts),
            CRAWL: _Crawl(self._parts, self._lead, ingest),
            OCR: OcrHandler(self._parts, ingest),
            INSTALL: InstallJob(self._parts.records, self._parts.settings.home),
        }

    def withheld(self) -> Collection[str]:
        """The kinds of jobs that only the worker with the lead may take: it alone writes the index."""
        return () if self._lead.take() else (REINDEX, REPAIR)

    def upkeep(self) -> None:
        """Bring the index up to the records: after a kill, and after documents were removed elsewhere.

        Only the worker with the lead does. Now and then also delete originals that a killed ingest kept but
        never published and what a killed backup left, and have an index rebuilt that holds mostly replaced
        passages. A search server that was started again is checked by a job, documents that lack cells are
        filled by one, crawls whose time has come are queued. What hinders it (a full disk, vectors of another
        encoder) is raised once, then left for a while.
        """
        if time.monotonic() < self._upkeep_at or not self._lead.take():
            return
        try:
            self._parts.catch_up()
            self._parts.fact_engines.repair()
            self._outages.look()
            self._back_fill.look()
            self._scans.look()
            self._field_learning.look()
            self._schedules.look()
            self._audit.look()
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

    def __init__(self, parts: Parts, lead: Leader) -> None:
        self._parts = parts
        self._lead = lead

    @cached_property
    def engine(self) -> SharedEngine:
        """The search engine that documents are written to."""
        return SharedEngine(self._parts.engine, self._parts.records, self._lead)

    @cached_property
    def pipeline(self) -> Pipeline:
        """The pipeline; of the jobs that use it one at a time has its turn."""
        parts = self._parts
        pool = ParsePool(parts.settings)
        parts.on_close(pool.close)
        pool.warm()  # while the encoder is loaded
        pipeline = Pipeline(parts.records, parts.batch_encoder, self.engine, parts.settings, pool)
        parts.on_close(pipeline.close)
        return pipeline

    @cached_property
    def extraction(self) -> IngestExtraction:
        """Extraction of what was published."""
        return IngestExtraction(self._parts.records, self._parts.extractions)

    @cached_property
    def _job(self) -> IngestJob:
        parts = self._parts
        return IngestJob(parts.records, parts.settings, self.pipeline, self.extraction)

    def prepare(self, context: JobContext) -> None:
        """See JobHandler."""
        self._job.prepare(context)

    def work(self, context: JobContext) -> bool:
        """See JobHandler."""
        return _then_index(self._parts, self._lead, self._job.work(context))


class _Crawl:
    """The handler of crawls; it shares the pipeline of files."""

    def __init__(self, parts: Parts, lead: Leader, ingest: _Ingest) -> None:
        self._parts = parts
        self._lead = lead
        self._ingest = ingest
        self._job = CrawlJob(parts.records, self._start, lambda: self._intake)
        parts.on_close(self._job.close)

    def prepare(self, context: JobContext) -> None:
        """See JobHandler."""
        self._job.prepare(context)

    def work(self, context: JobContext) -> bool:
        """See JobHandler."""
        return _then_index(self._parts, self._lead, self._job.work(context))

    @cached_property
    def _intake(self) -> PageIntake:
        records, engine = self._parts.records, self._ingest.engine
        pipeline, extraction = self._ingest.pipeline, self._ingest.extraction
        return PageIntake(records, pipeline, extraction, lambda: catch_up(engine, records))

    def _start(self, crawl: CrawlId, runner: str) -> CrawlerProcess:
        settings = self._parts.settings
        secrets = [each.get_secret_value() for each in settings.crawl.credentials.values()]
        return CrawlerProcess(settings.home, crawl, runner, secrets)


class _Extract:
    """The extraction handler; when a job ends, its facts can be searched."""

    def __init__(self, parts: Parts, lead: Leader) -> None:
        self._parts = parts
        self._lead = lead
        self._job = ExtractJob(parts.records, parts.extractions)

    def prepare(self, context: JobContext) -> None:
        """See JobHandler."""
        self._job.prepare(context)

    def work(self, context: JobContext) -> bool:
        """See JobHandler."""
        return _then_index(self._parts, self._lead, self._job.work(context))


class _Retrain:
    """The retraining handler; what it needs is imported when the first such job comes."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts

    @cached_property
    def _job(self) -> RetrainJob:
        from core.extract.jobs.retrain_job import RetrainJob

        return RetrainJob(self._parts.records, self._parts.definitions)

    def prepare(self, context: JobContext) -> None:
        """See JobHandler."""
        self._job.prepare(context)

    def work(self, context: JobContext) -> bool:
        """See JobHandler."""
        return self._job.work(context)


class _Learn:
    """The handler that learns fields in words; what it needs is imported when the first such job comes."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts

    @cached_property
    def _job(self) -> LearnJob:
        from core.extract.jobs.word_learning import LearnJob

        parts = self._parts
        return LearnJob(parts.records, parts.definitions, parts.query_encoder.encode_queries)

    def prepare(self, context: JobContext) -> None:
        """See JobHandler."""
        self._job.prepare(context)

    def work(self, context: JobContext) -> bool:
        """See JobHandler."""
        return self._job.work(context)


class _ReadCells:
    """The handler that has cells read by a model; what it needs is imported when the first such job comes."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts

    @cached_property
    def _job(self) -> ReadCellsJob:
        from core.extract.model.job import ReadCellsJob

        parts = self._parts
        return ReadCellsJob(
            parts.records,
            parts.definitions,
            parts.models_of_home,
            lambda: parts.field_words,
        )

    def prepare(self, context: JobContext) -> None:
        """See JobHandler."""
        self._job.prepare(context)

    def work(self, context: JobContext) -> bool:
        """See JobHandler."""
        return self._job.work(context)


def _then_index(parts: Parts, lead: Leader, is_more: bool) -> bool:
    """Before a job ends, bring the collections of facts up to date; a worker without the lead leaves it."""
    if not is_more and lead.take():
        with contextlib.suppress(GroundworkError):  # the upkeep tries again, and says what hinders it
            parts.fact_engines.repair()
    return is_more
