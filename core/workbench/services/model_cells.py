"""Uncertain cells read by a language model: what it costs, having it done, and how right it was."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass, field

from core.config.fields import FieldDefinition
from core.config.models import LlmSettings
from core.domain.fields import CellStatus
from core.domain.ids import DocumentId, JobId
from core.domain.job import Job
from core.domain.llm.cells import BATCH_SHARE, CellReadingEstimate, CellReadingTally, ModelSample
from core.domain.matrix import CellDispute, WorkItem
from core.domain.trust.permission import Action
from core.errors import UsageError
from core.jobs import queue
from core.jobs.kinds import READ_CELLS
from core.workbench.recorded import recorded
from core.workbench.services.base import Service

_MEASURED_DOCUMENTS = 12
"""Documents of which every prompt is made for an estimate: the others take as much."""


@dataclass(frozen=True, slots=True)
class ModelCellOffer:
    """Cells of a bucket, as far as a model is concerned.

    model: that would read; "" where none is configured. uncertain: cells that nobody decided. job: the newest
    that reads some, of any bucket while it runs and of this one then, with what came of it. asked: how many
    cells waited when it was made. by_model: cells of the bucket that rest on a model. contradicted: cells
    that the model read otherwise than extraction decided. reads_new: new documents are read by it, too.
    """

    model: str
    uncertain: int
    by_model: int
    sample: ModelSample
    contradicted: int = 0
    job: Job | None = None
    tally: CellReadingTally = field(default_factory=CellReadingTally)
    asked: int = 0
    reads_new: bool = False


class ModelCellService(Service):
    """Cells read by a model: begun by who may configure, the sample seen by whoever may see the matrix."""

    def offer(self, bucket: str | None = None) -> ModelCellOffer:
        """What a page shows of it."""
        records, settings = self._parts.records, self._parts.models_of_home.settings
        counts = records.fields.counts(self._visible, bucket, None, asking=self._asking(bucket))
        uncertain = sum(
            each.statuses.get(CellStatus.UNCERTAIN, 0) - each.pending - each.check_again
            for each in counts.values()
        )
        job = self._newest() if self._door.may(Action.CONFIGURE) else None
        if job is not None and job.state.is_ended and self._bucket_of(job) not in (None, bucket):
            job = None
        return ModelCellOffer(
            model=settings.reading_model if settings.is_configured else "",
            uncertain=uncertain,
            by_model=sum(records.model_readings.counts(self._visible, bucket).values()),
            sample=self.sample(bucket),
            contradicted=len(self.contradictions(bucket)),
            reads_new=bucket in records.documents.read_by_model(),
            job=job,
            tally=CellReadingTally() if job is None else records.model_readings.tally(job.id),
            asked=0 if job is None else self.asked(job.id),
        )

    def estimate(
        self,
        bucket: str | None = None,
        fields: Collection[str] | None = None,
        *,
        with_decided: bool = False,
    ) -> CellReadingEstimate:
        """Cost of having them read; nothing is sent. Blocks for some seconds in a large bucket.

        with_decided: also cells that extraction decided, which the model then confirms or contradicts.

        Raises RefusedError; UsageError for an unknown field, and where no model is configured.
        """
        from core.extract.model.calls import CallSize, cost_of, seconds_of, size_of_calls
        from core.extract.model.waiting import sequence_of_calls, waiting

        settings = self._require()
        self._require_fields(fields)
        parts = self._parts
        definitions = parts.definitions()
        found = waiting(
            parts.records,
            definitions,
            settings,
            bucket=bucket,
            fields=fields,
            visible=self._visible,
            with_decided=with_decided,
        )
        asked = [each for each in found if each.cells]
        cells = sum(len(each.cells) for each in asked)
        step = max(1, -(-len(asked) // _MEASURED_DOCUMENTS))
        measured = asked[::step]
        size = CallSize(0, 0, 0)
        if measured:
            calls = sequence_of_calls(parts.records, definitions, settings, measured)
            size = size_of_calls(calls).scaled(len(asked) / len(measured))
        return CellReadingEstimate(
            model=settings.reading_model,
            cells=cells,
            kept=sum(len(each.kept) for each in found),
            asked_before=sum(each.in_vain for each in found),
            documents=sum(bool(each.cells or each.kept) for each in found),
            calls=size.calls,
            prompt_tokens=size.prompt,
            completion_tokens=size.completion,
            cost_usd=_halved(cost_of(size, settings)) if settings.batch else cost_of(size, settings),
            is_batch=settings.batch,
            seconds=seconds_of(size, settings),
            day_tokens_left=max(0, settings.tokens_per_day - parts.records.model_calls.day_tokens()),
            is_exact=step == 1,
            with_decided=with_decided,
        )

    @recorded("cell.read_new_by_model", "bucket", "is_on")
    def read_new(self, bucket: str, is_on: bool) -> None:
        """Have the model read what extraction leaves uncertain of new documents of a bucket, from now on.

        Raises RefusedError, NotFoundError; UsageError where no model is configured.
        """
        if is_on:
            self._require()
        self._permit(Action.CONFIGURE, "have cells read by a model")
        self._parts.records.documents.set_read_by_model(bucket, is_on)

    @recorded("cell.read_by_model", "bucket", "fields")
    def start(
        self,
        bucket: str | None = None,
        fields: Collection[str] | None = None,
        *,
        with_decided: bool = False,
    ) -> JobId:
        """Have them read, as a job; one that is at work already is given instead.

        Raises RefusedError; UsageError where no model is configured, or nothing waits.
        """
        from core.extract.model.reader import ReadCellsPayload
        from core.extract.model.waiting import waiting

        settings = self._require()
        self._require_fields(fields)
        running = self._newest()
        if running is not None and not running.state.is_ended:
            return running.id
        records = self._parts.records
        found = waiting(
            records,
            self._parts.definitions(),
            settings,
            bucket=bucket,
            fields=fields,
            visible=self._visible,
            with_decided=with_decided,
        )
        cells = sum(len(each.cells) + len(each.kept) for each in found)
        if not cells:
            raise UsageError(
                "No uncertain cell waits to be read by the model.",
                next_step="Choose another bucket or field; what it could not settle is not asked again.",
            )
        payload = ReadCellsPayload(
            bucket=bucket,
            fields=None if fields is None else tuple(sorted(fields)),
            cells=cells,
            with_decided=with_decided,
        )
        where = f" of {bucket}" if bucket else ""
        kind = "" if with_decided else "uncertain "
        title = f"{cells:,} {kind}cell{'' if cells == 1 else 's'}{where}, read by a model"
        return queue.submit(
            records, READ_CELLS, title, payload.model_dump(mode="json"), user=self._principal.user
        )

    @recorded("cell.read_by_model", "bucket", "fields")
    def read(
        self,
        bucket: str | None = None,
        fields: Collection[str] | None = None,
        *,
        with_decided: bool = False,
        on_progress: Callable[[Job], None] | None = None,
    ) -> Job:
        """The same, and wait for the end; the worker does it where one runs. Gives the ended job."""
        return self._writing.complete(self.start(bucket, fields, with_decided=with_decided), on_progress)

    def contradictions(
        self,
        bucket: str | None = None,
        fields: Collection[str] | None = None,
        document: DocumentId | None = None,
    ) -> list[CellDispute]:
        """Cells that extraction and the model decided differently and no person has, the surest first.

        Some hundreds at most: the next ones follow when these are decided.
        """
        from core.extract.model.reader import in_dispute

        found = self._parts.records.model_readings.contradictions(self._visible, bucket, fields, document)
        return [each for each in found if in_dispute(each.extraction, each.model)]

    def of_before(self, schema: str, definition: FieldDefinition) -> int:
        """Number of cells that a model read while the field was defined otherwise: it is asked again."""
        from core.extract.model.waiting import is_of_before

        known = self._parts.records.model_readings.bases(self._visible, definition.name)
        return sum(each.cells for each in known if each.schema == schema and is_of_before(each, definition))

    def tally(self, job: JobId) -> CellReadingTally:
        """What came of a job so far. Raises RefusedError."""
        self._permit(Action.CONFIGURE, "see jobs")
        return self._parts.records.model_readings.tally(job)

    def asked(self, job: JobId) -> int:
        """How many cells waited when a job was made. Raises RefusedError, NotFoundError."""
        self._permit(Action.CONFIGURE, "see jobs")
        return int(self._parts.records.jobs.order(job).payload.get("cells", 0))

    def sample(self, bucket: str | None = None, fields: Collection[str] | None = None) -> ModelSample:
        """How right reviewers found the sample of the cells that rest on a model."""
        return self._parts.records.model_readings.sample(self._visible, bucket, fields)

    def sample_items(
        self, bucket: str | None = None, fields: Collection[str] | None = None
    ) -> list[WorkItem]:
        """Cells of the sample that wait for a person."""
        return self._parts.records.model_readings.sample_items(self._visible, bucket, fields)

    def _require(self) -> LlmSettings:
        self._permit(Action.CONFIGURE, "have cells read by a model")
        return self._parts.models_of_home.require()

    def _bucket_of(self, job: Job) -> str | None:
        found = self._parts.records.jobs.order(job.id).payload.get("bucket")
        return None if found is None else str(found)

    def _newest(self) -> Job | None:
        jobs = self._parts.records.jobs.list(limit=50)
        return next((job for job in jobs if job.kind == READ_CELLS), None)


def _halved(cost_usd: float | None) -> float | None:
    return None if cost_usd is None else BATCH_SHARE * cost_usd
