"""Reading of cells by a language model as a durable job: several documents at once, each of them whole.

A reply is kept before the next call is made, and goes when its cells are decided; so a job that goes on after
a kill asks for nothing twice, and pays at most for the calls that were under way.
"""

from __future__ import annotations

import contextlib
import os
import threading
import time
from collections import deque
from collections.abc import Callable
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from datetime import UTC, datetime

from core.domain.document import IngestOutcome
from core.domain.ids import DocumentId, JobId
from core.domain.job import IngestItem
from core.errors import LlmError, NotFoundError
from core.extract.base import Definitions
from core.extract.model.batches import BatchReading
from core.extract.model.reader import (
    POLL_S,
    Counts,
    DocumentReader,
    JobModels,
    ReadCellsPayload,
    ReadingSlice,
    SliceEnd,
)
from core.jobs.base import JobContext
from core.store.base import JobItem
from core.store.database.visibility import Visibility
from core.store.store import Records

_EVERYTHING = Visibility.everything()
_NICENESS = 10


class ReadCellsJob:
    """The handler of the job kind `read_cells`. load: what is asked of documents now.

    poll_s, now: see BatchReading.
    """

    def __init__(
        self,
        records: Records,
        load: Callable[[], Definitions],
        models: JobModels,
        clock: Callable[[], float] = time.monotonic,
        poll_s: float = 20.0,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        self._records, self._load, self._models = records, load, models
        self._reader = DocumentReader(records, models, clock)
        self._batches = BatchReading(records, models, self._reader, poll_s, now)

    def prepare(self, context: JobContext) -> None:
        """Write the job's items, a document each, unless an earlier attempt did."""
        job = context.order.id
        if self._records.jobs.get(job).total:
            return
        shared = self._slice(context)
        payload = shared.payload
        given = None if payload.documents is None else [DocumentId(each) for each in payload.documents]
        found = self._reader.waiting(shared, payload.bucket, given)
        known = self._records.documents.get_many([each.document for each in found], _EVERYTHING)
        self._records.jobs.add_items(
            job,
            [
                JobItem(summary.source, summary.bucket, {"document": each.document})
                for each in found
                if (each.cells or each.kept) and (summary := known.get(each.document)) is not None
            ],
        )

    def work(self, context: JobContext) -> bool:
        """Read documents, several at once, until none is left or the slice has lasted long enough.

        Raises JobWaits while a batch is under way; LlmError where no further call can be made: the budget of
        the day, the key, the server.
        """
        job = context.order.id
        at_once = self._models.settings.reading_at_once
        shared = self._slice(context)
        waiting_items = deque(self._batches.ready(shared, self._records.jobs.pending(job)))
        running: dict[Future[Counts], JobItem] = {}
        error: LlmError | None = None
        with ThreadPoolExecutor(at_once, "read-cells", _be_nice) as pool:
            try:
                while running or (waiting_items and not shared.is_over):
                    while waiting_items and len(running) < at_once and not shared.is_over:
                        item = waiting_items.popleft()
                        running[pool.submit(self._reader.read, _document(item), shared)] = item
                    ended, _ = wait(running, POLL_S, FIRST_COMPLETED)
                    context.check()
                    shared.is_over = shared.is_over or context.should_yield()
                    for each in ended:
                        try:
                            self._note(running.pop(each), each.result(), job)
                        except SliceEnd:
                            shared.is_over = True
                        except LlmError as raised:  # the others finish what they pay for
                            error, shared.is_over = error or raised, True
            except BaseException:
                shared.stop()
                raise
        if error is not None:
            raise error
        return bool(self._records.jobs.pending(job))

    def _slice(self, context: JobContext) -> ReadingSlice:
        return ReadingSlice(context, ReadCellsPayload.model_validate(context.order.payload), self._load())

    def _note(self, item: JobItem, counts: Counts, job: JobId) -> None:
        self._records.jobs.set_items(job, {item.ordinal: self._outcome(_document(item), item, counts)})

    def _outcome(self, document: DocumentId, item: JobItem, counts: Counts) -> IngestItem:
        try:
            found = self._records.documents.get(document, _EVERYTHING)
        except NotFoundError:
            source, reason = item.source, "It was removed meanwhile."
            return IngestItem(document, source, source, item.bucket, IngestOutcome.UNCHANGED, reason, 0, 0)
        outcome = IngestOutcome.FAILED if counts.failed else IngestOutcome.READY
        said = counts.failed or f"{counts.decided:,} decided, {counts.uncertain:,} stay uncertain."
        return IngestItem(
            document, found.source, found.title, found.bucket, outcome, said, found.pages, found.passages
        )


def _be_nice() -> None:
    """Leave the processor to questions: such a thread lives for one slice. Where threads have no niceness of
    their own, as beside Linux, they keep that of the process.
    """
    with contextlib.suppress(OSError, AttributeError):
        niceness = os.getpriority(os.PRIO_PROCESS, 0) + _NICENESS
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), niceness)


def _document(item: JobItem) -> DocumentId:
    return DocumentId(str(item.payload["document"]))
