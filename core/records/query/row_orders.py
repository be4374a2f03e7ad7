"""Keeps in which order a view of the matrix has its documents, while nothing in the collection changes.

The grid asks for a view part by part, several at once. Sorting 5,000 documents by values takes 65 ms of a
core, and to count them as long again: once a view, not once a part.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable

_MOST_VIEWS = 16
_MOST_DOCUMENTS = 400_000  # in all views together: some 40 MB


class RowOrders:
    """The orders asked for last. Thread-safe."""

    def __init__(self) -> None:
        self._lock = threading.Lock()  # guards: the orders, and the version that they are of
        self._version = -1
        self._orders: OrderedDict[Hashable, tuple[str, ...]] = OrderedDict()

    def get(self, version: int, view: Hashable, sort: Callable[[], tuple[str, ...]]) -> tuple[str, ...]:
        """The ids of a view's documents in order, as they are at a data version."""
        with self._lock:
            if version > self._version:
                self._orders.clear()
                self._version = version
            if version == self._version and view in self._orders:
                self._orders.move_to_end(view)
                return self._orders[view]
        order = sort()
        with self._lock:
            if version == self._version:
                self._orders[view] = order
                while len(self._orders) > 1 and self._is_full():
                    self._orders.popitem(last=False)
        return order

    def _is_full(self) -> bool:
        return len(self._orders) > _MOST_VIEWS or sum(map(len, self._orders.values())) > _MOST_DOCUMENTS
