"""What nodes gave before, by what they are: in memory while there is room, and in a store behind it."""

from __future__ import annotations

import hashlib
from typing import Protocol

from core.cache import Cache
from core.domain.results import Documents, Groups, Passages, Result, Rows
from core.plan.ir.hashing import in_order
from core.plan.ir.nodes import Plan, spec_of
from core.records.database.visibility import Visibility

_ROOM = 2_000_000
"""How many ids, rows and passages the memory holds together; about 100 bytes each."""


class ResultStore(Protocol):
    """Keeps results beyond one process; `core.retrieval.write_behind.WrittenBehind` is the real one."""

    def get(self, key: str) -> Result | None:
        """The kept result; None where there is none."""
        ...

    def put(self, key: str, data_version: int, result: Result) -> None:
        """Keep a result; those of earlier data versions may go."""
        ...

    def ran(self, kind: str, looked_at: int, ms: float) -> None:
        """Note how long a kind of node took over so many documents."""
        ...


def memo_key(node_hash: str, data_version: int, visibility: Visibility, asked: str = "") -> str:
    """One key for a node, the state of the collection, and what may be seen of it.

    asked: what else a result depends on: which fields are asked of documents, and how this program computes.
    """
    seen = "everything" if visibility.groups is None else "\0".join(("groups", *sorted(visibility.groups)))
    return hashlib.sha256(f"{node_hash}\0{data_version}\0{asked}\0{seen}".encode()).hexdigest()


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

    def __init__(self, store: ResultStore | None = None, room: int = _ROOM) -> None:
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
    if isinstance(result, Rows):
        return 1 + 10 * len(result.rows) + len(result.documents.scope)
    if isinstance(result, Groups):
        return 1 + len(result.documents.scope) + sum(1 + len(group.documents) for group in result.groups)
    return 100
