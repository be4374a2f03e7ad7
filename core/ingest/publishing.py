"""Stores what was read and encoded, in a thread of its own: the encoder waits neither for disk nor index."""

from __future__ import annotations

import pickle
import queue
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import IO

from core.domain.document import DocumentSummary, IngestOutcome
from core.domain.job import Decision, IngestItem
from core.domain.passage import EncodedPassage
from core.encode.base import EncoderSignature
from core.errors import InputError, RecordsError
from core.index.base import SearchEngine
from core.index.sync import catch_up
from core.ingest.intake import IngestInput
from core.ingest.parse_pool import ParsedFile
from core.ingest.reading import FileRead
from core.store.base import NewVersion
from core.store.store import Records

_WAITING = 4  # documents with their vectors, each of which a Spool bounds
_NOTE_EVERY_S = 0.25
_INDEX_EVERY_S = 5.0
_INDEX_EVERY = 1_000  # passages
_INDEX_SHARE = 20  # an index that takes long is brought up to date less often: a twentieth of the time

Note = Callable[[Mapping[int, IngestItem]], None]


@dataclass(frozen=True, slots=True)
class _Task:
    do: Callable[[], None]
    spool: Spool | None = None


class Publisher:
    """Publishes, notes and indexes in the order in which it is told to; to be used in a `with` statement.

    What fails in its thread is raised by the next call, and nothing is published after it.
    """

    def __init__(self, records: Records, engine: SearchEngine, note: Note) -> None:
        self._records = records
        self._engine = engine
        self._note = note
        self._tasks: queue.Queue[_Task | None] = queue.Queue(_WAITING)
        self._failure: BaseException | None = None
        self._thread = threading.Thread(target=self._work, name="publisher", daemon=True)
        self._outcomes: dict[int, IngestItem] = {}
        self._noted_at = 0.0
        self._unindexed = 0
        self._is_stale = False
        self._index_at = time.monotonic() + _INDEX_EVERY_S

    def publish(self, read: FileRead, file: ParsedFile, encoded: Spool, encoder: EncoderSignature) -> None:
        """Make a document of the file, and close `encoded`; waits while several others wait."""
        self._put(_Task(lambda: self._publish(read, file, encoded, encoder), encoded))

    def settle(self, read: FileRead, known: DocumentSummary, outcome: IngestOutcome) -> None:
        """Note an input that needs nothing."""
        self._put(_Task(lambda: self._settle(read, known, outcome)))

    def fail(self, found: FileRead, error: InputError) -> None:
        """Note an input that cannot be read, and list it among the documents."""
        self._put(_Task(lambda: self._fail(found, error)))

    def finish(self) -> None:
        """Wait until everything is published and noted and the index is current."""
        self._put(_Task(self._conclude))
        self._end()
        self._raise_failure()

    def __enter__(self) -> Publisher:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        """Publish and note what waits, without the index."""
        self._end()

    def _end(self) -> None:
        if self._thread.is_alive():
            self._tasks.put(None)
            self._thread.join()

    def _put(self, task: _Task) -> None:
        if self._failure is not None and task.spool is not None:
            task.spool.close()
        self._raise_failure()
        self._tasks.put(task)

    def _raise_failure(self) -> None:
        if self._failure is not None:
            raise self._failure

    def _work(self) -> None:
        is_open = True
        while is_open:
            task = self._next()
            is_open = task is not _END
            try:
                if self._failure is None:
                    self._do(task)
            except BaseException as error:  # raised again where the pipeline runs
                self._failure = error
            finally:
                if task.spool is not None:
                    task.spool.close()

    def _next(self) -> _Task:
        try:
            return self._tasks.get(timeout=_NOTE_EVERY_S) or _END
        except queue.Empty:
            return _NOTHING

    def _do(self, task: _Task) -> None:
        task.do()
        now = time.monotonic()
        if task is _END or now - self._noted_at >= _NOTE_EVERY_S:
            self._noted_at = now
            self._flush()
        if task is not _END and self._is_stale and (now >= self._index_at or self._unindexed >= _INDEX_EVERY):
            self._index()

    def _conclude(self) -> None:
        self._flush()
        self._index()

    def _flush(self) -> None:
        if self._outcomes:
            self._note(self._outcomes)
            self._outcomes = {}

    def _index(self) -> None:
        began = time.monotonic()
        if self._is_stale:
            catch_up(self._engine, self._records)
            self._unindexed, self._is_stale = 0, False
        ended = time.monotonic()
        self._index_at = ended + max(_INDEX_EVERY_S, _INDEX_SHARE * (ended - began))

    def _publish(self, read: FileRead, file: ParsedFile, encoded: Spool, encoder: EncoderSignature) -> None:
        published = self._records.documents.publish(
            NewVersion(
                bucket=read.input.bucket,
                source=read.input.source,
                parsed=file.parsed,
                content_hash=read.content_hash,
                size_bytes=read.size_bytes,
                passages=iter(encoded),
                acl=read.input.acl,
                encoder=encoder if file.passages else None,
                force=read.input.force,
            )
        )
        self._unindexed += published.passages
        self._is_stale = True
        self._outcomes[read.input.ordinal] = IngestItem(
            document=published.document,
            source=read.input.source,
            title=published.title,
            bucket=read.input.bucket,
            outcome=published.outcome,
            reason=published.reason,
            pages=published.pages,
            passages=published.passages,
            decision=read.decision,
            remark=read.remark,
        )

    def _fail(self, found: FileRead, error: InputError) -> None:
        reason = error.explanation
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
        # A name that never led to a file (a typing error, a hostile archive entry) is no document, and one
        # that was removed before it could be read again is none any more.
        is_gone = found.input.kept and not self._is_known(found.input)
        if not is_gone and (not found.input.problem or found.input.path.is_file()):
            failed = self._records.documents.record_failure(
                found.input.bucket,
                found.input.source,
                reason,
                content_hash=found.content_hash,
                size_bytes=found.size_bytes,
                acl=found.input.acl,
            )
            outcome = replace(outcome, document=failed.document, title=failed.title)
            self._is_stale = True
        self._outcomes[found.input.ordinal] = outcome

    def _is_known(self, item: IngestInput) -> bool:
        return self._records.documents.find(item.bucket, item.source) is not None

    def _settle(self, read: FileRead, known: DocumentSummary, outcome: IngestOutcome) -> None:
        item = read.input
        self._is_stale = self._is_stale or read.decision is Decision.RENAMED
        self._outcomes[item.ordinal] = IngestItem(
            document=known.id,
            source=item.source,
            title=known.title,
            bucket=item.bucket,
            outcome=outcome,
            reason=known.reason,
            pages=known.pages,
            passages=known.passages,
            decision=read.decision,
            remark=read.remark,
        )


