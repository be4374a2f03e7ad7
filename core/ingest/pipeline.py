"""From files to searchable documents: read ahead, encode across documents, publish each at once, index.

Durability goes in one order: a document is published in one transaction (the truth), then its input is
noted as done, then the index catches up from the change sequence. A kill between any two is repaired by
doing the later ones again, since each is idempotent.

Three things go on at a time: files are read in child processes, passages are encoded here, and encoded
documents are published and indexed in a thread.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import islice

from core.config.models import Settings
from core.domain.document import DocumentSummary, IngestOutcome
from core.domain.job import CurrentItem, IngestItem
from core.domain.passage import EncodedPassage, Passage
from core.encode.base import EncodedText, Encoder, TextToEncode
from core.index.base import SearchEngine
from core.ingest.arrivals import Arrivals
from core.ingest.intake import IngestInput
from core.ingest.parse_pool import ParsedFile, ParsePool
from core.ingest.publishing import Publisher, Spool
from core.ingest.reading import FileRead, Reader, is_unchanged
from core.jobs.base import Control
from core.store.store import Records

STAGING = "staging"
TOLD_EVERY_S = 1.0
_LOOK_EVERY_S = 0.05
_MOST_AT_ONCE = 64  # documents of one window, which are published at once


@dataclass(slots=True)
class _Document:
    """A file on its way through the encoder."""

    read: FileRead
    file: ParsedFile
    encoded: Spool
    taken: int = 0  # passages handed to the encoder
    done: int = 0  # passages that the encoder gave back

    @property
    def is_encoded(self) -> bool:
        return len(self.encoded) == len(self.file.passages)


class Pipeline:
    """Ingests files into one home. One run at a time; keeps its parser processes between runs."""

    def __init__(
        self,
        records: Records,
        encoder: Encoder,
        engine: SearchEngine,
        settings: Settings,
        pool: ParsePool | None = None,
        pace: Pace | None = None,
    ) -> None:
        self._records = records
        self._encoder = encoder
        self._engine = engine
        self._settings = settings
        self._pool = pool
        self._pace = pace or Pace()

    def run(
        self,
        inputs: Iterable[IngestInput],
        note: Callable[[Mapping[int, IngestItem]], None],
        control: Control,
        *,
        reached: Callable[[CurrentItem], None] | None = None,
        resumed_since: datetime | None = None,
        is_behind: Callable[[], bool] = lambda: False,
        arrivals: Arrivals | None = None,
    ) -> None:
        """Ingest until the inputs end or `control` wants to yield; all that was begun is then finished.

        note: told what came of inputs, by ordinal, about four times a second; may be told again after a
        resume. reached: told about once a second which input is in work, and how far.
        resumed_since: set where an earlier run over these inputs, begun then, was cut short: a document that
        it published counts as what it did, not as unchanged. is_behind: whether what follows on publishing
        has so much to do that nothing else should be encoded now. arrivals: of the job, where it has several.
        Raises what `control.check` raises, and RecordsError, EncoderError, IndexUnavailableError or
        ChildStartError; files that cannot be read are outcomes. The index is current when it returns.
        """
        pool = self._pool = self._pool or ParsePool(self._settings)

        def is_done(known: DocumentSummary, item: IngestInput) -> bool:
            if item.force:
                return resumed_since is not None and known.updated_at >= resumed_since and known.version > 0
            return is_unchanged(known, item)

        placing = arrivals or Arrivals(self._records)
        reader = Reader(self._records, self._settings, pool, inputs, is_done, placing)
        with Publisher(self._records, self._engine, note) as publisher, reader:
            run = _Run(publisher, self._settings, self._encoder, resumed_since)
            tell = _Telling(reader, run, reached).tell
            try:
                self._drive(reader, run, control, tell, is_behind)
                publisher.finish()
            except BaseException:
                self.close()  # files being parsed are not waited for
                raise
            finally:
                run.close()

    def close(self) -> None:
        """End the parser processes; safe to call twice, and the pipeline may be used again."""
        if self._pool is not None:
            self._pool.close()
            self._pool = None

    def _drive(
        self,
        reader: Reader,
        run: _Run,
        control: Control,
        tell: Callable[[], None],
        is_behind: Callable[[], bool],
    ) -> None:
        while not (reader.is_finished and run.is_idle):
            control.check()
            tell()
            if control.should_yield():
                reader.stop_early()
            if is_behind():
                time.sleep(_LOOK_EVERY_S)
                continue
            # No more than the next window needs: what is taken is finished also when the slice is over.
            if run.waiting < self._pace.window:
                for found in reader.take(0.2):
                    run.accept(found)
            if run.waiting:
                self._encode(run, control, tell)

    def _encode(self, run: _Run, control: Control, tell: Callable[[], None]) -> None:
        """Encode the next passages, of equal lengths together: in the order of the documents an eighth of
        the encoder's work would go into padding, and sorted over a window 2 to 4 % do."""
        window = run.next_window(self._pace.window)
        order = sorted(range(len(window)), key=lambda place: -window[place][1].tokens)
        found: list[EncodedText | None] = [None] * len(window)
        while order:
            control.check()
            tell()
            places, order = order[: self._pace.size], order[self._pace.size :]
            passages = [window[place][1] for place in places]
            began = time.perf_counter()
            encoded = self._encoder.encode_passages([TextToEncode(p.text, p.sentences) for p in passages])
            self._pace.note(len(places), time.perf_counter() - began)
            for place, one in zip(places, encoded, strict=True):
                found[place] = one
                window[place][0].done += 1
        run.encoded(window, found)


