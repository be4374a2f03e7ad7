"""A pool of child processes that do one task each at a time, with a time limit, unharmed by a crash.

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
from typing import IO, Any

import core
from core.errors import GroundworkError
from core.ingest.parse_process import read_frame, write_frame

_START_WITHIN_S = 60.0


class ChildStartError(GroundworkError):
    """A child process does not start at all, so no task can be done."""


class ChildClosedError(Exception):
    """The pool was closed while a task was being done."""


class ChildEndedError(Exception):
    """A child crashed or took too long over a task; says so in two sentences for a person."""

    def __init__(self, reason: str, next_step: str) -> None:
        super().__init__(reason)
        self.reason = reason
        self.next_step = next_step


class ChildKilledError(ChildEndedError):
    """Somebody killed it: the system, for want of memory, or a person."""


class ChildLateError(ChildEndedError):
    """It took longer than it may, and was ended."""


class ChildPool:
    """Child processes that start when they are needed. Thread-safe.

    module: has a `main` that reads frames from its standard input: `setup` first, answered by None, then
    tasks, each answered by a reply with an attribute `is_last`, after which the child ends.
    called: what messages call a child: "parser". out_of_memory: what to say, and to do, when it was.
    """

    def __init__(
        self, module: str, setup: object, size: int, called: str, out_of_memory: tuple[str, str]
    ) -> None:
        self.size = size
        self._module = module
        self._setup = setup
        self._called = called
        self._out_of_memory = out_of_memory
        self._idle: queue.LifoQueue[_Child | None] = queue.LifoQueue()
        self._lock = threading.Lock()  # guards _busy and _is_closed: no child outlives `close`
        self._busy: set[_Child] = set()
        self._is_closed = False
        for _ in range(size):
            self._idle.put(None)

    @property
    def is_busy(self) -> bool:
        """Whether a child is at work, or is being started."""
        with self._lock:
            return bool(self._busy)

    def warm(self, processes: int = 1) -> list[threading.Thread]:
        """Start some processes in the background, for tasks that are soon to come; returns at once.

        Gives the threads that do it, which end when the processes are ready.
        """
        threads = [
            threading.Thread(target=self._warm_one, name=f"{self._called}-start", daemon=True)
            for _ in range(min(processes, self.size))
        ]
        for thread in threads:
            thread.start()
        return threads

    def ask(self, task: object, timeout_s: float) -> Any:
        """The reply to a task; blocks, and waits for a free process.

        Raises ChildEndedError where the child crashed, was killed or took too long; ChildStartError;
        ChildClosedError once the pool is closed.
        """
        slot, child = self._idle.get(), None
        try:
            child = self._enter(slot)
            child.start_once(self._setup)
            return child.ask(task, timeout_s)
        except (ChildEndedError, ChildStartError) as ended:
            if self._is_closed:
                raise ChildClosedError from ended
            raise
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

    def _warm_one(self) -> None:
        slot, child = self._idle.get(), None
        try:
            child = self._enter(slot)
            child.start_once(self._setup)
        except (ChildStartError, ChildClosedError):
            pass  # the first task finds out and says so
        finally:
            self._idle.put(None if child is None else self._leave(child))

    def _enter(self, child: _Child | None) -> _Child:
        with self._lock:
            if self._is_closed:
                raise ChildClosedError
            if child is None or not child.is_alive:
                child = _Child(self._module, self._called, self._out_of_memory)
            self._busy.add(child)
            return child

    def _leave(self, child: _Child) -> _Child | None:
        """The child if it can take another task."""
        with self._lock:
            self._busy.discard(child)
            if child.is_usable and not self._is_closed:
                return child
        child.kill()
        return None


class _Child:
    """One process and its pipes."""

    def __init__(self, module: str, called: str, out_of_memory: tuple[str, str]) -> None:
        self._called = called
        self._out_of_memory = out_of_memory
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

    def start_once(self, setup: object) -> None:
        """Hand over the setup and wait until it is ready. Raises ChildStartError."""
        if self._is_ready:
            return
        try:
            self._exchange(setup, _START_WITHIN_S)
        except ChildEndedError as ended:
            self._errors.seek(0)
            last = self._errors.read().decode(errors="replace").strip().splitlines()[-1:] or [ended.reason]
            raise ChildStartError(
                f"The {self._called} process does not start: {last[0]}", next_step="Run `groundwork doctor`."
            ) from ended
        self._is_ready = True

    def ask(self, task: object, timeout_s: float) -> Any:
        """Raises ChildEndedError where the child crashed, was killed, or took too long."""
        reply: Any = self._exchange(task, timeout_s)
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

    def _explain(self, timeout_s: float) -> ChildEndedError:
        self._process.kill()
        code = self._process.wait()
        if self._took_too_long:
            return ChildLateError(f"The {self._called} took longer than {timeout_s:g} s.", "")
        if code == -signal.SIGKILL:
            return ChildKilledError(
                f"The {self._called} was killed, or ran out of memory.", self._out_of_memory[1]
            )
        if code == -signal.SIGABRT:
            return ChildEndedError(*self._out_of_memory)
        return ChildEndedError(f"The {self._called} crashed on it.", "")
