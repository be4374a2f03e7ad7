"""Lets jobs take turns: one slice at a time in the order of asking, so a small job passes a large one."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager


class Turns:
    """A fair lock that tells its holder whether others wait. Thread-safe, not reentrant."""

    def __init__(self) -> None:
        self._changed = threading.Condition()  # guards _queue; its head holds the turn
        self._queue: deque[object] = deque()

    @contextmanager
    def taken(self) -> Iterator[None]:
        """Wait for the turn, and hold it until the end of the block."""
        ticket = object()
        with self._changed:
            self._queue.append(ticket)
            self._changed.wait_for(lambda: self._queue[0] is ticket)
        try:
            yield
        finally:
            with self._changed:
                self._queue.remove(ticket)
                self._changed.notify_all()

    @property
    def is_awaited(self) -> bool:
        """Whether anyone waits for the turn that is taken now."""
        with self._changed:
            return len(self._queue) > 1