class _Run:
    """The documents that one run has in hand."""

    def __init__(
        self, publisher: Publisher, settings: Settings, encoder: Encoder, resumed_since: datetime | None
    ) -> None:
        self._publisher = publisher
        self._staging = settings.home / STAGING
        self._encoder = encoder
        self._resumed_since = resumed_since
        self._documents: deque[_Document] = deque()
        self.waiting = 0  # passages not yet handed to the encoder

    @property
    def is_idle(self) -> bool:
        return not self._documents

    @property
    def current(self) -> CurrentItem | None:
        """The document that will be published next."""
        if not self._documents:
            return None
        first = self._documents[0]
        return CurrentItem(first.read.input.source, first.done, len(first.file.passages))

    def accept(self, found: FileRead) -> None:
        """Settle what needs no encoding; queue the rest."""
        if found.error is not None:
            self._publisher.fail(found, found.error)
        elif found.known is not None:
            outcome = _known_outcome(found.known, self._resumed_since)
            self._publisher.settle(found, found.known, outcome)
        elif found.file is not None:
            document = _Document(found, found.file, Spool(self._staging))
            if found.file.passages:
                self._documents.append(document)
                self.waiting += len(found.file.passages)
            else:
                self._publish(document)

    def next_window(self, size: int) -> list[tuple[_Document, Passage]]:
        """The next passages in the order of the documents, of several where the first is short."""
        window: list[tuple[_Document, Passage]] = []
        for document in islice(self._documents, _MOST_AT_ONCE):
            stop = document.taken + size - len(window)
            chosen = document.file.passages[document.taken : stop]
            window.extend((document, passage) for passage in chosen)
            document.taken += len(chosen)
            if len(window) >= size:
                break
        self.waiting -= len(window)
        return window

    def encoded(
        self, window: Sequence[tuple[_Document, Passage]], found: Sequence[EncodedText | None]
    ) -> None:
        """Keep the vectors, and publish every document that has all of its own."""
        for (document, passage), one in zip(window, found, strict=True):
            assert one is not None
            document.encoded.extend((EncodedPassage(passage, one.vector, one.sentences),))
        while self._documents and self._documents[0].is_encoded:
            self._publish(self._documents.popleft())

    def close(self) -> None:
        for document in self._documents:
            document.encoded.close()

    def _publish(self, document: _Document) -> None:
        self._publisher.publish(document.read, document.file, document.encoded, self._encoder.signature)


class _Telling:
    """Tells which input is in work, now and then."""

    def __init__(self, reader: Reader, run: _Run, reached: Callable[[CurrentItem], None] | None) -> None:
        self._reader = reader
        self._run = run
        self._reached = reached
        self._next_at = time.monotonic() + TOLD_EVERY_S

    def tell(self) -> None:
        if self._reached is None or time.monotonic() < self._next_at:
            return
        self._next_at = time.monotonic() + TOLD_EVERY_S
        current = self._run.current
        if current is None and (source := self._reader.reading):
            current = CurrentItem(source, 0, 0)
        if current is not None:
            self._reached(current)


def _known_outcome(known: DocumentSummary, resumed_since: datetime | None) -> IngestOutcome:
    if known.status.value == IngestOutcome.UNREADABLE.value:
        return IngestOutcome.UNREADABLE
    if resumed_since is not None and known.updated_at >= resumed_since:
        return IngestOutcome.READY if known.version == 1 else IngestOutcome.UPDATED
    return IngestOutcome.UNCHANGED


_SECONDS = 1.2  # one call of the encoder lasts about this long, so that a job is cancelled within 2 s
_WINDOW_SECONDS = 6.0  # what a kill may cost, and how late a document is published at most
_SMALLEST, _LARGEST = 32, 512
_STEP = 16  # the encoder's usual batch: a half-filled one is half wasted


class Pace:
    """Learns from the calls so far."""

    def __init__(self, smallest: int = _SMALLEST, largest: int = _LARGEST) -> None:
        self._smallest = smallest
        self._largest = largest
        self._rate = 0.0  # passages a second; older calls count less and less

    @property
    def size(self) -> int:
        """Number of passages for the next call."""
        return self._within(self._rate * _SECONDS, self._smallest)

    @property
    def window(self) -> int:
        """Over how many passages to look for those of equal lengths; at least `size`."""
        return self._within(self._rate * _WINDOW_SECONDS, 2 * self._smallest)

    def _within(self, passages: float, least: int) -> int:
        return max(least, min(self._largest, int(passages) // _STEP * _STEP))

    def note(self, passages: int, seconds: float) -> None:
        """Learn from a call."""
        rate = passages / max(seconds, 1e-6)
        self._rate = rate if not self._rate else 0.7 * self._rate + 0.3 * rate
