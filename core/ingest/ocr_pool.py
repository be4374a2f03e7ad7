"""Reads pages in a child process, each within a time limit, unharmed by a crash."""

from __future__ import annotations

from pathlib import Path

from core.config.models import Settings
from core.domain.reading import PageReading
from core.errors import InputError
from core.ingest.ocr_process import OcrReply, OcrSetup, OcrTask, out_of_memory
from core.processes.tasks import TaskEndedError, TaskKilledError, TaskPool

RAPID = "core.ingest.ocr:RapidReader"
PAGE_WITHIN_S = 300.0  # a page takes 5 to 20 s of a core; a laptop at work has less than one


class OcrPool:
    """One process, since recognition fills a core. Thread-safe; starts with the first page."""

    def __init__(
        self, settings: Settings, reader: str = RAPID, *, page_within_s: float = PAGE_WITHIN_S
    ) -> None:
        self._page_within_s = page_within_s
        setup = OcrSetup(reader, settings.ingest.parse_memory_mb)
        self._children = TaskPool("core.ingest.ocr_process", setup, 1, "text recognition", out_of_memory())

    def read(self, path: Path, page_no: int) -> PageReading:
        """What stands on page `page_no` of a PDF; blocks.

        Raises InputError where the page cannot be read, crashes the process or takes too long,
        ChildStartError where the process does not start, and PoolClosedError once the pool is closed.
        """
        task = OcrTask(str(path), page_no)
        try:
            try:
                reply: OcrReply = self._children.ask(task, self._page_within_s)
            except TaskKilledError:
                reply = self._children.ask(task, self._page_within_s)
        except TaskEndedError as ended:
            raise InputError(ended.reason, source=path.name, next_step=ended.next_step) from ended
        if reply.reading is None:
            raise InputError(reply.reason, source=path.name, next_step=reply.next_step)
        return reply.reading

    def close(self) -> None:
        """End the process now, also while it is at work; safe to call twice."""
        self._children.close()
