"""The main loop of a child process, and the frames in which it and its parent speak over pipes.

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
from typing import IO, Any, Generic, TypeVar

from core.processes.memory import RENEW_ABOVE_MB, peak_mb

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
