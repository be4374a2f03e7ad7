"""Lets jobs take turns by slices: a small job passes a large one, a short kind passes an ingest."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager


class Turns:
    """A fair lock that tells its holder whether others wait. Thread-safe, not reentrant.

    Two lines of the order of asking; where both wait, the turn goes from one to the other.
    """

    def __init__(self) -> None:
        self._changed = threading.Condition()  # guards all below
        self._lines: tuple[deque[object], deque[object]] = (deque(), deque())  # others, and the short ones
        self._holder: object | None = None
        self._was_short = False

    @contextmanager
    def taken(self, *, is_short: bool = False) -> Iterator[None]:
        """Wait for the turn, and hold it until the end of the block."""
        ticket = object()
        with self._changed:
            self._lines[is_short].append(ticket)
            try:
                self._changed.wait_for(lambda: self._holder is None and self._next() is ticket)
            finally:
                self._lines[is_short].remove(ticket)
            self._holder, self._was_short = ticket, is_short
        try:
            yield
        finally:
            with self._changed:
                self._holder = None
                self._changed.notify_all()

    @property
    def is_awaited(self) -> bool:
        """True where anyone waits for the turn that is taken now."""
        with self._changed:
            return any(self._lines)

    def _next(self) -> object:
        first = self._lines[not self._was_short]
        return first[0] if first else self._lines[self._was_short][0]
