"""Extraction as a durable job: documents that lack cells, or that were extracted by older definitions."""

from __future__ import annotations

import logging
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, MutableMapping
from types import TracebackType
from typing import Self

from pydantic import Field

from core.domain.document import IngestOutcome
from core.domain.frozen import Frozen
from core.domain.ids import DocumentId, JobId
from core.domain.job import CurrentItem, IngestItem
from core.errors import ChildStartError
from core.extract.jobs.service import Extractions, Filled, Only, OpeningQueue
from core.jobs.base import Control, JobContext, JobInterrupted
from core.store.base import JobItem
from core.store.database.visibility import Visibility
from core.store.store import Records

_log = logging.getLogger(__name__)
_NOTE_EVERY_S = 0.5
_LOOK_EVERY_S = 0.1
_MOST_WAITING = 16  # documents published and not yet extracted, beside those that were published at once


class ExtractPayload(Frozen):
    """Request of an extraction job. bucket: None for all.

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


class _Item(Frozen):
    """Content of an item of the job."""

    document: str
    fields: tuple[str, ...] | None = None
    fingerprint: str = ""
    schema_name: str = ""

    @property
    def only(self) -> Only | None:
        return None if self.fields is None else Only(self.fields, self.fingerprint, self.schema_name)


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
                JobItem(found.source, found.bucket, item.model_dump())
                for item in items
                if (found := known.get(DocumentId(item.document))) is not None
            ],
        )

    def work(self, context: JobContext) -> bool:
        """Extract pending documents until none is left or the slice has lasted long enough."""
        job = context.order.id
        rows = [
            (each.ordinal, _Item.model_validate(each.payload)) for each in self._records.jobs.pending(job)
        ]
        if not rows:
            return False
        pending = {DocumentId(item.document): ordinal for ordinal, item in rows}
        only = {DocumentId(item.document): item.only for _, item in rows if item.only is not None}
        with Noting(self._records, job) as noting:
            self._extractions.fill(
                Priority(self._records).order(pending),
                lambda filled: noting.note(pending[filled.document], item_of(filled)),
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
                    known = {"fingerprint": payload.after.get(bucket, ""), "schema_name": schema}
                    found[document] = _Item(document=document, fields=payload.only, **known)
        return found

    def _wanted(self, payload: ExtractPayload) -> list[DocumentId]:
        given = None if payload.documents is None else [DocumentId(each) for each in payload.documents]
        if payload.again:
            return self._extractions.all_of(payload.bucket) if given is None else given
        lacking = self._extractions.lacking(payload.bucket, given)
        for field in payload.fields:
            without = self._extractions.without_cell(payload.bucket, field)
            lacking += [document for document in without if given is None or document in given]
        return list(dict.fromkeys(lacking))


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
    """Entry of an extracted document in a job's list of inputs."""
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


class IngestExtraction:
    """Extracts what an ingest job publishes, while it does and before the job counts as done.

    In the same job and not in one that follows it: who waits for an ingest finds the cells filled, a killed
    ingest goes on with them, and nothing has to tie two jobs together.
    """

    def __init__(self, records: Records, extractions: Extractions) -> None:
        self._records = records
        self._extractions = extractions

    def fill_lacking(self, context: JobContext, documents: Iterable[DocumentId]) -> bool:
        """Fill the cells of those of these documents that lack them; gives whether there are more to fill."""
        lacking = self._extractions.lacking(documents=documents)
        if not lacking:
            return False
        self.fill(context, lacking)
        left = self._extractions.lacking(documents=lacking)
        # What no try fills (a text that was published anew meanwhile) is left to the upkeep.
        return bool(left) and (context.should_yield() or len(left) < len(lacking))

    def fill(
        self,
        context: JobContext,
        documents: Iterable[DocumentId | None],
        control: Control | None = None,
        openings: OpeningQueue | None = None,
        tells: Callable[[], bool] = lambda: True,
    ) -> None:
        """Extract these documents, until they end or the slice has lasted long enough.

        openings: documents of which the fields that come first are read before. tells: whether the job's row
        is to say which document is in work: not while files are, whose progress stands there.
        A document that cannot be extracted is no failure of its ingest: its cells say why. Nor is an
        extractor that does not start: the upkeep's own job then says so.
        """
        told_at = 0.0

        def note(filled: Filled) -> None:
            nonlocal told_at
            if tells() and time.monotonic() - told_at >= 1.0:
                told_at = time.monotonic()
                title = filled.summary.title if filled.summary is not None else filled.document
                self._records.jobs.set_current(context.order.id, CurrentItem(f"fields of {title}", 0, 0))

        try:
            self._extractions.fill(
                documents, note, control or context, with_originals=True, openings=openings
            )
        except ChildStartError as error:
            _log.warning("%s", error.explanation)

    def beside(self, context: JobContext) -> ExtractionThread:
        """A thread that extracts documents while others are still read."""
        return ExtractionThread(self, context, Priority(self._records))

    def warm(self) -> None:
        """Start a process in the background: the first document's names and dates shall not wait for it."""
        self._extractions.warm()


