"""The parser processes: one file each at a time, with a time limit, unharmed by a crash."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType

from core.config.models import Settings
from core.domain.reading import PageReading
from core.errors import InputError
from core.ingest.parse_process import ParsedFile, ParseReply, ParseSetup, ParseTask, out_of_memory, pool_size
from core.processes.tasks import TaskEndedError, TaskKilledError, TaskLateError, TaskPool

_LEAST_TIME = 0.2
_FULL_TIME_MB = 15.0
_AFTER_A_CRASH = "Open it in its own program, save it again and retry."
_AFTER_TOO_LONG = "Split the file, or raise ingest.parse_timeout_s."


class ParsePool:
    """Parses files in child processes that start when they are needed. Thread-safe."""

    def __init__(self, settings: Settings, module: str = "core.ingest.parse_process") -> None:
        self._settings = settings
        self._children = TaskPool(
            module, ParseSetup(settings), pool_size(settings.ingest), "parser", out_of_memory()
        )

    @property
    def size(self) -> int:
        """How many files are parsed at a time."""
        return self._children.size

    def warm(self, processes: int = 1) -> list[threading.Thread]:
        """Start some processes in the background, for files that are soon to come; returns at once.

        Gives the threads that do it, which end when the processes are ready.
        """
        return self._children.warm(processes)

    def parse(self, path: Path, source: str, readings: Sequence[PageReading] = ()) -> ParsedFile:
        """The document and its passages; blocks, and waits for a free process.

        readings: what was read off its page images, for pages without text.
        Raises InputError, also where the parser crashed or took too long; ChildStartError; PoolClosedError
        once the pool is closed. A file whose parser was killed is tried once more: it may not have been the
        file's fault.
        """
        try:
            try:
                reply = self._ask(path, source, readings)
            except TaskKilledError:
                reply = self._ask(path, source, readings)
        except TaskEndedError as ended:
            instead = _AFTER_TOO_LONG if isinstance(ended, TaskLateError) else _AFTER_A_CRASH
            raise InputError(ended.reason, source=source, next_step=ended.next_step or instead) from ended
        if reply.file is None:
            raise InputError(reply.reason, source=source, next_step=reply.next_step)
        return reply.file

    def _ask(self, path: Path, source: str, readings: Sequence[PageReading]) -> ParseReply:
        timeout_s = time_allowed(path, self._settings.ingest.parse_timeout_s)
        reply: ParseReply = self._children.ask(ParseTask(str(path), source, tuple(readings)), timeout_s)
        return reply

    def close(self) -> None:
        """End every child now, also one that is at work; safe to call twice."""
        self._children.close()

    def __enter__(self) -> ParsePool:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def time_allowed(path: Path, most_s: float) -> float:
    """How long a file may take: a fifth of the most where it is small, all of it from 12 MB on.

    The largest ordinary files need seconds (2,000 pages of PDF: 6 s), so what is small and still slow is
    damaged or hostile, and should not hold up a parser as long as a large one may.
    """
    try:
        size_mb = path.stat().st_size / 1e6
    except OSError:  # the parser says what is wrong with it
        size_mb = 0.0
    return most_s * min(1.0, _LEAST_TIME + size_mb / _FULL_TIME_MB)
