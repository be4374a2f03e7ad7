"""The statistics of a home, read when a plan first asks for them and kept until the collection changes."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Mapping

from core.plan.ir.statistics import Cost, Histogram, Statistics, line_through
from core.records.database.visibility import Visibility
from core.records.query.distributions import Distributions
from core.records.store import Records

_KEPT = 16  # visibilities


class HomeStatistics:
    """What one visibility may know, for one data version. Thread-safe."""

    def __init__(self, records: Records, visible: Visibility, costs: Mapping[str, Cost]) -> None:
        self._distributions = Distributions(records.database)
        self._visible = visible
        self._costs = costs
        self._lock = threading.Lock()  # guards _known
        self._known: dict[tuple[str, str], Mapping[str, Histogram]] = {}

    def amounts(self, schema: str, field: str) -> Mapping[str, Histogram]:
        """How the values of a field are spread, by unit."""
        with self._lock:
            known = self._known.get((schema, field))
        if known is None:
            read = self._distributions.amounts(self._visible, schema, field)
            total = sum(len(amounts) for amounts in read.values())
            known = {unit: Histogram.of(amounts, total) for unit, amounts in read.items()}
            with self._lock:
                self._known[schema, field] = known
        return known

    def cost(self, kind: str) -> Cost | None:
        """What earlier runs of a kind of node took."""
        return self._costs.get(kind)


class StatisticsLoader:
    """Gives the statistics of the collection as it is now. Thread-safe."""

    def __init__(self, records: Records) -> None:
        self._records = records
        self._lock = threading.Lock()  # guards _kept
        self._kept: OrderedDict[tuple[int, frozenset[str] | None], HomeStatistics] = OrderedDict()

    def load(self, visible: Visibility) -> Statistics:
        """What a visibility may know. Costs are those of when it was first asked for this data version."""
        key = (self._records.changes.data_version(), visible.groups)
        with self._lock:
            known = self._kept.get(key)
            if known is not None:
                self._kept.move_to_end(key)
                return known
        made = HomeStatistics(self._records, visible, self._costs())
        with self._lock:
            self._kept[key] = made
            while len(self._kept) > _KEPT:
                self._kept.popitem(last=False)
        return made

    def _costs(self) -> dict[str, Cost]:
        figures = self._records.node_results.figures()
        lines = {
            kind: line_through(each.runs, each.rows, each.ms, each.rows_rows, each.rows_ms)
            for kind, each in figures.items()
        }
        return {kind: line for kind, line in lines.items() if line is not None}
