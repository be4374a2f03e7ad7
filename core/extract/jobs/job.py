"""Extraction as a durable job: documents that lack cells, or that were extracted by older definitions."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterable

from pydantic import BaseModel, ConfigDict, Field

from core.domain.document import IngestOutcome
from core.domain.ids import DocumentId, JobId
from core.domain.job import CurrentItem, IngestItem
from core.errors import ChildStartError
from core.extract.jobs.service import Extractions, Filled, Only
from core.jobs.base import JobContext
from core.records.base import NewItem
from core.records.database.visibility import Visibility
from core.records.store import Records

_log = logging.getLogger(__name__)
_NOTE_EVERY_S = 0.5


class _Frozen(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class ExtractPayload(_Frozen):
    """What an extraction job is asked to do. bucket: None for all.

    fields: documents are also extracted that lack a cell of one of these. again: also those that lack none.
    before, only, after: what was extracted as these fingerprints of buckets say needs these fields alone,
    while the definitions are those of `after`. of: the one schema that was changed; what was read by another
    one is up to date as it is.
    """

    bucket: str | None = None
    fields: tuple[str, ...] = ()
    documents: tuple[str, ...] | None = None
    again: bool = False
    before: dict[str, str] = Field(default_factory=dict)
    only: tuple[str, ...] = ()
    after: dict[str, str] = Field(default_factory=dict)
    of: str = ""


class _Item(_Frozen):
    """What an item of the job holds."""

    document: str
    fields: tuple[str, ...] | None = None
    fingerprint: str = ""
    schema_name: str = ""

    @property
    def only(self) -> Only | None:
        if self.fields is None:
            return None
        return Only(self.fields, self.fingerprint, self.schema_name)


class ExtractJob:
    """The handler of the job kind `extract`. One slice at a time."""

    def __init__(self, records: Records, extractions: Extractions) -> None:
        self._records = records
        self._extractions = extractions

    def prepare(self, context: JobContext) -> None:
        """Write the job's items in one transaction, unless an earlier attempt did."""
        job = context.order.id
        if self._records.jobs.get(job).total:
            return
        payload = ExtractPayload.model_validate(context.order.payload)
        self._pass_over(payload, context)
        documents = self._wanted(payload)
        known = self._records.documents.get_many(documents, Visibility.everything())
        restricted = self._restricted(payload)
        items = [restricted.get(each) or _Item(document=each) for each in documents]
        self._records.jobs.add_items(
            job,
            [
                NewItem(found.source, found.bucket, item.model_dump())
                for item in items
                if (found := known.get(DocumentId(item.document))) is not None
            ],
        )

    def work(self, context: JobContext) -> bool:
        """Extract pending documents until none is left or the slice has lasted long enough."""
        job = context.order.id
        pending = {
            DocumentId(item.document): (ordinal, item)
            for ordinal, item in (
                (each.ordinal, _Item.model_validate(each.payload)) for each in self._records.jobs.pending(job)
            )
        }
        if not pending:
            return False
        only = {document: item.only for document, (_, item) in pending.items() if item.only is not None}
        with Noting(self._records, job) as noting:
            self._extractions.fill(
                pending,
                lambda filled: noting.note(pending[filled.document][0], item_of(filled)),
                context,
                only=only,
            )
        return bool(self._records.jobs.pending(job))

    def _pass_over(self, payload: ExtractPayload, context: JobContext) -> None:
        """Note of documents that a change of one schema does not concern that they are up to date."""
        if not payload.of:
            return
        definitions = self._extractions.definitions()
        for bucket, before in payload.before.items():
            now = definitions.fingerprint(bucket)
            if now != payload.after.get(bucket):
                continue  # changed once more
            old = frozenset(self._records.fields.lacking(bucket, before))
            for document, schema in self._extractions.schemas(bucket).items():
                if document not in old and (schema != payload.of or not payload.only):
                    context.check()
                    self._extractions.keep_as_it_is(document, schema, now)

    def _restricted(self, payload: ExtractPayload) -> dict[DocumentId, _Item]:
        """The documents of which some fields suffice: they were up to date before a schema was changed."""
        found: dict[DocumentId, _Item] = {}
        for bucket, before in payload.before.items():
            old = frozenset(self._records.fields.lacking(bucket, before))
            for document, schema in self._extractions.schemas(bucket).items():
                if document not in old:
                    found[document] = _Item(
                        document=document,
                        fields=payload.only,
                        fingerprint=payload.after.get(bucket, ""),
                        schema_name=schema,
                    )
        return found

    def _wanted(self, payload: ExtractPayload) -> list[DocumentId]:
        given = None if payload.documents is None else [DocumentId(each) for each in payload.documents]
        if payload.again and given is not None:
            return given
        if payload.again:
            return self._extractions.all_of(payload.bucket)
        lacking = self._extractions.lacking(payload.bucket, given)
        for field in payload.fields:
            known = frozenset(lacking)
            without = self._extractions.without_cell(payload.bucket, field)
            lacking += [
                document
                for document in without
                if document not in known and (given is None or document in given)
            ]
        return lacking


