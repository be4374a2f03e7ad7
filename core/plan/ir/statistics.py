"""Statistics of a collection for estimates: the spread of values, and the costs of nodes."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

BOUNDS = 65
"""Of an equi-depth histogram: each of the 64 parts holds as many values.

Source: Piatetsky-Shapiro & Connell 1984, Accurate estimation of the number of tuples satisfying a condition.
"""


@dataclass(frozen=True, slots=True)
class Histogram:
    """Spread of amounts. bounds: ascending, the first is the least, the last the greatest value.

    share: which part of all values of the field is of this unit. distinct: how many different ones there are.
    """

    bounds: tuple[int, ...]
    share: float = 1.0
    distinct: int = 1

    @classmethod
    def of(cls, amounts: Sequence[int], total: int | None = None) -> Histogram:
        """The histogram of some amounts, of `total` values of the field altogether."""
        ordered = sorted(amounts)
        last, parts = len(ordered) - 1, min(BOUNDS, len(ordered)) - 1
        bounds = tuple(ordered[round(last * at / parts)] for at in range(parts + 1)) if parts > 0 else ()
        share = len(ordered) / (total or len(ordered) or 1)
        return cls(bounds or tuple(ordered[:1]), share, len(set(ordered)) or 1)

    def at_most(self, value: int) -> float:
        """Share of the amounts that is at most `value`, 0 to 1."""
        return self._part(value, bisect_right(self.bounds, value))

    def below(self, value: int) -> float:
        """Share of the amounts that is below `value`, 0 to 1."""
        return self._part(value, bisect_left(self.bounds, value))

    def equal(self, value: int) -> float:
        """Share of the amounts that is `value`: what the bounds say of frequent ones, else one of them."""
        if not self.bounds or not self.bounds[0] <= value <= self.bounds[-1]:
            return 0.0
        times = bisect_right(self.bounds, value) - bisect_left(self.bounds, value)
        return (
            max(1 / self.distinct, (times - 1) / max(1, len(self.bounds) - 1)) if times else 1 / self.distinct
        )

    def _part(self, value: int, at: int) -> float:
        if at == 0 or not self.bounds:
            return 0.0
        if at >= len(self.bounds):
            return 1.0
        low, high = self.bounds[at - 1], self.bounds[at]
        within = (value - low) / (high - low) if high > low else 0.0
        return (at - 1 + within) / (len(self.bounds) - 1)


@dataclass(frozen=True, slots=True)
class Cost:
    """Cost of a kind of node: milliseconds for itself, and for each document that it looks at."""

    base_ms: float
    each_ms: float


class Statistics(Protocol):
    """Known statistics; `core.workbench.catalogue` reads them from the records."""

    def amounts(self, schema: str, field: str) -> Mapping[str, Histogram]:
        """Spread of a field's values, by unit; {} where it has none that can be ordered."""
        ...

    def cost(self, kind: str) -> Cost | None:
        """Cost of a kind of node in earlier runs; None where too few ran."""
        ...


@dataclass(frozen=True)
class NothingKnown:
    """No statistics."""

    def amounts(self, schema: str, field: str) -> Mapping[str, Histogram]:
        """Nothing is known."""
        return {}

    def cost(self, kind: str) -> Cost | None:
        """Nothing is known."""
        return None


def line_through(runs: float, rows: float, ms: float, rows_rows: float, rows_ms: float) -> Cost | None:
    """The cost that sums over runs come to, by least squares; None for fewer than five.

    Neither part is negative; where documents seem to make it faster, the mean is taken.
    """
    if runs < 5:
        return None
    spread = runs * rows_rows - rows * rows
    each = (runs * rows_ms - rows * ms) / spread if spread > 1e-9 * max(1.0, rows_rows) else 0.0
    each = max(0.0, each)
    base = (ms - each * rows) / runs
    if base < 0:
        return Cost(0.0, ms / rows if rows else 0.0)
    return Cost(base, each)
