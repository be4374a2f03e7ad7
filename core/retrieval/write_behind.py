"""A store of node results that nobody waits for: it is written behind the back of those who ask."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Protocol

from core.domain.results import Result
from core.errors import RecordsError
from core.records.work.node_results import NodeFigures, NodeResult

_MOST_WAITING = 256
_CLOSE_WITHIN_S = 5.0


class ResultTable(Protocol):
    """Where results are kept; `records.node_results` is the real one."""

    def get(self, key: str) -> Result | None:
        """The kept result; None where there is none."""
        ...

    def put(self, results: Sequence[NodeResult], used: Collection[str]) -> None:
        """Keep results, and note which were used."""
        ...

    def add_figures(self, ran: Mapping[str, NodeFigures]) -> None:
        """Add to the figures of kinds of nodes."""
        ...


class WrittenBehind:
    """Thread-safe. An answer never waits for a writer of the database, nor fails with it.

    What cannot be kept is computed again: `lost` counts it. What waits is written when it is closed.
    generation: of the program that computes; what another one kept is not given.
    """

    def __init__(
        self,
        table: ResultTable,
        generation: str = "",
        start: Callable[[Callable[[], None]], threading.Thread] | None = None,
    ) -> None:
        self._table = table
        self._generation = generation
        self._start = start or _started
        self._waiting: queue.Queue[NodeResult | tuple[str, NodeFigures] | str | None] = queue.Queue(
            _MOST_WAITING
        )
        self._writer: threading.Thread | None = None
        self._lock = threading.Lock()  # guards _writer and _closed
        self._closed = False
        self.lost = 0

    def get(self, key: str) -> Result | None:
        """The kept result; None where there is none, or the database cannot be asked now."""
        try:
            found = self._table.get(self._generation + key)
        except RecordsError:
            return None
        if found is not None:
            self._hand_over(self._generation + key)
        return found

    def put(self, key: str, data_version: int, result: Result) -> None:
        """Keep a result soon; returns at once."""
        self._hand_over(NodeResult(self._generation + key, data_version, result))

    def ran(self, kind: str, looked_at: int, ms: float) -> None:
        """Note how long a node took; returns at once."""
        x = float(looked_at)
        self._hand_over((kind, NodeFigures(1.0, x, ms, x * x, x * ms)))

    def close(self) -> None:
        """Write what waits, and end; safe to call twice."""
        with self._lock:
            writer, self._closed = self._writer, True
        if writer is not None and writer.is_alive():
            self._waiting.put(None)
            writer.join(_CLOSE_WITHIN_S)

    def _hand_over(self, item: NodeResult | tuple[str, NodeFigures] | str) -> None:
        with self._lock:
            if self._closed:
                return
            if self._writer is None:
                self._writer = self._start(self._write)
        try:
            self._waiting.put_nowait(item)
        except queue.Full:
            self.lost += 1

    def _write(self) -> None:
        is_open = True
        while is_open:
            items = [self._waiting.get()]
            while len(items) < _MOST_WAITING:
                try:
                    items.append(self._waiting.get_nowait())
                except queue.Empty:
                    break
            is_open = None not in items
            kept = [item for item in items if item is not None]
            try:
                self._keep(kept)
            except RecordsError:
                self.lost += len(kept)

    def _keep(self, items: list[NodeResult | tuple[str, NodeFigures] | str]) -> None:
        results = {item.key: item for item in items if isinstance(item, NodeResult)}
        used = {item for item in items if isinstance(item, str)}
        figures: dict[str, NodeFigures] = {}
        for item in items:
            if isinstance(item, tuple):
                kind, one = item
                figures[kind] = _sum(figures.get(kind, NodeFigures()), one)
        if results or used:
            self._table.put(list(results.values()), used)
        if figures:
            self._table.add_figures(figures)


def _started(work: Callable[[], None]) -> threading.Thread:
    thread = threading.Thread(target=work, name="node-results", daemon=True)
    thread.start()
    return thread


def _sum(one: NodeFigures, other: NodeFigures) -> NodeFigures:
    return NodeFigures(
        one.runs + other.runs,
        one.rows + other.rows,
        one.ms + other.ms,
        one.rows_rows + other.rows_rows,
        one.rows_ms + other.rows_ms,
    )
