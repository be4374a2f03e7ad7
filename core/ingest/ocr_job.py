"""Text recognition as a durable job: page by page, each kept at once; then documents are ingested anew."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from pathlib import Path
from typing import Protocol

from core.domain.document import PDF, DocumentVersion, PageReading
from core.domain.ids import ContentHash
from core.domain.job import CurrentItem
from core.errors import InputError, NotFoundError
from core.jobs.base import JobContext, JobHandler
from core.records.base import JobItem
from core.records.database.visibility import Visibility
from core.records.store import Records

_log = logging.getLogger(__name__)
_EVERYTHING = Visibility.everything()


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
