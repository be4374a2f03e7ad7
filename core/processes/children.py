"""Child processes that do one task at a time, each within a time limit, and a pool of them.

Plain processes rather than `multiprocessing`: that would import the caller's `__main__` again, which breaks
`bench.ingest(...)` in a script without a guard, and a killed child can leave its shared locks taken.
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
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, Generic, Self, TypeVar

import core
from core.errors import ChildStartError
from core.processes.loop import Reply, read_frame, write_frame


class PoolClosedError(Exception):
    """The pool was closed before, or while its child was at work."""


class PoolBusyError(Exception):
    """No child became free within the time that was given."""


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
        """True where it lives and may take another task."""
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
        """True where `close` was called."""
        return self._is_closed

    @contextmanager
    def taken(self, wait_s: float | None = None) -> Iterator[C]:
        """A child for as long as the block lasts; waits while all are at work, at most wait_s.

        Raises PoolClosedError, PoolBusyError, and what making a child raises.
        """
        try:
            slot, child = self._idle.get(timeout=wait_s), None
        except queue.Empty:
            raise PoolBusyError from None
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


_START_WITHIN_S = 60.0
_SINGLE_THREADED = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")


class TaskEndedError(Exception):
    """A child crashed or took too long over a task; says so in two sentences for a person."""

    def __init__(self, reason: str, next_step: str) -> None:
        super().__init__(reason)
        self.reason = reason
        self.next_step = next_step


class TaskKilledError(TaskEndedError):
    """Somebody killed the child: the system, for want of memory, or a person."""


class TaskLateError(TaskEndedError):
    """It took longer than it may, and was ended."""


class TaskPool:
    """Child processes that start when they are needed. Thread-safe.

    module: has a `main` that calls `core.processes.loop.serve`. setup: what that hands to its `start`.
    called: what messages call a child: "parser". out_of_memory: what to say, and to do, when it was.
    """

    def __init__(
        self, module: str, setup: object, size: int, called: str, out_of_memory: tuple[str, str]
    ) -> None:
        self._called = called
        self._pool = ChildPool(size, lambda: _TaskChild(module, setup, called, out_of_memory))

    @property
    def size(self) -> int:
        """Number of tasks done at a time."""
        return self._pool.size

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

    def ask(self, task: object, timeout_s: float, wait_s: float | None = None) -> Reply[Any]:
        """The reply to a task; blocks, and waits for a free process, at most wait_s.

        Raises TaskEndedError where the child crashed, was killed or took too long; ChildStartError;
        PoolClosedError once the pool is closed; PoolBusyError.
        """
        try:
            with self._pool.taken(wait_s) as child:
                child.start_once()
                return child.ask(task, timeout_s)
        except (TaskEndedError, ChildStartError) as ended:
            if self._pool.is_closed:
                raise PoolClosedError from ended
            raise

    def reply(
        self,
        task: object,
        timeout_s: float,
        *,
        late: str = "",
        crashed: str = "",
        wait_s: float | None = None,
    ) -> Reply[Any]:
        """Result of a task, where that its child ended is a reply, too.

        One whose child was killed is tried once more: it may not have been the task's fault. late, crashed:
        what to do next where it took too long, or harmed the child. Raises as `ask` does otherwise.
        """
        try:
            try:
                return self.ask(task, timeout_s, wait_s)
            except TaskKilledError:
                return self.ask(task, timeout_s, wait_s)
        except TaskEndedError as ended:
            instead = late if isinstance(ended, TaskLateError) else crashed
            return Reply(None, ended.reason, ended.next_step or instead)
        except PoolBusyError:
            said = f"Other tasks are at work: no {self._called} process became free in {wait_s:g} s."
            return Reply(None, said, "Try again in a moment.")

    def close(self) -> None:
        """End every child now, also one that is at work; safe to call twice."""
        self._pool.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _warm_one(self) -> None:
        try:
            with self._pool.taken() as child:
                child.start_once()
        except (ChildStartError, PoolClosedError):
            pass  # the first task finds out and says so


class _TaskChild(Child):
    """One such process."""

    def __init__(self, module: str, setup: object, called: str, out_of_memory: tuple[str, str]) -> None:
        self._setup = setup
        self._called = called
        self._out_of_memory = out_of_memory
        self._errors: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115 - closed by kill()
        super().__init__(
            module, errors=self._errors, environment={**_SINGLE_THREADED, "TOKENIZERS_PARALLELISM": "false"}
        )
        self._is_ready = False

    def start_once(self) -> None:
        """Hand over the setup and wait until it is ready. Raises ChildStartError."""
        if self._is_ready:
            return
        try:
            self._asked(self._setup, _START_WITHIN_S)
        except TaskEndedError as ended:
            self._errors.seek(0)
            last = self._errors.read().decode(errors="replace").strip().splitlines()[-1:] or [ended.reason]
            raise ChildStartError(
                f"The {self._called} process does not start: {last[0]}", next_step="Run `groundwork doctor`."
            ) from ended
        self._is_ready = True

    def ask(self, task: object, timeout_s: float) -> Reply[Any]:
        """Raises TaskEndedError where the child crashed, was killed, or took too long."""
        reply: Reply[Any] = self._asked(task, timeout_s)
        self.is_spent = reply.is_last
        return reply

    def kill(self) -> None:
        """See Child."""
        super().kill()
        self._errors.close()

    def _asked(self, message: object, timeout_s: float) -> Any:
        try:
            return self.exchange(message, timeout_s)
        except TimeoutError:
            raise TaskLateError(f"The {self._called} took longer than {timeout_s:g} s.", "") from None
        except EOFError:
            raise self._explained(self.end()) from None

    def _explained(self, code: int) -> TaskEndedError:
        if code == -signal.SIGKILL:
            return TaskKilledError(
                f"The {self._called} was killed, or ran out of memory.", self._out_of_memory[1]
            )
        if code == -signal.SIGABRT:
            return TaskEndedError(*self._out_of_memory)
        return TaskEndedError(f"The {self._called} crashed on it.", "")
