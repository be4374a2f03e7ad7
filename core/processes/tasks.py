"""Child processes that are set up once and then do tasks, with a reason in plain words where one fails."""

from __future__ import annotations

import signal
import tempfile
import threading
from types import TracebackType
from typing import IO, Any, Self

from core.errors import ChildStartError
from core.processes.children import Child, ChildPool, PoolClosedError
from core.processes.loop import Reply

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
        """How many tasks are done at a time."""
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

    def ask(self, task: object, timeout_s: float) -> Reply[Any]:
        """The reply to a task; blocks, and waits for a free process.

        Raises TaskEndedError where the child crashed, was killed or took too long; ChildStartError;
        PoolClosedError once the pool is closed.
        """
        try:
            with self._pool.taken() as child:
                child.start_once()
                return child.ask(task, timeout_s)
        except (TaskEndedError, ChildStartError) as ended:
            if self._pool.is_closed:
                raise PoolClosedError from ended
            raise

    def reply(self, task: object, timeout_s: float, *, late: str = "", crashed: str = "") -> Reply[Any]:
        """What came of a task, where that its child ended is a reply, too.

        One whose child was killed is tried once more: it may not have been the task's fault. late, crashed:
        what to do next where it took too long, or harmed the child. Raises as `ask` does otherwise.
        """
        try:
            try:
                return self.ask(task, timeout_s)
            except TaskKilledError:
                return self.ask(task, timeout_s)
        except TaskEndedError as ended:
            instead = late if isinstance(ended, TaskLateError) else crashed
            return Reply(None, ended.reason, ended.next_step or instead)

    def close(self) -> None:
        """End every child now, also one that is at work; safe to call twice."""
        self._pool.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
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
