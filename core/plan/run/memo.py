"""Results that nodes gave before, by what they are: in memory, and in a store that is written behind."""

from __future__ import annotations

import hashlib
import queue
import threading
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Protocol

from core.cache import Cache
from core.domain.results import Documents, Groups, Passages, QueryTable, Result
from core.errors import RecordsError
from core.plan.ir.hashing import in_order
from core.plan.ir.nodes import Plan, spec_of
from core.store.conversations.node_results import NodeFigures, NodeResult
from core.store.database.visibility import Visibility

_ROOM = 2_000_000
"""How many ids, rows and passages the memory holds together; about 100 bytes each."""


def memo_key(node_hash: str, data_version: int, visibility: Visibility, asked: str = "") -> str:
    """One key for a node, the state of the collection, and what may be seen of it.

    asked: what else a result depends on: which fields are asked of documents, and how this program computes.
    """
    seen = "everything" if visibility.groups is None else "\0".join(("groups", *sorted(visibility.groups)))
    if visibility.buckets is not None:
        seen += "\0".join(("\0buckets", *sorted(visibility.buckets)))
    promise = "" if visibility.promise is None else f"\0{visibility.promise!r}"
    return hashlib.sha256(f"{node_hash}\0{data_version}\0{asked}\0{seen}{promise}".encode()).hexdigest()


def lasting(plan: Plan) -> frozenset[str]:
    """The nodes whose results may be kept beyond this process: those that rest on records alone.

    What a search finds depends on the engine that answered, and on how far its index was.
    """
    found: set[str] = set()
    for node in in_order(plan):
        if spec_of(node).is_exact(node) and found.issuperset(node.inputs):
            found.add(node.id)
    return frozenset(found)


class Memo:
    """Thread-safe. What was found for one data version and one visibility is never given for another."""

    def __init__(self, store: WrittenBehind | None = None, room: int = _ROOM) -> None:
        self._store = store
        self._room = room
        self._kept: Cache[str, Result] = Cache(room=room, weigh=_weight)

    def get(self, key: str, *, lasts: bool = True) -> tuple[Result, str] | None:
        """The result with where it was kept ("memory" or "store"); None where it has to be found.

        lasts: whether it may have been kept in the store.
        """
        kept = self._kept.get(key)
        if kept is not None:
            return kept, "memory"
        stored = self._store.get(key) if self._store is not None and lasts else None
        if stored is None:
            return None
        self._remember(key, stored)
        return stored, "store"

    def ran(self, kind: str, looked_at: int, ms: float) -> None:
        """Note how long a kind of node took over so many documents."""
        if self._store is not None:
            self._store.ran(kind, looked_at, ms)

    def put(self, key: str, data_version: int, result: Result, *, lasts: bool = True) -> None:
        """Keep a result; in memory only where it does not last."""
        self._remember(key, result)
        if self._store is not None and lasts:
            self._store.put(key, data_version, result)

    def _remember(self, key: str, result: Result) -> None:
        if _weight(result) <= self._room:
            self._kept.put(key, result)


def _weight(result: Result) -> int:
    """About how many ids, rows and passages a result holds."""
    if isinstance(result, Documents):
        return 1 + len(result.scope) + len(result.unknown) + len(result.order)
    if isinstance(result, Passages):
        return 1 + 10 * len(result.hits)
    if isinstance(result, QueryTable):
        return 1 + sum(10 + len(row.sources) for row in result.rows)
    if isinstance(result, Groups):
        return 1 + len(result.documents.scope) + sum(1 + len(group.documents) for group in result.groups)
    return 100


_MOST_WAITING = 256
_CLOSE_WITHIN_S = 5.0


class ResultTable(Protocol):
    """Store of results; `records.node_results` is the real one."""

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
