"""Reads files ahead of the encoder: hash, keep the original, parse and chunk in child processes."""

from __future__ import annotations

import hashlib
import stat
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from core.config.models import Settings
from core.domain.document import DocumentStatus, DocumentSummary
from core.domain.ids import ContentHash
from core.domain.job import Decision
from core.errors import InputError
from core.ingest.arrivals import Arrivals
from core.ingest.intake import NO_HASH, IngestInput
from core.ingest.parse_pool import ParsedFile, ParsePool
from core.processes.children import PoolClosedError
from core.store.store import Records

_CHUNK = 1 << 20
_PASSAGES_AHEAD = 1_500  # about 5 MB; a single larger document still goes through
_FILES_AHEAD = 64


@dataclass(frozen=True, slots=True)
class FileRead:
    """Outcome of reading an input: exactly one of known (nothing to do), file and error is set."""

    input: IngestInput
    content_hash: ContentHash = NO_HASH
    size_bytes: int = 0
    known: DocumentSummary | None = None
    file: ParsedFile | None = None
    error: InputError | None = None
    decision: Decision = Decision.NONE
    remark: str = ""

    @property
    def weight(self) -> int:
        """Number of passages that it brings."""
        return len(self.file.passages) if self.file is not None else 0


class Reader:
    """Reads inputs with as many threads as the pool has processes, at most a bounded distance ahead.

    Results come in the order of being ready. `stop_early` ends it after the files that are being read.
    """

    def __init__(
        self,
        records: Records,
        settings: Settings,
        pool: ParsePool,
        inputs: Iterable[IngestInput],
        is_done: Callable[[DocumentSummary, IngestInput], bool],
        arrivals: Arrivals,
    ) -> None:
        self._records = records
        self._arrivals = arrivals
        self._limit = settings.ingest.max_file_mb * 1_000_000
        self._pool = pool
        self._inputs = iter(inputs)
        self._is_done = is_done
        self._changed = threading.Condition()  # guards all that follows
        self._ready: deque[FileRead] = deque()
        self._passages = 0
        self._active = pool.size
        self._is_stopping = False
        self._failure: BaseException | None = None
        self._reading: list[IngestInput] = []  # the longest in work first
        self._threads = [
            threading.Thread(target=self._read_all, name=f"reader-{number}", daemon=True)
            for number in range(pool.size)
        ]

    def __enter__(self) -> Reader:
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop_early()
        for thread in self._threads:
            thread.join()

    def stop_early(self) -> None:
        """Begin no other file."""
        with self._changed:
            self._is_stopping = True
            self._changed.notify_all()

    def take(self, timeout_s: float) -> list[FileRead]:
        """All files that are ready, [] after `timeout_s` without any or at the end.

        Raises what a thread met that is not the fault of one file.
        """
        with self._changed:
            self._changed.wait_for(lambda: self._ready or not self._active or self._failure, timeout_s)
            if self._failure is not None:
                raise self._failure
            taken = list(self._ready)
            self._ready.clear()
            self._passages = 0
            self._changed.notify_all()
            return taken

    @property
    def reading(self) -> str:
        """The input that has been read for longest, "" where none is."""
        with self._changed:
            return self._reading[0].source if self._reading else ""

    @property
    def is_finished(self) -> bool:
        """True where `take` will give nothing more."""
        with self._changed:
            return not self._active and not self._ready

    def _read_all(self) -> None:
        try:
            for item in self._next_inputs():
                with self._changed:
                    self._reading.append(item)
                found = self._read(item)
                with self._changed:
                    self._reading.remove(item)
                    self._ready.append(found)
                    self._passages += found.weight
                    self._changed.notify_all()
        except PoolClosedError:
            pass
        except BaseException as error:
            with self._changed:
                self._failure = self._failure or error
        finally:
            with self._changed:
                self._active -= 1
                self._changed.notify_all()

    def _next_inputs(self) -> Iterator[IngestInput]:
        while True:
            with self._changed:
                self._changed.wait_for(
                    lambda: (
                        self._is_stopping
                        or (self._passages < _PASSAGES_AHEAD and len(self._ready) < _FILES_AHEAD)
                    )
                )
                item = None if self._is_stopping or self._failure else next(self._inputs, None)
            if item is None:
                return
            yield item

    def _read(self, item: IngestInput) -> FileRead:
        digest, size = NO_HASH, 0
        try:
            if item.problem:
                raise InputError(item.problem, source=item.source, next_step=item.next_step)
            digest, size = self._hash(item)
            placed = self._arrivals.place(item, digest)
            item, known = placed.input, placed.known
            if item.kept:
                _check_kept(item, known, digest)
            if known is not None and known.content_hash == digest and self._is_done(known, item):
                if digest and not self._records.blobs.exists(digest):
                    self._records.blobs.put(item.path)  # the original had been lost
                return FileRead(
                    item, digest, size, known=known, decision=placed.decision, remark=placed.remark
                )
            path = item.path
            if digest:
                digest = self._records.blobs.put(path)
                path = self._records.blobs.path(digest)  # what is parsed is what is kept
            readings = self._records.page_readings.of(digest) if digest else ()
            file = self._pool.parse(path, item.source, readings)
            placed = self._arrivals.judge(placed, digest, file.parsed)
            return FileRead(
                placed.input, digest, size, file=file, decision=placed.decision, remark=placed.remark
            )
        except InputError as error:
            return FileRead(item, digest, size, error=error)

    def _hash(self, item: IngestInput) -> tuple[ContentHash, int]:
        """("", size) for a file beyond the limit, which the parser refuses by its size."""
        try:
            status = item.path.stat()
            if not stat.S_ISREG(status.st_mode):
                raise InputError("It is not a file.", source=item.source, next_step="Name files or folders.")
            if status.st_size > self._limit:
                return NO_HASH, status.st_size
            digest = hashlib.sha256()
            with item.path.open("rb") as stream:
                while data := stream.read(_CHUNK):
                    digest.update(data)
            return ContentHash(digest.hexdigest()), status.st_size
        except FileNotFoundError as error:
            raise InputError(
                "The file is no longer there.", source=item.source, next_step="Restore it and add it again."
            ) from error
        except OSError as error:
            raise InputError(
                f"The file cannot be read: {error.strerror or error}.",
                source=item.source,
                next_step="Check its rights and the disk.",
            ) from error


def _check_kept(item: IngestInput, known: DocumentSummary | None, digest: ContentHash) -> None:
    """Raises InputError where a re-ingest has lost its document or its original."""
    if known is None:
        raise InputError("The document was removed.", source=item.source, next_step="Add the file again.")
    if digest != item.kept:
        raise InputError(
            "The original that was kept is damaged; what was read from it before stays.",
            source=item.source,
            next_step="Add the file again, or restore a backup.",
        )


def is_unchanged(known: DocumentSummary, item: IngestInput) -> bool:
    """True where a document with the same bytes needs nothing at all: no retry, no new acl, no re-read."""
    has_other_acl = item.acl is not None and tuple(sorted(set(item.acl))) != known.acl
    if item.force or known.version == 0 or has_other_acl:
        return False
    is_noted = known.status is DocumentStatus.READY and bool(known.reason)  # a failure that is now over
    return known.status not in (DocumentStatus.FAILED, DocumentStatus.GONE) and not is_noted
