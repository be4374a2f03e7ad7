"""A pool of parser processes: one file each at a time, with a time limit, unharmed by a crash.

Plain child processes rather than `multiprocessing`: that would import the caller's `__main__` again, which
breaks `bench.ingest(...)` in a script without a guard, and a killed child can leave its shared locks taken.
"""

from __future__ import annotations

import contextlib
import os
import queue
import signal
import subprocess
import sys
import tempfile
import threading
from pathlib import Path
from types import TracebackType
from typing import IO

import core
from core.config.models import Settings
from core.errors import GroundworkError, InputError
from core.ingest.parse_process import (
    ParsedFile,
    ParseReply,
    ParseSetup,
    ParseTask,
    out_of_memory,
    pool_size,
    read_frame,
    write_frame,
)

_START_WITHIN_S = 60.0
_LEAST_TIME = 0.2
_FULL_TIME_MB = 15.0


class ParserStartError(GroundworkError):
    """A parser process does not start at all, so no file can be read."""


class ParserClosedError(Exception):
    """The pool was closed while a file was being parsed."""


class ParsePool:
    """Parses files in child processes that start when they are needed. Thread-safe."""

    def __init__(self, settings: Settings, module: str = "core.ingest.parse_process") -> None:
        self.size = pool_size(settings.ingest)
        self._settings = settings
        self._module = module
        self._idle: queue.LifoQueue[_Child | None] = queue.LifoQueue()
        self._lock = threading.Lock()  # guards _busy and _is_closed: no child outlives `close`
        self._busy: set[_Child] = set()
        self._is_closed = False
        for _ in range(self.size):
            self._idle.put(None)

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

        Raises InputError, also where the parser crashed or took too long; ParserStartError; ParserClosedError
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
        slot, child = self._idle.get(), None
        try:
            child = self._enter(slot)
            child.start_once(self._settings)
            timeout_s = time_allowed(path, self._settings.ingest.parse_timeout_s)
            return child.ask(ParseTask(str(path), source), timeout_s)
        except (_ChildEndedError, ParserStartError) as ended:
            if self._is_closed:
                raise ParserClosedError from ended
            if isinstance(ended, ParserStartError | _KilledError):
                raise
            raise InputError(ended.reason, source=source, next_step=ended.next_step) from ended
        finally:
            self._idle.put(None if child is None else self._leave(child))

    def _warm_one(self) -> None:
        slot, child = self._idle.get(), None
        try:
            child = self._enter(slot)
            child.start_once(self._settings)
        except (ParserStartError, ParserClosedError):
            pass  # the first file finds out and says so
        finally:
            self._idle.put(None if child is None else self._leave(child))

    def close(self) -> None:
        """End every child now, also one that is at work; safe to call twice."""
        with self._lock:
            self._is_closed = True
            busy = list(self._busy)
        for child in busy:
            child.interrupt()
        with contextlib.suppress(queue.Empty):
            while True:
                idle = self._idle.get_nowait()
                if idle is not None:
                    idle.kill()
        for _ in range(self.size):
            self._idle.put(None)

    def __enter__(self) -> ParsePool:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _enter(self, child: _Child | None) -> _Child:
        with self._lock:
            if self._is_closed:
                raise ParserClosedError
            if child is None or not child.is_alive:
                child = _Child(self._module)
            self._busy.add(child)
            return child

    def _leave(self, child: _Child) -> _Child | None:
        """The child if it can take another file."""
        with self._lock:
            self._busy.discard(child)
            if child.is_usable and not self._is_closed:
                return child
        child.kill()
        return None


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


class _ChildEndedError(Exception):
    def __init__(self, reason: str, next_step: str) -> None:
        super().__init__(reason)
        self.reason = reason
        self.next_step = next_step


class _KilledError(_ChildEndedError):
    """Somebody killed it: the system, for want of memory, or a person."""


class _Child:
    """One parser process and its pipes."""

    def __init__(self, module: str) -> None:
        root = str(Path(core.__file__).parents[1])
        paths = [root, *filter(None, [os.environ.get("PYTHONPATH")])]
        single = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
        self._errors: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115 - closed by kill()
        self._process = subprocess.Popen(
            # -P: a folder called `core` where the user stands must not be imported.
            [sys.executable, "-P", "-c", f"from {module} import main; main()"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._errors,
            env={
                **os.environ,
                **single,
                "TOKENIZERS_PARALLELISM": "false",
                "PYTHONPATH": os.pathsep.join(paths),
            },
            start_new_session=True,  # Ctrl-C is for the parent, which then ends its children in order
        )
        self._took_too_long = False
        self._is_ready = False
        self.is_usable = True

    @property
    def is_alive(self) -> bool:
        """False where the process ended while it was idle."""
        return self.is_usable and self._process.poll() is None

    def start_once(self, settings: Settings) -> None:
        """Hand over the settings and wait until it is ready. Raises ParserStartError."""
        if self._is_ready:
            return
        try:
            self._exchange(ParseSetup(settings), _START_WITHIN_S)
        except _ChildEndedError as ended:
            self._errors.seek(0)
            last = self._errors.read().decode(errors="replace").strip().splitlines()[-1:] or [ended.reason]
            raise ParserStartError(
                f"The parser process does not start: {last[0]}", next_step="Run `groundwork doctor`."
            ) from ended
        self._is_ready = True

    def ask(self, task: ParseTask, timeout_s: float) -> ParseReply:
        """Raises _ChildEndedError where the child crashed, was killed, or took too long."""
        reply: ParseReply = self._exchange(task, timeout_s)  # type: ignore[assignment]
        self.is_usable = not reply.is_last
        return reply

    def interrupt(self) -> None:
        """End the process; whoever waits for its reply is told, and cleans up."""
        self._process.kill()

    def kill(self) -> None:
        """End the process and let go of its pipes; for the only thread that uses it."""
        self.is_usable = False
        self._process.kill()
        self._process.wait()
        self._errors.close()
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                with contextlib.suppress(OSError):  # what was left to write
                    pipe.close()

    def _exchange(self, message: object, timeout_s: float) -> object:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        alarm = threading.Timer(timeout_s, self._stop_late)
        alarm.daemon = True
        alarm.start()
        try:
            write_frame(self._process.stdin, message)
            return read_frame(self._process.stdout)
        except (EOFError, OSError):
            self.is_usable = False
            raise self._explain(timeout_s) from None
        finally:
            alarm.cancel()

    def _stop_late(self) -> None:
        self._took_too_long = True
        self._process.kill()

    def _explain(self, timeout_s: float) -> _ChildEndedError:
        self._process.kill()
        code = self._process.wait()
        if self._took_too_long:
            return _ChildEndedError(
                f"The parser took longer than {timeout_s:g} s.",
                "Split the file, or raise ingest.parse_timeout_s.",
            )
        if code == -signal.SIGKILL:
            return _KilledError("The parser was killed, or ran out of memory.", out_of_memory()[1])
        if code == -signal.SIGABRT:
            return _ChildEndedError(*out_of_memory())
        return _ChildEndedError(
            "The parser crashed on it.", "Open it in its own program, save it again and retry."
        )
