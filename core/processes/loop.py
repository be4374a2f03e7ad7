"""The main loop of a child process, the frames in which it and its parent speak over pipes, and its memory.

A frame is a length, then a pickle. `setup` comes first and is answered by None; then tasks, each answered by
a `Reply`, until the input ends, which it also does when the parent is killed.
"""

from __future__ import annotations

import contextlib
import os
import pickle
import struct
import sys
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import IO, Any, Generic, TypeVar

from core.config.models import IngestSettings

RENEW_ABOVE_MB = 1000
"""A child that has held more is ended after its task, and another takes its place."""

_LEAST_MEMORY = 1_000_000_000
_MOST_PROCESSES = 4
_STATUS = Path("/proc/self/status")


def pool_size(settings: IngestSettings) -> int:
    """Number of parser processes, and of as many extractors."""
    return settings.processes or max(1, min(os.cpu_count() or 1, _MOST_PROCESSES))


def limit_memory(memory_mb: int, processes: int = 1) -> None:
    """Caps the address space of this process, where the system can; for a child's start.

    processes: how many such there are; together they get at most half of the machine's memory, but each at
    least 1 GB, which the largest of ordinary files does not need.
    """
    try:
        import resource
    except ImportError:  # not a POSIX system
        return
    fair = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // (2 * processes)
    size = min(memory_mb * 1_000_000, max(fair, _LEAST_MEMORY))
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (size if hard < 0 else min(size, hard), hard))


def peak_mb() -> float:
    """The most memory that this process has held since its program began; 0 where the system cannot tell.

    Linux hands ru_maxrss from parent to child across fork and exec, so under a worker that once held 1.5 GB
    every child would seem to; VmHWM belongs to the address space, which exec makes anew.
    """
    try:
        for line in _STATUS.read_text().splitlines():
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) * 1024 / 1e6
    except OSError:  # no /proc: not Linux
        pass
    try:
        import resource
    except ImportError:  # not a POSIX system
        return 0.0
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / (1e6 if sys.platform == "darwin" else 1e3)


_LENGTH = struct.Struct("<Q")
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Reply(Generic[T]):
    """A task's result, or why there is none and what to do. is_last: the child ends after it."""

    value: T | None
    reason: str = ""
    next_step: str = ""
    is_last: bool = False


def serve(
    start: Callable[[Any], Callable[[Any], Reply[Any]]],
    *,
    niceness: int = 0,
    renew_above_mb: float = RENEW_ABOVE_MB,
    most_tasks: int | None = None,
) -> None:
    """Do tasks until the input ends, `renew_above_mb` was held, or `most_tasks` are done.

    start: makes what does them, out of the setup; every way in which a task fails is a reply.
    """
    replies = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # whatever a library prints must not get between the frames
    tasks = sys.stdin.buffer
    if niceness:
        with contextlib.suppress(OSError):
            os.nice(niceness)
    with contextlib.suppress(EOFError, BrokenPipeError, KeyboardInterrupt):
        work = start(read_frame(tasks))
        write_frame(replies, None)
        done, is_last = 0, False
        while not is_last:
            reply = work(read_frame(tasks))
            done += 1
            is_last = reply.is_last or done == most_tasks or peak_mb() > renew_above_mb
            write_frame(replies, replace(reply, is_last=is_last))


def write_frame(stream: IO[bytes], value: object) -> None:
    """Send a value. Raises OSError where the other side is gone."""
    data = pickle.dumps(value, protocol=pickle.HIGHEST_PROTOCOL)
    stream.write(_LENGTH.pack(len(data)))
    stream.write(data)
    stream.flush()


def read_frame(stream: IO[bytes]) -> Any:
    """The next value. Raises EOFError where the other side is gone."""
    head = stream.read(_LENGTH.size)
    if len(head) < _LENGTH.size:
        raise EOFError
    (length,) = _LENGTH.unpack(head)
    data = stream.read(length)
    if len(data) < length:
        raise EOFError
    return pickle.loads(data)
