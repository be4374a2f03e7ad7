"""Fills the cells of documents from what the records hold of them: pages, table rows, sentence vectors.

Reading and writing go on here, in the worker; extraction itself in child processes. Nothing is read from an
original but the tables of a PDF, right after its ingest, and nothing is encoded again.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from functools import partial
from typing import Protocol

from core.config.models import Settings
from core.domain.document import DocumentStatus, DocumentSummary
from core.domain.evidence.sentence_vectors import SentenceVectors
from core.domain.fields import CellStatus, Extraction, Finding
from core.domain.ids import DocumentId
from core.errors import NotFoundError
from core.extract.base import Definitions, DocumentText
from core.extract.jobs.pool import ExtractPool, ExtractTask
from core.jobs.base import Control
from core.processes.loop import Reply
from core.store.base import DocumentQuery
from core.store.cells.extraction_states import ExtractionStates
from core.store.database.visibility import Visibility
from core.store.store import Records

_LOOK_EVERY_S = 0.2
_IDLE_S = 60.0
_AHEAD = 2  # documents read for each process that is at work, so that none waits for the database
_EVERYTHING = Visibility.everything()
_PDF = "application/pdf"
_END = DocumentId("")
_SHORT_PASSAGES = 5  # read whole in 30 ms: a step of its own would cost more than it gives


@dataclass(frozen=True, slots=True)
class Only:
    """Fields that alone have to be extracted anew, as long as the definitions are those of a fingerprint.

    schema: the one that the document was extracted by.
    """

    fields: tuple[str, ...]
    fingerprint: str
    schema: str


class OpeningQueue(Protocol):
    """Documents of which first of all the fields that come first are read, as soon as they are published."""

    def next_opening(self) -> DocumentId | None:
        """Take a document; None where there is none now."""
        ...

    def opened(self, document: DocumentId, *, is_whole: bool) -> None:
        """Take note that these fields of a document stand, or cannot be read alone: the rest may follow.

        is_whole: the rest stands, too.
        """
        ...


@dataclass(frozen=True, slots=True)
class Filled:
    """Result of one document.

    summary and task: None where it is gone. reply: None where there was nothing to extract.
    """

    document: DocumentId
    summary: DocumentSummary | None = None
    task: ExtractTask | None = None
    reply: Reply[Extraction] | None = None

    @property
    def reason(self) -> str:
        """The reason why there are no findings; "" where there are."""
        if self.task is None:
            return "It was removed meanwhile."
        reply = self.reply
        return "" if reply is None else " ".join(part for part in (reply.reason, reply.next_step) if part)

    @property
    def is_unreadable(self) -> bool:
        """True where no page of it holds text."""
        return self.task is not None and not self.task.text.is_readable


class Extractions:
    """Fills cells; one call of `fill` at a time. Keeps its child processes between calls.

    load: gives what is asked of documents now; asked at the begin of each call.
    """

    def __init__(
        self,
        records: Records,
        settings: Settings,
        load: Callable[[], Definitions],
        make_pool: Callable[[Settings, Definitions], ExtractPool] = ExtractPool,
    ) -> None:
        self._records = records
        self._settings = settings
        self._load = load
        self._make_pool = make_pool
        self._lock = threading.Lock()  # guards _pool: `close` may come from another thread
        self._pool: ExtractPool | None = None
        self._used_at = time.monotonic()
        self._is_filling = False

    def definitions(self) -> Definitions:
        """Definitions of everything asked of documents now."""
        return self._load()

    def lacking(
        self, bucket: str | None = None, documents: Iterable[DocumentId] | None = None
    ) -> list[DocumentId]:
        """The documents of a bucket (None: of all) that were not extracted as the definitions say now.

        documents: only those of them.
        """
        definitions = self._load()
        everywhere = self._records.documents.buckets(_EVERYTHING) if bucket is None else ()
        names = [bucket] if bucket is not None else [each.name for each in everywhere]
        wanted = None if documents is None else frozenset(documents)
        return [
            document
            for name in names
            for document in self._records.fields.lacking(name, definitions.fingerprint(name))
            if wanted is None or document in wanted
        ]

    def without_cell(self, bucket: str | None, field: str) -> list[DocumentId]:
        """The documents of a bucket (None: of all) that have no cell of this field."""
        cells = self._records.fields.cells(_EVERYTHING, bucket=bucket, fields=[field])
        having = {cell.document for cell in cells}
        return [document for document in self.all_of(bucket) if document not in having]

    def all_of(self, bucket: str | None) -> list[DocumentId]:
        """Every document of a bucket (None: of all) that has a version."""
        query = DocumentQuery(bucket=bucket)
        return [each.id for each in self._records.documents.list(_EVERYTHING, query) if each.version]

    def schemas(self, bucket: str) -> dict[DocumentId, str]:
        """The schema of each document of a bucket that was ever extracted."""
        return ExtractionStates(self._records.database).by_document(_EVERYTHING, bucket)

    def keep_as_it_is(self, document: DocumentId, schema: str, fingerprint: str) -> None:
        """Note that the definitions of this fingerprint ask nothing else of a document; its cells stay."""
        version = self._records.fields.extracted_version(document)
        if version is not None:
            self._records.fields.put(document, version, Extraction(schema, {}), fingerprint, fields=())

    def warm(self) -> None:
        """Start a child process in the background, for documents that are soon to come."""
        self._pool_for(self._load()).warm()

    def fill(
        self,
        documents: Iterable[DocumentId | None],
        note: Callable[[Filled], None],
        control: Control,
        *,
        only: Mapping[DocumentId, Only] | None = None,
        with_originals: bool = False,
        openings: OpeningQueue | None = None,
    ) -> None:
        """Extract documents and keep what was found, until they end or `control` wants to yield.

        documents: None among them: there is no other yet. note: told of each document once its cells are
        kept. only: those of which some fields suffice.
        with_originals: the tables of PDFs are read from the kept originals. openings: asked again and again
        for documents whose first fields go before everything else, beyond the number in work; short ones are
        read whole then. Raises what `control.check`
        raises, RecordsError and ChildStartError; a document that cannot be extracted is noted with its
        reason, and its cells are uncertain.
        """
        definitions = self._load()
        pool = self._pool_for(definitions)
        run = _Run(self, pool, definitions)
        self._is_filling = True
        waiting = iter(documents)
        try:
            is_open = True
            while is_open or run.begun or run.opening:
                control.check()
                while openings is not None and len(run.opening) < pool.size:
                    document = openings.next_opening()
                    if document is None:
                        break
                    run.begin(run.opening, document, is_opening=True)
                while is_open and len(run.begun) < pool.size * _AHEAD:
                    document = _END if control.should_yield() else next(waiting, _END)
                    is_open = document != _END
                    if document is None or not is_open:
                        break
                    run.begin(run.begun, document, (only or {}).get(document), with_original=with_originals)
                for filled, is_first in run.done():
                    is_whole = filled.task is None or not filled.task.is_opening
                    if is_first and openings is not None:
                        openings.opened(filled.document, is_whole=is_whole)
                    if is_whole:
                        note(filled)
        except BaseException:
            self.close()  # documents in work are not waited for
            raise
        finally:
            self._is_filling, self._used_at = False, time.monotonic()
            run.end()

    def rest(self, idle_s: float = _IDLE_S) -> None:
        """End the child processes where nothing was extracted for so long; they hold 100 MB each."""
        if not self._is_filling and time.monotonic() - self._used_at >= idle_s:
            self.close()

    def close(self) -> None:
        """End the child processes; safe to call twice, and the service may be used again."""
        with self._lock:
            pool, self._pool = self._pool, None
        if pool is not None:
            pool.close()

    def _pool_for(self, definitions: Definitions) -> ExtractPool:
        with self._lock:
            old, pool = self._pool, self._pool
            if pool is None or pool.definitions != definitions:
                pool = self._pool = self._make_pool(self._settings, definitions)
        if old is not None and old is not pool:
            old.close()
        return pool

    def extract(
        self,
        pool: ExtractPool,
        definitions: Definitions,
        document: DocumentId,
        only: Only | None = None,
        *,
        with_original: bool = False,
        is_opening: bool = False,
    ) -> Filled:
        """Extract one document and keep nothing; for any thread."""
        try:
            summary = self._records.documents.get(document, _EVERYTHING)
            if only is not None and (
                only.fingerprint != definitions.fingerprint(summary.bucket)
                or not self._records.fields.is_read(document)
            ):
                only = None  # the definitions were changed once more, or the text was
            if is_opening and summary.passages > _SHORT_PASSAGES:
                task = read_opening_task(self._records, document)
            else:
                # Tables of a PDF are kept with all else that is read of it, so never of an opening alone.
                has_original = self._records.blobs.exists(summary.content_hash)
                is_new = has_original and not self._records.fields.is_read(document)
                task = read_task(
                    self._records, definitions, document, only=only, with_original=with_original or is_new
                )
        except NotFoundError:
            return Filled(document)
        if not task.text.is_readable or task.fields == ():
            return Filled(document, summary, task)
        return Filled(document, summary, task, pool.extract(task))

    def keep(self, found: Filled, definitions: Definitions) -> None:
        """Keep the findings on one document; of an opening only where there are any."""
        task, reply, summary = found.task, found.reply, found.summary
        if task is None or summary is None:
            return
        is_opening = task.is_opening
        if reply is not None and reply.value is not None:
            extraction = reply.value
        elif is_opening:
            return  # the next step says what is wrong
        elif found.is_unreadable:
            known = ExtractionStates(self._records.database).schema_of(found.document, _EVERYTHING)
            extraction = without_findings(
                definitions, task.text, CellStatus.UNREADABLE, summary.reason, known=known
            )
        elif reply is None:
            extraction = Extraction(task.schema, {})
        else:
            extraction = without_findings(definitions, task.text, CellStatus.UNCERTAIN, found.reason)
        self._records.fields.put(
            found.document,
            task.text.version,
            extraction,
            definitions.fingerprint(summary.bucket),
            fields=task.fields,
            is_opening=is_opening,
        )


class _Run:
    """The documents that one call of `fill` has in work. For one thread."""

    def __init__(
        self,
        service: Extractions,
        pool: ExtractPool,
        definitions: Definitions,
    ) -> None:
        self._service = service
        self._pool = pool
        self._definitions = definitions
        self.begun: deque[Future[Filled]] = deque()
        self.opening: deque[Future[Filled]] = deque()
        self._threads = ThreadPoolExecutor(pool.size * (_AHEAD + 1), thread_name_prefix="extraction")

    def begin(
        self,
        line: deque[Future[Filled]],
        document: DocumentId,
        only: Only | None = None,
        *,
        with_original: bool = False,
        is_opening: bool = False,
    ) -> None:
        """Extract a document, in one of the two lines; see `Extractions.extract`."""
        extract = partial(
            self._service.extract,
            self._pool,
            self._definitions,
            document,
            only,
            with_original=with_original,
            is_opening=is_opening,
        )
        line.append(self._threads.submit(extract))

    def done(self) -> Iterator[tuple[Filled, bool]]:
        """The documents that are done, once they are kept, and whether they were begun by `open`; waits a
        little for the first.
        """
        ready, _ = wait((*self.opening, *self.begun), _LOOK_EVERY_S, FIRST_COMPLETED)
        for line in (self.opening, self.begun):
            for future in [each for each in line if each in ready]:
                line.remove(future)
                filled = future.result()
                self._service.keep(filled, self._definitions)
                yield filled, line is self.opening

    def end(self) -> None:
        """Begin nothing more."""
        self._threads.shutdown(wait=False, cancel_futures=True)


def read_opening_task(records: Records, document: DocumentId) -> ExtractTask:
    """Stored text of the current version, for the fields that come first. Raises NotFoundError."""
    text, _ = _read_text(records, document)
    return ExtractTask(text, is_opening=True)


def read_task(
    records: Records,
    definitions: Definitions,
    document: DocumentId,
    *,
    only: Only | None = None,
    with_original: bool = False,
) -> ExtractTask:
    """Stored text of the current version, for extraction. Raises NotFoundError."""
    text, summary = _read_text(records, document)
    original = ""
    if with_original and summary.media_type == _PDF and summary.status is DocumentStatus.READY:
        original = str(records.blobs.path(summary.content_hash))
    # All fields of a document include its summaries, which choose sentences by their vectors too.
    with_vectors = only is None or definitions.need_vectors(summary.bucket, only.fields)
    vectors = read_vectors(records, document) if with_vectors else None
    beside = _beside(records, definitions, text, only)
    if only is not None and text.is_readable:
        return ExtractTask(text, vectors, only.schema, only.fields, original, beside=beside)
    opening = None
    if only is None:
        opening = records.fields.opening(document, definitions.fingerprint(summary.bucket))
    schema, known = (opening.schema, opening.findings) if opening is not None else ("", {})
    return ExtractTask(text, vectors, schema, None, original, known=known, beside=beside)


def read_text(records: Records, document: DocumentId, version: int | None = None) -> DocumentText:
    """Stored text of a version (None: the current one). Raises NotFoundError."""
    return _read_text(records, document, version)[0]


def _beside(
    records: Records, definitions: Definitions, text: DocumentText, only: Only | None
) -> dict[str, Finding]:
    """Cells of this text that checks compare with and that are not read now: verdicts, fields not asked."""
    names = {
        name
        for schema in definitions.schemas
        for own in schema.fields
        for check in own.checks
        for name in (own.name, check.field)
    }
    asked = None if only is None else only.fields
    return {
        cell.field: cell.finding
        for cell in records.fields.cells(_EVERYTHING, documents=[text.document], fields=names)
        if cell.version == text.version
        and ((cell.review is not None and not cell.review.check_again) or (asked and cell.field not in asked))
    }


def _read_text(
    records: Records, document: DocumentId, version: int | None = None
) -> tuple[DocumentText, DocumentSummary]:
    found = records.documents.version(document, version, _EVERYTHING)
    summary = found.summary
    is_same = records.fields.extracted_version(document) == found.version
    rows = records.fields.rows(document, _EVERYTHING) if is_same else []
    text = DocumentText(
        document,
        found.version,
        summary.bucket,
        summary.title,
        summary.source,
        summary.doc_type,
        summary.media_type,
        summary.language,
        found.pages,
        tuple(rows),
    )
    return text, summary


def read_vectors(records: Records, document: DocumentId) -> SentenceVectors:
    """The stored sentence vectors of a document's current version."""
    rows = records.passages.of_documents([document])
    matrices = records.passages.sentence_vectors([row.stored.id for row in rows])
    known = [row.stored for row in rows if row.stored.id in matrices]
    return SentenceVectors.of([row.passage for row in known], [matrices[row.id] for row in known])


def without_findings(
    definitions: Definitions, text: DocumentText, status: CellStatus, reason: str, *, known: str = ""
) -> Extraction:
    """Cells of one status for all fields that may be asked of a document whose text says nothing to us.

    known: the schema by which it was read before, "" where it never was.
    """
    possible = definitions.possible(text.bucket)
    before = next((each for each in possible if each.name == known), None)
    schema = before or definitions.generic(text.bucket)
    finding = Finding(status, note=reason)
    return Extraction(
        schema=schema.name,
        findings={each.name: finding for each in schema.fields},
        notes=(reason,) if reason else (),
        types={each.name: each.type for each in schema.fields},
    )
