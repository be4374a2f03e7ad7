"""Shares that people counted, with the interval in which the true share lies."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt

_Z = 1.959964  # of a normal distribution: 95 % lie within so many standard errors


@dataclass(frozen=True, slots=True)
class ShareInterval:
    """Interval of a share, from 0 to 1."""

    low: float
    high: float


@dataclass(frozen=True, slots=True)
class CheckedShare:
    """Number of right cells among those that were checked."""

    right: int = 0
    checked: int = 0

    @property
    def share(self) -> float | None:
        """The share that was right; None where nothing was checked."""
        return self.right / self.checked if self.checked else None

    @property
    def interval(self) -> ShareInterval:
        """The 95 % interval of the true share; all of it where nothing was checked.

        Source: Wilson 1927, the score interval, which holds for few cells and for shares near 0 and 1.
        """
        return interval_of(self.right, self.checked)

    def misses(self, promised: float) -> bool:
        """True where the interval lies below what was promised: chance alone does not explain the rest."""
        return self.checked > 0 and self.interval.high < promised

    def after(self, more: int) -> ShareInterval:
        """The interval after more checks that go as those before; the first ones as if all were right."""
        share = 1.0 if self.share is None else self.share
        return interval_of(self.right + more * share, self.checked + more)


NOTHING_CHECKED = CheckedShare()


def interval_of(right: float, checked: int) -> ShareInterval:
    """Wilson's interval of a share; right: also a part of a cell, where it is expected."""
    if not checked:
        return ShareInterval(0.0, 1.0)
    share, square = right / checked, _Z * _Z
    middle = share + square / (2 * checked)
    half = _Z * sqrt(max(0.0, share * (1 - share)) / checked + square / (4 * checked * checked))
    scale = 1 + square / checked
    low, high = (middle - half) / scale, (middle + half) / scale
    return ShareInterval(max(0.0, min(share, low)), min(1.0, max(share, high)))  # rounding moves ends past it