class ExtractionThread:
    """Extracts the documents that it is given; to be used in a `with` statement, whose end waits for them.

    Names, parties and dates of a document come first; then the rest, of those first that questions wait for.
    Documents in hand are given up where the block raises. One that is not begun when the slice has lasted
    long enough is left, and still lacks its cells. Raises at the end what hindered it.
    """

    def __init__(self, extraction: IngestExtraction, context: JobContext, priority: Priority) -> None:
        self._extraction = extraction
        self._context = context
        self._priority = priority
        self._changed = threading.Condition()  # guards all below
        self._unopened: deque[DocumentId] = deque()
        self._opening: set[DocumentId] = set()  # in work
        self._waiting: dict[DocumentId, None] = {}
        self._is_closed = self._is_given_up = False
        self._failure: BaseException | None = None
        self._thread = threading.Thread(target=self._work, name="extraction", daemon=True)

    @property
    def is_behind(self) -> bool:
        """True where so many documents wait for their fields that no others should be published now.

        It bounds what a job counts as done and is not: else 5,000 abstracts seem to need two minutes, when
        they need two to be searched and five to be read. Raises what hinders the thread.
        """
        with self._changed:
            if self._failure is not None:
                raise self._failure
            waits = self._thread.is_alive() and self._left > _MOST_WAITING
        return waits and not self._context.should_yield()

    def add(self, documents: Iterable[DocumentId]) -> None:
        """Extract these, too; returns at once."""
        with self._changed:
            self._unopened.extend(documents)
            self._changed.notify()

    def next_opening(self) -> DocumentId | None:
        """See OpeningQueue."""
        with self._changed:
            if not self._unopened:
                return None
            document = self._unopened.popleft()
            self._opening.add(document)
            return document

    def opened(self, document: DocumentId, *, is_whole: bool) -> None:
        """See OpeningQueue."""
        with self._changed:
            self._opening.discard(document)
            if not is_whole:
                self._waiting[document] = None
            self._changed.notify()

    def check(self) -> None:
        """See Control."""
        if self._is_given_up:
            raise JobInterrupted
        self._context.check()

    def should_yield(self) -> bool:
        """See Control. Not before the last file of the slice is published: fields follow until then."""
        return self._is_closed and self._context.should_yield()

    @property
    def _left(self) -> int:
        return len(self._unopened) + len(self._opening) + len(self._waiting)

    def __enter__(self) -> Self:
        self._extraction.warm()
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with self._changed:
            self._is_closed, self._is_given_up = True, error is not None
            self._changed.notify()
        self._thread.join()
        if self._failure is not None and error is None:
            raise self._failure

    def _work(self) -> None:
        try:
            with self._changed:
                self._changed.wait_for(lambda: self._left or self._is_closed)
                is_empty = not self._left  # a run of unchanged files
            if not is_empty:
                self._extraction.fill(self._context, self._documents(), self, self, lambda: self._is_closed)
        except BaseException as failure:  # raised again where the job runs
            self._failure = failure

    def _documents(self) -> Iterator[DocumentId | None]:
        while True:
            with self._changed:
                if not self._waiting and not self._unopened and not self._is_closed:
                    self._changed.wait(_LOOK_EVERY_S)
                if not self._left and self._is_closed:
                    return
                # Openings go first: the next one is taken before this is asked again.
                document = None if self._unopened or not self._waiting else self._priority.take(self._waiting)
            yield document


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
