"""From files to searchable documents: read ahead, encode across documents, publish each at once, index.

Durability goes in one order: a document is published in one transaction (the truth), then its input is
noted as done, then the index catches up from the change sequence. A kill between any two is repaired by
doing the later ones again, since each is idempotent.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Protocol

from core.config.models import Settings
from core.domain.document import DocumentSummary, IngestOutcome
from core.domain.job import IngestItem
from core.domain.passage import EncodedPassage, Passage
from core.encode.base import Encoder, TextToEncode
from core.errors import InputError
from core.index.base import SearchEngine
from core.index.sync import catch_up
from core.ingest.pace import Pace
from core.ingest.parse_process import ParsedFile
from core.ingest.reading import FileRead, IngestInput, Reader, is_unchanged
from core.ingest.spool import Spool
from core.ingest.workers import ParsePool
from core.records.base import NewVersion
from core.records.store import Records

STAGING = "staging"
_NOTE_EVERY_S = 0.25
_INDEX_EVERY_S = 5.0
_INDEX_EVERY = 1_000  # passages


class Control(Protocol):
    """When to stop: a JobContext is one."""

    def check(self) -> None:
        """Raises to interrupt the run; called at least every two seconds."""
        ...

    def should_yield(self) -> bool:
        """Whether to begin no other file."""
        ...


@dataclass(slots=True)
class _Document:
    """A file on its way through the encoder."""

    read: FileRead
    file: ParsedFile
    encoded: Spool
    taken: int = 0  # passages handed to the encoder

    @property
    def is_encoded(self) -> bool:
        return len(self.encoded) == len(self.file.passages)


@dataclass(slots=True)
class _Progress:
    """What is done but not noted yet, and since when the index waits."""

    outcomes: dict[int, IngestItem] = field(default_factory=dict)
    noted_at: float = 0.0
    unindexed: int = 0
    is_index_stale: bool = False
    indexed_at: float = field(default_factory=time.monotonic)


class Pipeline:
    """Ingests files into one home. One run at a time; keeps its parser processes between runs."""

    def __init__(
        self,
        records: Records,
        encoder: Encoder,
        engine: SearchEngine,
        settings: Settings,
        pool: ParsePool | None = None,
    ) -> None:
        self._records = records
        self._encoder = encoder
        self._engine = engine
        self._settings = settings
        self._pool = pool
        self._pace = Pace()

    def run(
        self,
        inputs: Iterable[IngestInput],
        note: Callable[[Mapping[int, IngestItem]], None],
        control: Control,
        *,
        resumed_since: datetime | None = None,
    ) -> None:
        """Ingest until the inputs end or `control` wants to yield; all that was begun is then finished.

        note: told what came of inputs, by ordinal, about four times a second; may be told again after a
        resume. resumed_since: set where an earlier run over these inputs, begun then, was cut short: a
        document that it published counts as what it did, not as unchanged.
        Raises what `control.check` raises, and RecordsError, EncoderError, IndexUnavailableError or
        ParserStartError; files that cannot be read are outcomes. The index is current when it returns.
        """
        run = _Run(self._records, self._settings, note)
        pool = self._pool = self._pool or ParsePool(self._settings)

        def is_done(known: DocumentSummary, item: IngestInput) -> bool:
            if item.force:
                return resumed_since is not None and known.updated_at >= resumed_since and known.version > 0
            return is_unchanged(known, item)

        reader = Reader(self._records, self._settings, pool, inputs, is_done)
        try:
            with reader:
                try:
                    self._drive(reader, run, control, resumed_since)
                except BaseException:
                    self.close()  # files being parsed are not waited for
                    raise
        finally:
            run.close()
        run.flush()
        self._index(run)

    def close(self) -> None:
        """End the parser processes; safe to call twice, and the pipeline may be used again."""
        if self._pool is not None:
            self._pool.close()
            self._pool = None

    def _drive(self, reader: Reader, run: _Run, control: Control, resumed_since: datetime | None) -> None:
        while not (reader.is_finished and run.is_idle):
            control.check()
            if control.should_yield():
                reader.stop_early()
            enough = self._pace.size
            for found in reader.take(0.0 if run.waiting >= enough else 0.2):
                run.accept(found, resumed_since, self._encoder)
            if run.waiting:
                self._encode(run, enough)
            run.flush_if_due()
            if run.is_index_due:
                self._index(run)

    def _encode(self, run: _Run, size: int) -> None:
        batch = run.next_batch(size)
        began = time.perf_counter()
        encoded = self._encoder.encode_passages([TextToEncode(p.text, p.sentences) for _, p in batch])
        self._pace.note(len(batch), time.perf_counter() - began)
        run.encoded(
            [
                (document, EncodedPassage(passage, one.vector, one.sentences))
                for (document, passage), one in zip(batch, encoded, strict=True)
            ],
            self._encoder,
        )

    def _index(self, run: _Run) -> None:
        if run.progress.is_index_stale:
            catch_up(self._engine, self._records)
            run.progress.unindexed, run.progress.is_index_stale = 0, False
        run.progress.indexed_at = time.monotonic()


class _Run:
    """The documents that one run has in hand."""

    def __init__(
        self, records: Records, settings: Settings, note: Callable[[Mapping[int, IngestItem]], None]
    ) -> None:
        self._records = records
        self._staging = settings.home / STAGING
        self._note = note
        self._documents: deque[_Document] = deque()
        self.waiting = 0  # passages not yet handed to the encoder
        self.progress = _Progress()

    @property
    def is_idle(self) -> bool:
        return not self._documents

    @property
    def is_index_due(self) -> bool:
        since = time.monotonic() - self.progress.indexed_at
        return self.progress.is_index_stale and (
            since >= _INDEX_EVERY_S or self.progress.unindexed >= _INDEX_EVERY
        )

    def accept(self, found: FileRead, resumed_since: datetime | None, encoder: Encoder) -> None:
        """Settle what needs no encoding; queue the rest."""
        if found.error is not None:
            self._fail(found, found.error)
        elif found.known is not None:
            self._settle(found.input, found.known, _known_outcome(found.known, resumed_since))
        elif found.file is not None:
            document = _Document(found, found.file, Spool(self._staging))
            if found.file.passages:
                self._documents.append(document)
                self.waiting += len(found.file.passages)
            else:
                self._publish(document, encoder)

    def next_batch(self, size: int) -> list[tuple[_Document, Passage]]:
        """The next passages in the order of the documents, of several where the first is short."""
        batch: list[tuple[_Document, Passage]] = []
        for document in self._documents:
            stop = document.taken + size - len(batch)
            chosen = document.file.passages[document.taken : stop]
            batch.extend((document, passage) for passage in chosen)
            document.taken += len(chosen)
            if len(batch) >= size:
                break
        self.waiting -= len(batch)
        return batch

    def encoded(self, batch: list[tuple[_Document, EncodedPassage]], encoder: Encoder) -> None:
        """Keep the vectors, and publish every document that has all of its own."""
        for document, passage in batch:
            document.encoded.extend((passage,))
        while self._documents and self._documents[0].is_encoded:
            self._publish(self._documents.popleft(), encoder)

    def flush_if_due(self) -> None:
        if time.monotonic() - self.progress.noted_at >= _NOTE_EVERY_S:
            self.flush()

    def flush(self) -> None:
        """Note what is done."""
        if self.progress.outcomes:
            self._note(self.progress.outcomes)
            self.progress.outcomes = {}
        self.progress.noted_at = time.monotonic()

    def close(self) -> None:
        for document in self._documents:
            document.encoded.close()

    def _publish(self, document: _Document, encoder: Encoder) -> None:
        read = document.read
        try:
            published = self._records.documents.publish(
                NewVersion(
                    bucket=read.input.bucket,
                    source=read.input.source,
                    parsed=document.file.parsed,
                    content_hash=read.content_hash,
                    size_bytes=read.size_bytes,
                    passages=iter(document.encoded),
                    acl=read.input.acl,
                    encoder=encoder.signature if document.file.passages else None,
                    force=read.input.force,
                )
            )
        finally:
            document.encoded.close()
        self.progress.unindexed += published.passages
        self.progress.is_index_stale = True
        self.progress.outcomes[read.input.ordinal] = IngestItem(
            document=published.document,
            source=read.input.source,
            title=published.title,
            bucket=read.input.bucket,
            outcome=published.outcome,
            reason=published.reason,
            pages=published.pages,
            passages=published.passages,
        )

    def _fail(self, found: FileRead, error: InputError) -> None:
        reason = " ".join(part for part in (error.message, error.next_step) if part)
        outcome = IngestItem(
            document=None,
            source=found.input.source,
            title=found.input.source,
            bucket=found.input.bucket,
            outcome=IngestOutcome.FAILED,
            reason=reason,
            pages=0,
            passages=0,
        )
        # A name that never led to a file (a typing error, a hostile archive entry) is no document.
        if not found.input.problem or found.input.path.is_file():
            failed = self._records.documents.record_failure(
                found.input.bucket,
                found.input.source,
                reason,
                content_hash=found.content_hash,
                size_bytes=found.size_bytes,
                acl=found.input.acl,
            )
            outcome = replace(outcome, document=failed.document, title=failed.title)
            self.progress.is_index_stale = True
        self.progress.outcomes[found.input.ordinal] = outcome

    def _settle(self, item: IngestInput, known: DocumentSummary, outcome: IngestOutcome) -> None:
        self.progress.outcomes[item.ordinal] = IngestItem(
            document=known.id,
            source=item.source,
            title=known.title,
            bucket=item.bucket,
            outcome=outcome,
            reason=known.reason,
            pages=known.pages,
            passages=known.passages,
        )


def _known_outcome(known: DocumentSummary, resumed_since: datetime | None) -> IngestOutcome:
    if known.status.value == IngestOutcome.UNREADABLE.value:
        return IngestOutcome.UNREADABLE
    if resumed_since is not None and known.updated_at >= resumed_since:
        return IngestOutcome.READY if known.version == 1 else IngestOutcome.UPDATED
    return IngestOutcome.UNCHANGED
