"""How many passages to encode at once: enough to batch well, few enough to stop soon."""

from __future__ import annotations

_SECONDS = 1.2  # one call of the encoder lasts about this long, so that a job is cancelled within 2 s
_SMALLEST, _LARGEST = 32, 512


class Pace:
    """Learns from the calls so far."""

    def __init__(self, smallest: int = _SMALLEST, largest: int = _LARGEST) -> None:
        self._smallest = smallest
        self._largest = largest
        self._rate = 0.0  # passages a second; older calls count less and less

    @property
    def size(self) -> int:
        """How many passages the next call should take."""
        return int(min(self._largest, max(self._smallest, self._rate * _SECONDS)))

    def note(self, passages: int, seconds: float) -> None:
        """Learn from a call."""
        rate = passages / max(seconds, 1e-6)
        self._rate = rate if not self._rate else 0.7 * self._rate + 0.3 * rate
