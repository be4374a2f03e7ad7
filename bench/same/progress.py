"""A line on stderr that counts steps and says how much time is left."""

from __future__ import annotations

import sys
import time

_EVERY_S = 10.0  # where nobody watches: a line now and then, none over another


class Progress:
    """Steps of a known number, of one subject."""

    def __init__(self, label: str, total: int) -> None:
        self._label, self._total, self._count = label, total, 0
        self._start_s = self._last_line_s = time.perf_counter()

    def step(self, count: int = 1) -> None:
        """Count steps as done."""
        self._count += count
        now = time.perf_counter()
        is_over, is_watched = self._count >= self._total, sys.stderr.isatty()
        if not is_over and now - self._last_line_s < (0.2 if is_watched else _EVERY_S):
            return
        self._last_line_s = now
        left_s = (now - self._start_s) / self._count * (self._total - self._count)
        time_left = f"{now - self._start_s:.0f} s" if is_over else f"{left_s:.0f} s left"
        line = f"{self._label}: {self._count:,} of {self._total:,} · {time_left}"
        print(f"\r\x1b[K{line}" if is_watched else line, end="", file=sys.stderr)
        print("" if is_watched and not is_over else "\n", end="", file=sys.stderr, flush=True)
