"""Handlers of all job kinds that a worker can do, and the upkeep between jobs."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Collection, Mapping
from datetime import UTC, date, datetime, timedelta
from functools import cached_property, partial
from pathlib import Path

from core.config.models import Settings
from core.domain.ids import CrawlId, JobId
from core.domain.job import CurrentItem
from core.domain.principal import SYSTEM
from core.domain.trust.deed import Deed
from core.errors import GroundworkError, HomeBusyError
from core.extract.jobs.job import ExtractJob, IngestExtraction
from core.extract.jobs.word_learning import unlearnt
from core.index.sync import SharedEngine, catch_up
from core.ingest.crawl.intake import PageIntake
from core.ingest.crawl.job import CrawlJob
from core.ingest.crawl.process import CrawlerProcess
from core.ingest.job import IngestJob
from core.ingest.ocr import EXTRA
from core.ingest.parse_pool import ParsePool
from core.ingest.pipeline import Pipeline
from core.jobs import queue
from core.jobs.base import JobContext, JobHandler
from core.jobs.kinds import (
    ASK_AGAIN,
    COMPARE,
    CRAWL,
    DATASETS,
    EVALUATE,
    EXTRACT,
    INGEST,
    INSTALL,
    LEARN,
    OCR,
    READ_CELLS,
    REINGEST,
    RETRAIN,
    VARIANT,
)
from core.jobs.ownership import Leader
from core.processes.extra import Extra, install
from core.store.backup import sweep_leftovers
from core.store.database.visibility import Visibility
from core.store.store import Records
from core.workbench.recorded import AUDIT_HEADS
from core.workbench.wiring import Parts
from core.workbench.work.crawl_runs import CrawlSchedules
from core.workbench.work.index_jobs import REINDEX, REPAIR, Outages, ReindexJob, RepairJob
from core.workbench.work.late_handler import LateHandler
from core.workbench.work.new_reading import FIRST_LOOK_S, NewReading
from core.workbench.work.scan_jobs import ScanReading, ocr_job, scans, submit
from core.workbench.work.variant_jobs import CompareJob, VariantJob, drop_unused
from core.workbench.work.vectors import EngineWithVariants, Followers

_AFTER_AN_ERROR_S = 30.0
_SERVING_EVERY_S = 1.0
_FIRST_SWEEP_S, _SWEEP_EVERY_S = 120.0, 3600.0  # who searched other vectors a moment ago has ended by then


class Handlers:
    """The handlers of one worker; nothing is loaded before the job that needs it."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts
        self._lead = Leader(parts.records)
        self._outages = Outages(parts)
        self._back_fill = BackFill(parts)
        self._scans = ScanReading(parts)
        self._field_learning = FieldLearning(parts)
        self._new_reading = NewReading(parts)
        self._schedules = CrawlSchedules(parts.records)
        self._serving_at, self._is_serving = 0.0, True
        self._upkeep_at = 0.0
        self._audit = AuditUpkeep(parts.records, parts.settings)
        self._sweep_at = time.monotonic() + _FIRST_SWEEP_S
        parts.on_close(self._lead.close)

    def make(self) -> Mapping[str, JobHandler]:
        """A handler for each kind of job."""
        parts, lead = self._parts, self._lead
        ingest = _Ingest(parts, lead)
        return {
            INGEST: ingest,
            REINGEST: ingest,
            REINDEX: ReindexJob(parts, lead),
            REPAIR: RepairJob(parts, lead),
            VARIANT: VariantJob(parts, lead),
            COMPARE: CompareJob(parts),
            EXTRACT: _IndexedHandler(lambda: ExtractJob(parts.records, parts.extractions), parts, lead),
            RETRAIN: LateHandler(self._retrain),
            LEARN: LateHandler(self._learn),
            READ_CELLS: LateHandler(self._read_cells),
            ASK_AGAIN: LateHandler(self._ask_again),
            EVALUATE: _Evaluate(parts),
            DATASETS: LateHandler(self._register),
            CRAWL: _Crawl(parts, lead, ingest),
            OCR: LateHandler(lambda: ocr_job(parts, ingest)),
            INSTALL: InstallJob(parts.records, parts.settings.home),
        }

    def _retrain(self) -> JobHandler:
        from core.extract.jobs.retrain_job import RetrainJob

        return RetrainJob(self._parts.records, self._parts.definitions)

    def _learn(self) -> JobHandler:
        from core.extract.jobs.word_learning import LearnJob

        parts = self._parts
        return LearnJob(parts.records, parts.definitions, parts.query_encoder.encode_queries)

    def _read_cells(self) -> JobHandler:
        from core.extract.model.job import ReadCellsJob

        return ReadCellsJob(self._parts.records, self._parts.definitions, self._parts.models_of_home)

    def _ask_again(self) -> JobHandler:
        from core.workbench.work.ask_again import AskAgainJob

        return AskAgainJob(self._parts)

    def _register(self) -> JobHandler:
        from core.datasets.job import FOLDER, RegisterJob

        return RegisterJob(self._parts.records, self._parts.settings.home / FOLDER)

    def withheld(self) -> Collection[str]:
        """The kinds of jobs that only the worker with the lead may take: it alone writes the index."""
        return () if self._lead.take() else (REINDEX, REPAIR, VARIANT)

    def is_serving(self) -> bool:
        """True while the variant that these write for is the one that serves; looks once a second."""
        if time.monotonic() >= self._serving_at:
            self._serving_at = time.monotonic() + _SERVING_EVERY_S
            self._is_serving = self._parts.is_serving()
        return self._is_serving

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
            self._parts.engines.catch_up()
            self._parts.engines.of_facts.repair()
            self._parts.part(Followers).follow()
            self._outages.look()
            self._back_fill.look()
            self._scans.look()
            self._field_learning.look()
            self._new_reading.look()
            self._schedules.look()
            self._audit.look()
            if time.monotonic() >= self._sweep_at:
                self._sweep_at = time.monotonic() + _SWEEP_EVERY_S
                self._parts.records.blobs.remove_unreferenced()
                sweep_leftovers(self._parts.settings.home)
                drop_unused(self._parts)
                if self._parts.engines.passages.is_mostly_dead():
                    queue.submit(self._parts.records, REINDEX, "Search index, compacted", {})
        except HomeBusyError:
            return  # another process is writing that very change
        except GroundworkError:
            self._upkeep_at = time.monotonic() + _AFTER_AN_ERROR_S
            raise


