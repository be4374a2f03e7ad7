"""Text recognition as a durable job: page by page, each kept at once; then documents are ingested anew."""

from __future__ import annotations

import importlib
import logging
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from core.config.models import Settings
from core.domain.document import PDF, DocumentVersion, PageReading
from core.domain.ids import ContentHash
from core.domain.job import CurrentItem
from core.errors import InputError, NotFoundError
from core.ingest.ocr import LineReader
from core.jobs.base import JobContext, JobHandler
from core.processes.children import TaskPool
from core.processes.loop import Reply, limit_memory, serve
from core.store.base import JobItem
from core.store.database.visibility import Visibility
from core.store.store import Records

RAPID = "core.ingest.ocr:RapidReader"
PAGE_WITHIN_S = 300.0  # a page takes 5 to 20 s of a core; a laptop at work has less than one
DPI = 200
_LEAST_PX, _MOST_PX = 600, 3_000
_NICENESS = 10  # a scan can wait; people and other files come first
_RENEW_ABOVE_MB = 2_000
_OUT_OF_MEMORY = ("Text recognition ran out of memory.", "Raise ingest.parse_memory_mb.")
_log = logging.getLogger(__name__)
_EVERYTHING = Visibility.everything()


@dataclass(frozen=True, slots=True)
class OcrSetup:
    """reader: `module:class` of a LineReader. memory_mb: what the process may take."""

    reader: str
    memory_mb: int


@dataclass(frozen=True, slots=True)
class OcrTask:
    """A page of a PDF, from 1."""

    path: Path
    page_no: int


class OcrPool(TaskPool):
    """One process, since recognition fills a core. Thread-safe; starts with the first page."""

    def __init__(self, settings: Settings, reader: str = RAPID) -> None:
        setup = OcrSetup(reader, settings.ingest.parse_memory_mb)
        super().__init__(__name__, setup, 1, "text recognition", _OUT_OF_MEMORY)

    def read(self, path: Path, page_no: int) -> PageReading:
        """Text on page `page_no` of a PDF; blocks.

        Raises InputError where the page cannot be read, crashes the process or takes too long,
        ChildStartError where the process does not start, and PoolClosedError once the pool is closed.
        """
        reply = self.reply(OcrTask(path, page_no), PAGE_WITHIN_S)
        if reply.value is None:
            raise InputError(reply.reason, source=path.name, next_step=reply.next_step)
        reading: PageReading = reply.value
        return reading


def read_page(task: OcrTask, reader: LineReader) -> Reply[PageReading]:
    """Draw a page and read it; every way to fail is a reply with its reason."""
    from core.ingest.image_text import arrange
    from core.ingest.pdfium.base import PdfDamagedError, PdfLockedError
    from core.ingest.pdfium.document import PdfFile

    try:
        with PdfFile(task.path) as file, file.page(task.page_no) as page:
            width_pt, _ = page.size
            image = page.jpeg(min(_MOST_PX, max(_LEAST_PX, round(width_pt / 72 * DPI))))
        return Reply(arrange(task.page_no, reader.read(image)))
    except InputError as error:
        return Reply(None, error.message, error.next_step)
    except (PdfLockedError, PdfDamagedError, OSError):
        return Reply(None, "The page cannot be drawn.", "Save the file again in its own program.")
    except MemoryError:
        return Reply(None, *_OUT_OF_MEMORY, is_last=True)


def main() -> None:
    """Serve tasks until the input ends."""
    serve(_start, niceness=_NICENESS, renew_above_mb=_RENEW_ABOVE_MB)


def _start(setup: OcrSetup) -> Callable[[OcrTask], Reply[PageReading]]:
    module, _, name = setup.reader.partition(":")
    limit_memory(setup.memory_mb)
    reader: LineReader = getattr(importlib.import_module(module), name)()
    return lambda task: read_page(task, reader)


class PageReader(Protocol):
    """Reads pages; an OcrPool is one."""

    def read(self, path: Path, page_no: int) -> PageReading:
        """Text on a page. Raises InputError."""
        ...


class OcrJob:
    """The handler of the job kind `ocr`.

    Reads every page without text of the documents that the job names, and keeps it by its original; a page
    that was read by an earlier attempt is not read again. ingest: makes new versions of the documents then,
    out of what was read: the handler of `reingest`, whose items these are.
    """

    def __init__(self, records: Records, pages: PageReader, ingest: JobHandler) -> None:
        self._records = records
        self._pages = pages
        self._ingest = ingest

    def prepare(self, context: JobContext) -> None:
        """See JobHandler."""
        self._ingest.prepare(context)

    def work(self, context: JobContext) -> bool:
        """Read pages until none is left or the slice has lasted long enough; then ingest."""
        for item in self._records.jobs.pending(context.order.id):
            if not self._read(item, context):
                return True
        return self._ingest.work(context)

    def _read(self, item: JobItem, context: JobContext) -> bool:
        """Read what is left of one document; gives whether all of it is read now."""
        original = ContentHash(str(item.payload.get("kept", "")))
        path = Path(str(item.payload.get("path", "")))
        if not original or not path.is_file():
            return True  # the ingest says what is wrong
        wanted = list(self._without_text(item))
        known = self._records.page_readings.pages(original)
        done = sum(number in known for number in wanted)
        for number in wanted:
            if number in known:
                continue
            context.check()
            self._records.jobs.set_current(context.order.id, CurrentItem(item.source, done, len(wanted)))
            self._records.page_readings.put(original, self._page(item, path, number))
            done += 1
            if context.should_yield():
                return done == len(wanted)
        return True

    def _page(self, item: JobItem, path: Path, number: int) -> PageReading:
        """The page; one that cannot be read stays without text, and is not tried again by itself."""
        try:
            return self._pages.read(path, number)
        except InputError as error:
            _log.warning("Page %d of %r was not read: %s", number, item.source, error.message)
            return PageReading(number, "")

    def _without_text(self, item: JobItem) -> Iterator[int]:
        document = self._current(item)
        if document is None or document.summary.media_type != PDF:
            return
        for page in document.pages:
            if not page.text.strip():
                yield page.page_no

    def _current(self, item: JobItem) -> DocumentVersion | None:
        try:
            found = self._records.documents.find(item.bucket, item.source)
            return None if found is None else self._records.documents.version(found.id, None, _EVERYTHING)
        except NotFoundError:
            return None