class Noting:
    """Notes what came of items a few times a second, and the rest at the end of the `with` statement."""

    def __init__(self, records: Records, job: JobId, clock: Callable[[], float] = time.monotonic) -> None:
        self._records = records
        self._job = job
        self._clock = clock
        self._outcomes: dict[int, IngestItem] = {}
        self._noted_at = 0.0

    def note(self, ordinal: int, item: IngestItem) -> None:
        """Keep what came of an item."""
        self._outcomes[ordinal] = item
        if self._clock() - self._noted_at >= _NOTE_EVERY_S:
            self._flush()

    def __enter__(self) -> Noting:
        return self

    def __exit__(self, *_error: object) -> None:
        self._flush()

    def _flush(self) -> None:
        self._noted_at = self._clock()
        if self._outcomes:
            self._records.jobs.set_items(self._job, self._outcomes)
            self._outcomes = {}


def item_of(filled: Filled) -> IngestItem:
    """What a job's list of inputs says of an extracted document."""
    found = filled.summary
    if found is None:
        source, reason = str(filled.document), filled.reason
        return IngestItem(filled.document, source, source, "", IngestOutcome.UNCHANGED, reason, 0, 0)
    outcome = IngestOutcome.FAILED if filled.reason else IngestOutcome.READY
    if filled.is_unreadable:
        outcome = IngestOutcome.UNREADABLE
    return IngestItem(
        found.id,
        found.source,
        found.title,
        found.bucket,
        outcome,
        filled.reason or (found.reason if filled.is_unreadable else ""),
        found.pages,
        found.passages,
    )


class AfterIngest:
    """Extracts what an ingest job has published, between its slices and before it counts as done.

    In the same job and not in one that follows it: who waits for an ingest finds the cells filled, a killed
    ingest goes on with them, and nothing has to tie two jobs together. A document is searchable before: it
    is published and indexed first.
    """

    def __init__(self, records: Records, extractions: Extractions) -> None:
        self._records = records
        self._extractions = extractions

    def warm(self) -> None:
        """Start an extractor in the background."""
        self._extractions.warm()

    def lacking(self, documents: Iterable[DocumentId]) -> list[DocumentId]:
        """Those of the documents that lack cells."""
        return self._extractions.lacking(documents=documents)

    def fill(self, context: JobContext, documents: list[DocumentId]) -> None:
        """Extract these documents, until they end or the slice has lasted long enough.

        A document that cannot be extracted is no failure of its ingest: its cells say why. Nor is an
        extractor that does not start: the upkeep's own job then says so.
        """
        told_at = 0.0

        def note(filled: Filled) -> None:
            nonlocal told_at
            if time.monotonic() - told_at >= 1.0:
                told_at = time.monotonic()
                title = filled.summary.title if filled.summary is not None else filled.document
                self._records.jobs.set_current(context.order.id, CurrentItem(f"fields of {title}", 0, 0))

        try:
            self._extractions.fill(documents, note, context, with_originals=True)
        except ChildStartError as error:
            _log.warning("%s %s", error.message, error.next_step)

    def close(self) -> None:
        """End the extractors."""
        self._extractions.close()
