"""How many passages to encode at once: enough to batch well, few enough to stop and to publish soon."""

from __future__ import annotations

_SECONDS = 1.2  # one call of the encoder lasts about this long, so that a job is cancelled within 2 s
_WINDOW_SECONDS = 6.0  # what a kill may cost, and how late a document is published at most
_SMALLEST, _LARGEST = 32, 512
_STEP = 16  # the encoder's usual batch: a half-filled one is half wasted


class Pace:
    """Learns from the calls so far."""

    def __init__(self, smallest: int = _SMALLEST, largest: int = _LARGEST) -> None:
        self._smallest = smallest
        self._largest = largest
        self._rate = 0.0  # passages a second; older calls count less and less

    @property
    def size(self) -> int:
        """How many passages the next call should take."""
        return self._within(self._rate * _SECONDS, self._smallest)

    @property
    def window(self) -> int:
        """Over how many passages to look for those of equal lengths; at least `size`."""
        return self._within(self._rate * _WINDOW_SECONDS, 2 * self._smallest)

    def _within(self, passages: float, least: int) -> int:
        return max(least, min(self._largest, int(passages) // _STEP * _STEP))

    def note(self, passages: int, seconds: float) -> None:
        """Learn from a call."""
        rate = passages / max(seconds, 1e-6)
        self._rate = rate if not self._rate else 0.7 * self._rate + 0.3 * rate
