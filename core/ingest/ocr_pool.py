"""Text recognition in a child process, page by page, each within a time limit, unharmed by a crash."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from core.config.models import Settings
from core.domain.document import PageReading
from core.errors import InputError
from core.ingest.ocr import LineReader
from core.processes.children import TaskPool
from core.processes.loop import Reply, limit_memory, serve

RAPID = "core.ingest.ocr:RapidReader"
PAGE_WITHIN_S = 300.0  # a page takes 5 to 20 s of a core; a laptop at work has less than one
DPI = 200
_LEAST_PX, _MOST_PX = 600, 3_000
_NICENESS = 10  # a scan can wait; people and other files come first
_RENEW_ABOVE_MB = 2_000
_OUT_OF_MEMORY = ("Text recognition ran out of memory.", "Raise ingest.parse_memory_mb.")


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

    def __init__(
        self, settings: Settings, reader: str = RAPID, *, page_within_s: float = PAGE_WITHIN_S
    ) -> None:
        self._page_within_s = page_within_s
        setup = OcrSetup(reader, settings.ingest.parse_memory_mb)
        super().__init__(__name__, setup, 1, "text recognition", _OUT_OF_MEMORY)

    def read(self, path: Path, page_no: int) -> PageReading:
        """Text on page `page_no` of a PDF; blocks.

        Raises InputError where the page cannot be read, crashes the process or takes too long,
        ChildStartError where the process does not start, and PoolClosedError once the pool is closed.
        """
        reply = self.reply(OcrTask(path, page_no), self._page_within_s)
        if reply.value is None:
            raise InputError(reply.reason, source=path.name, next_step=reply.next_step)
        reading: PageReading = reply.value
        return reading


def read_page(task: OcrTask, reader: LineReader) -> Reply[PageReading]:
    """Draw a page and read it; every way to fail is a reply with its reason."""
    from core.ingest.image_text import arrange
    from core.ingest.pdfium import PdfDamagedError, PdfFile, PdfLockedError

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
