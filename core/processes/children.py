"""Child processes that do one task at a time, each within a time limit, and a pool of them.

Plain processes rather than `multiprocessing`: that would import the caller's `__main__` again, which breaks
`bench.ingest(...)` in a script without a guard, and a killed child can leave its shared locks taken.
"""

from __future__ import annotations

import contextlib
import os
import queue
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, Generic, TypeVar

import core
from core.processes.loop import read_frame, write_frame


class PoolClosedError(Exception):
    """The pool was closed before, or while its child was at work."""


class Child:
    """A process that runs `main` of a module and answers frames; for one thread at a time."""

    def __init__(
        self,
        module: str,
        *,
        errors: IO[bytes] | int = subprocess.DEVNULL,
        environment: Mapping[str, str] | None = None,
    ) -> None:
        """Raises OSError where no process can be started. errors: where its standard error goes."""
        root = str(Path(core.__file__).parents[1])
        paths = [root, *filter(None, [os.environ.get("PYTHONPATH")])]
        self._process = subprocess.Popen(
            # Not -m: what runs as __main__ cannot send its own types.
            # -P: a folder called `core` where the user stands must not be imported.
            [sys.executable, "-P", "-c", f"from {module} import main; main()"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=errors,
            env={**os.environ, **(environment or {}), "PYTHONPATH": os.pathsep.join(paths)},
            start_new_session=True,  # Ctrl-C is for the parent, which then ends its children in order
        )
        self._is_late = False
        self.is_spent = False

    @property
    def is_usable(self) -> bool:
        """Whether it lives and may take another task."""
        return not self.is_spent and self._process.poll() is None

    def exchange(self, message: object, timeout_s: float) -> Any:
        """Its answer. Raises TimeoutError where that takes longer, EOFError where the process ended."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        alarm = threading.Timer(timeout_s, self._stop_late)
        alarm.daemon = True
        alarm.start()
        try:
            write_frame(self._process.stdin, message)
            return read_frame(self._process.stdout)
        except (EOFError, OSError):
            self.is_spent = True
            raise (TimeoutError if self._is_late else EOFError) from None
        finally:
            alarm.cancel()

    def interrupt(self) -> None:
        """End the process, from any thread; whoever waits for its answer is told, and cleans up."""
        self._process.kill()

    def end(self) -> int:
        """End the process, whatever it does, and give its exit code: of its own end where that came first."""
        self.is_spent = True
        self._process.kill()
        return self._process.wait()

    def kill(self) -> None:
        """End the process and let go of its pipes."""
        self.end()
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                with contextlib.suppress(OSError):  # what was left to write
                    pipe.close()

    def _stop_late(self) -> None:
        self._is_late = True
        self._process.kill()


C = TypeVar("C", bound=Child)


class ChildPool(Generic[C]):
    """At most `size` children, made when they are needed and used again. Thread-safe."""

    def __init__(self, size: int, make: Callable[[], C]) -> None:
        self.size = size
        self._make = make
        self._idle: queue.LifoQueue[C | None] = queue.LifoQueue()
        self._lock = threading.Lock()  # guards _busy and _is_closed: no child outlives `close`
        self._busy: set[C] = set()
        self._is_closed = False
        for _ in range(size):
            self._idle.put(None)

    @property
    def is_closed(self) -> bool:
        """Whether `close` was called."""
        return self._is_closed

    @contextmanager
    def taken(self) -> Iterator[C]:
        """A child for as long as the block lasts; waits while all are at work.

        Raises PoolClosedError, and what making a child raises.
        """
        slot, child = self._idle.get(), None
        try:
            child = self._enter(slot)
            yield child
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

    def _enter(self, child: C | None) -> C:
        with self._lock:
            if child is not None and not (child.is_usable and not self._is_closed):
                child.kill()
                child = None
            if self._is_closed:
                raise PoolClosedError
            child = child or self._make()
            self._busy.add(child)
            return child

    def _leave(self, child: C) -> C | None:
        """The child if it can take another task."""
        with self._lock:
            self._busy.discard(child)
            if child.is_usable and not self._is_closed:
                return child
        child.kill()
        return None