_NOTHING = _Task(lambda: None)
_END = _Task(lambda: None)


IN_MEMORY = 2_000  # about 15 kB each, nearly all of it sentence vectors


class Spool:
    """Takes passages in order and gives them back in order. Not thread-safe."""

    def __init__(self, folder: Path, in_memory: int = IN_MEMORY) -> None:
        self._folder = folder
        self._in_memory = in_memory
        self._newest: list[EncodedPassage] = []
        self._file: IO[bytes] | None = None
        self._count = 0

    def __len__(self) -> int:
        return self._count

    def extend(self, passages: Sequence[EncodedPassage]) -> None:
        """Add passages. Raises RecordsError where the disk is full."""
        self._newest.extend(passages)
        self._count += len(passages)
        if len(self._newest) < self._in_memory:
            return
        try:
            if self._file is None:
                self._folder.mkdir(parents=True, exist_ok=True)
                # Without a name: a killed worker leaves nothing behind.
                self._file = tempfile.TemporaryFile(dir=self._folder)  # noqa: SIM115 - closed by close()
            pickle.dump(self._newest, self._file, protocol=pickle.HIGHEST_PROTOCOL)
        except OSError as error:
            raise RecordsError(
                f"The folder {str(self._folder)!r} cannot be written: {error.strerror or error}.",
                next_step="Free some disk space, then resume the job.",
            ) from error
        self._newest = []

    def __iter__(self) -> Iterator[EncodedPassage]:
        if self._file is not None:
            self._file.seek(0)
            while True:
                try:
                    yield from pickle.load(self._file)
                except EOFError:
                    break
        yield from self._newest

    def close(self) -> None:
        """Forget everything."""
        self._newest = []
        if self._file is not None:
            self._file.close()
            self._file = None
