"""Spans that must not overlap, in logarithmic time each: hostile text holds many thousands of them."""

from __future__ import annotations

from bisect import bisect_left, insort


class NonOverlappingSpans:
    """The spans that were taken so far."""

    def __init__(self) -> None:
        self._spans: list[tuple[int, int]] = []

    def take(self, start: int, end: int) -> bool:
        """Take [start, end) unless a character of it is taken; whether it was taken now."""
        at = bisect_left(self._spans, (start, end))
        if at < len(self._spans) and self._spans[at][0] < end:
            return False
        if at and self._spans[at - 1][1] > start:
            return False
        insort(self._spans, (start, end))
        return True
