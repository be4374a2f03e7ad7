"""A pool of parser processes: one file each at a time, with a time limit, unharmed by a crash."""

from __future__ import annotations

import signal
import tempfile
import threading
from pathlib import Path
from types import TracebackType
from typing import IO

from core.config.models import Settings
from core.errors import InputError, ParserStartError
from core.ingest.children import Child, ChildPool, PoolClosedError
from core.ingest.parse_process import (
    ParsedFile,
    ParseReply,
    ParseSetup,
    ParseTask,
    out_of_memory,
    pool_size,
)

_START_WITHIN_S = 60.0
_LEAST_TIME = 0.2
_FULL_TIME_MB = 15.0


class ParsePool:
    """Parses files in child processes that start when they are needed. Thread-safe."""

    def __init__(self, settings: Settings, module: str = "core.ingest.parse_process") -> None:
        self._settings = settings
        self._pool = ChildPool(pool_size(settings.ingest), lambda: _Parser(module))

    @property
    def size(self) -> int:
        """How many files are parsed at a time."""
        return self._pool.size

    def warm(self, processes: int = 1) -> list[threading.Thread]:
        """Start some processes in the background, for files that are soon to come; returns at once.

        Gives the threads that do it, which end when the processes are ready.
        """
        threads = [
            threading.Thread(target=self._warm_one, name="parser-start", daemon=True)
            for _ in range(min(processes, self.size))
        ]
        for thread in threads:
            thread.start()
        return threads

    def parse(self, path: Path, source: str) -> ParsedFile:
        """The document and its passages; blocks, and waits for a free process.

        Raises InputError, also where the parser crashed or took too long; ParserStartError; PoolClosedError
        once the pool is closed. A file whose parser was killed is tried once more: it may not have been the
        file's fault.
        """
        try:
            reply = self._ask(path, source)
        except _KilledError:
            try:
                reply = self._ask(path, source)
            except _KilledError as killed:
                raise InputError(killed.reason, source=source, next_step=killed.next_step) from killed
        if reply.file is None:
            raise InputError(reply.reason, source=source, next_step=reply.next_step)
        return reply.file

    def _ask(self, path: Path, source: str) -> ParseReply:
        timeout_s = time_allowed(path, self._settings.ingest.parse_timeout_s)
        try:
            with self._pool.taken() as parser:
                parser.start_once(self._settings)
                return parser.ask(ParseTask(str(path), source), timeout_s)
        except (_EndedError, ParserStartError) as ended:
            if self._pool.is_closed:
                raise PoolClosedError from ended
            if isinstance(ended, ParserStartError | _KilledError):
                raise
            raise InputError(ended.reason, source=source, next_step=ended.next_step) from ended

    def _warm_one(self) -> None:
        try:
            with self._pool.taken() as parser:
                parser.start_once(self._settings)
        except (ParserStartError, PoolClosedError):
            pass  # the first file finds out and says so

    def close(self) -> None:
        """End every child now, also one that is at work; safe to call twice."""
        self._pool.close()

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


class _EndedError(Exception):
    def __init__(self, reason: str, next_step: str) -> None:
        super().__init__(reason)
        self.reason = reason
        self.next_step = next_step


class _KilledError(_EndedError):
    """Somebody killed it: the system, for want of memory, or a person."""


class _Parser(Child):
    """One parser process."""

    def __init__(self, module: str) -> None:
        single = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
        self._errors: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115 - closed by kill()
        super().__init__(
            module, errors=self._errors, environment={**single, "TOKENIZERS_PARALLELISM": "false"}
        )
        self._is_ready = False

    def start_once(self, settings: Settings) -> None:
        """Hand over the settings and wait until it is ready. Raises ParserStartError."""
        if self._is_ready:
            return
        try:
            self._asked(ParseSetup(settings), _START_WITHIN_S)
        except _EndedError as ended:
            self._errors.seek(0)
            last = self._errors.read().decode(errors="replace").strip().splitlines()[-1:] or [ended.reason]
            raise ParserStartError(
                f"The parser process does not start: {last[0]}", next_step="Run `groundwork doctor`."
            ) from ended
        self._is_ready = True

    def ask(self, task: ParseTask, timeout_s: float) -> ParseReply:
        """Raises _EndedError where the child crashed, was killed, or took too long."""
        reply: ParseReply = self._asked(task, timeout_s)  # type: ignore[assignment]
        self.is_spent = reply.is_last
        return reply

    def kill(self) -> None:
        """See Child."""
        super().kill()
        self._errors.close()

    def _asked(self, message: object, timeout_s: float) -> object:
        try:
            return self.exchange(message, timeout_s)
        except TimeoutError:
            raise _EndedError(
                f"The parser took longer than {timeout_s:g} s.",
                "Split the file, or raise ingest.parse_timeout_s.",
            ) from None
        except EOFError:
            raise self._explained(self.end()) from None

    @staticmethod
    def _explained(code: int) -> _EndedError:
        if code == -signal.SIGKILL:
            return _KilledError("The parser was killed, or ran out of memory.", out_of_memory()[1])
        if code == -signal.SIGABRT:
            return _EndedError(*out_of_memory())
        return _EndedError(
            "The parser crashed on it.", "Open it in its own program, save it again and retry."
        )
