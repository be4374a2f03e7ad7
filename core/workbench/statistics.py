"""The statistics of a home, read when a plan first asks for them and kept until the collection changes."""

from __future__ import annotations

from collections.abc import Mapping

from core.cache import Cache
from core.plan.ir.statistics import Cost, Histogram, Statistics, line_through
from core.records.database.visibility import Visibility
from core.records.query.distributions import Distributions
from core.records.store import Records

_KEPT = 16  # visibilities
_FIELDS = 2_000  # of which the spread is kept


class HomeStatistics:
    """What one visibility may know, for one data version. Thread-safe."""

    def __init__(self, records: Records, visible: Visibility, costs: Mapping[str, Cost]) -> None:
        self._distributions = Distributions(records.database)
        self._visible = visible
        self._costs = costs
        self._known: Cache[tuple[str, str], Mapping[str, Histogram]] = Cache(_FIELDS)

    def amounts(self, schema: str, field: str) -> Mapping[str, Histogram]:
        """How the values of a field are spread, by unit."""
        return self._known.get_or_make((schema, field), lambda: self._read(schema, field))

    def _read(self, schema: str, field: str) -> Mapping[str, Histogram]:
        read = self._distributions.amounts(self._visible, schema, field)
        total = sum(len(amounts) for amounts in read.values())
        return {unit: Histogram.of(amounts, total) for unit, amounts in read.items()}

    def cost(self, kind: str) -> Cost | None:
        """What earlier runs of a kind of node took."""
        return self._costs.get(kind)


class StatisticsLoader:
    """Gives the statistics of the collection as it is now. Thread-safe."""

    def __init__(self, records: Records) -> None:
        self._records = records
        self._kept: Cache[tuple[int, frozenset[str] | None], HomeStatistics] = Cache(_KEPT)

    def load(self, visible: Visibility) -> Statistics:
        """What a visibility may know. Costs are those of when it was first asked for this data version."""
        key = (self._records.changes.version_for(visible), visible.groups)
        return self._kept.get_or_make(key, lambda: HomeStatistics(self._records, visible, self._costs()))

    def _costs(self) -> dict[str, Cost]:
        figures = self._records.node_results.figures()
        lines = {
            kind: line_through(each.runs, each.rows, each.ms, each.rows_rows, each.rows_ms)
            for kind, each in figures.items()
        }
        return {kind: line for kind, line in lines.items() if line is not None}
