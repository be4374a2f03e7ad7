"""Extracts documents in child processes, so that every core is used and no text harms the worker."""

from __future__ import annotations

from types import TracebackType

from core.config.models import Settings
from core.extract.definitions import Definitions
from core.extract.jobs.process import out_of_memory
from core.extract.jobs.task import ExtractReply, ExtractSetup, ExtractTask
from core.ingest.parse_process import pool_size
from core.processes.tasks import TaskEndedError, TaskKilledError, TaskLateError, TaskPool

_SHORT_S, _PER_MILLION_S, _LONG_S = 60.0, 120.0, 900.0  # a million characters take about 10 s


class ExtractPool:
    """Child processes that extract under one set of definitions. Thread-safe; starts what it needs."""

    def __init__(
        self, settings: Settings, definitions: Definitions, module: str = "core.extract.jobs.process"
    ) -> None:
        self.definitions = definitions
        self.size = pool_size(settings.ingest)
        setup = ExtractSetup(settings, definitions)
        self._children = TaskPool(module, setup, self.size, "extractor", out_of_memory())

    def warm(self) -> None:
        """Start one process in the background; returns at once."""
        self._children.warm()

    def extract(self, task: ExtractTask) -> ExtractReply:
        """What came of a task; blocks, and waits for a free process.

        Every way in which a document can fail is a reply. One that was killed is tried once more. Raises
        ChildStartError, and PoolClosedError once the pool is closed.
        """
        try:
            try:
                return self._ask(task)
            except TaskKilledError:
                return self._ask(task)
        except TaskLateError as late:
            return ExtractReply(None, late.reason, "Split the document.")
        except TaskEndedError as ended:
            return ExtractReply(None, ended.reason, ended.next_step or "Report this document.")

    def _ask(self, task: ExtractTask) -> ExtractReply:
        reply: ExtractReply = self._children.ask(task, time_allowed(len(task.text.text)))
        return reply

    def close(self) -> None:
        """End every child now, also one that is at work; safe to call twice."""
        self._children.close()

    def __enter__(self) -> ExtractPool:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def time_allowed(characters: int) -> float:
    """How many seconds a text may take: many times what it needs."""
    return min(_LONG_S, _SHORT_S + _PER_MILLION_S * characters / 1e6)