class _IndexedHandler(LateHandler):
    """Before a job ends the collections of facts come up to date; a worker without the lead leaves it."""

    def __init__(self, make: Callable[[], JobHandler], parts: Parts, lead: Leader) -> None:
        super().__init__(make)
        self._parts = parts
        self._lead = lead

    def work(self, context: JobContext) -> bool:
        """See JobHandler."""
        is_more = super().work(context)
        if not is_more and self._lead.take():
            with contextlib.suppress(GroundworkError):  # the upkeep tries again, and says what hinders it
                self._parts.engines.of_facts.repair()
        return is_more


class _Ingest(_IndexedHandler):
    """The ingest handler, made with its encoder and engine when the first such job comes."""

    def __init__(self, parts: Parts, lead: Leader) -> None:
        def make() -> JobHandler:
            return IngestJob(parts.records, parts.settings, self.pipeline, self.extraction)

        super().__init__(make, parts, lead)

    @cached_property
    def engine(self) -> SharedEngine:
        """The search engine that documents are written to."""
        return EngineWithVariants(self._parts, self._lead)

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


class _Crawl(_IndexedHandler):
    """The handler of crawls; it shares the pipeline of files."""

    def __init__(self, parts: Parts, lead: Leader, ingest: _Ingest) -> None:
        super().__init__(self._make_job, parts, lead)
        self._ingest = ingest

    def _make_job(self) -> JobHandler:
        job = CrawlJob(self._parts.records, self._start, lambda: self._intake)
        self._parts.on_close(job.close)
        return job

    @cached_property
    def _intake(self) -> PageIntake:
        records, engine = self._parts.records, self._ingest.engine
        pipeline, extraction = self._ingest.pipeline, self._ingest.extraction
        return PageIntake(records, pipeline, extraction, lambda: catch_up(engine, records))

    def _start(self, crawl: CrawlId, runner: str) -> CrawlerProcess:
        settings = self._parts.settings
        secrets = [each.get_secret_value() for each in settings.crawl.credentials.values()]
        return CrawlerProcess(settings.home, crawl, runner, secrets)


class _Evaluate(LateHandler):
    """The handler of runs of suites."""

    def __init__(self, parts: Parts) -> None:
        super().__init__(lambda: _evaluate_job(parts))
        self._parts = parts

    def work(self, context: JobContext) -> bool:
        """By the variant that the run names, beside the one that serves."""
        variants, id = self._parts.records.variants, context.order.payload.get("variant")
        if id in (None, self._parts.variant.id):
            return super().work(context)
        with contextlib.closing(self._parts.beside(variants.by_id(id))) as parts:
            return _evaluate_job(parts).work(context)


def _evaluate_job(parts: Parts) -> JobHandler:
    from core.evaluate.job import EvaluateJob
    from core.workbench.work.measured_home import measured_product

    return EvaluateJob(parts.records, partial(measured_product, parts))


class AuditUpkeep:
    """Looks after the log once a day (UTC)."""

    def __init__(self, records: Records, settings: Settings) -> None:
        self._records = records
        self._settings = settings
        self._done: date | None = None

    def look(self, now: datetime | None = None) -> None:
        """Export today's head where it is not yet, then redact what is older than `audit.keep_days`."""
        now = now or datetime.now(UTC)
        if self._done == now.date():
            return
        log, days = self._records.audit_log, self._settings.audit.keep_days
        log.export_head(self._settings.home.joinpath(*AUDIT_HEADS), now)
        if days:
            deed = Deed("", SYSTEM, detail={"reason": f"older than {days} days (audit.keep_days)"})
            log.redact(deed, before=now - timedelta(days=days), now=now)
        self._done = now.date()


Install = Callable[[Extra, Callable[[], None], Callable[[str], None], Path], None]


class InstallJob(JobHandler):
    """The handler of the job kind `install`: all in one slice. Repeated, it installs what is missing."""

    def __init__(self, records: Records, home: Path, install: Install = install) -> None:
        self._records = records
        self._home = home
        self._install = install

    def work(self, context: JobContext) -> bool:
        """Install, then have the scans read that wait, for the one who asked."""
        job, jobs = context.order.id, self._records.jobs
        jobs.progress(job, 0, 1)

        def tell(step: str) -> None:
            jobs.set_current(job, CurrentItem(step, 0, 0))

        self._install(EXTRA, context.check, tell, log_of(self._home, job))
        jobs.progress(job, 1, 1)
        if waiting := scans(self._records):
            submit(self._records, waiting, context.order.user)
        return False


def log_of(home: Path, job: JobId) -> Path:
    """File with all that the installer said in a job."""
    return home / "logs" / f"install-{job}.log"


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


_ASK_EVERY_S = 1.0


class BackFill:
    """Submits an extraction for homes that are older than their fields, and after a kill; for a worker."""

    def __init__(self, parts: Parts, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._parts = parts
        self._clock = clock
        self._look_at = clock() + FIRST_LOOK_S
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
