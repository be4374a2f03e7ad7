"""Finds and mends what an outage did to the collection: passages that are missing, vectors that are lost.

A server that is killed in its synchronous mode keeps every object, but its vector index may have
forgotten some: they are found by keyword and filter and not by meaning. Inserting them again does not
help; a new object does, and the old one is deleted.
"""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Callable, Iterator
from collections.abc import Collection as Several
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from core.domain.ids import DocumentId, PassageId
from core.domain.upkeep import RepairReport
from core.errors import IndexUnavailableError
from core.index.base import IndexBatch
from core.index.sync import PassageFeed
from core.index.weaviate.collection import VECTOR, passage_of, passages_of
from core.index.weaviate.connection import WALK_S, Connection, Deadline
from core.index.weaviate.filters import clean
from core.index.weaviate.state import IndexState

if TYPE_CHECKING:
    from weaviate import WeaviateClient
    from weaviate.collections import Collection

    from core.config.models import IndexSettings

_LOG = logging.getLogger(__name__)

_DOCUMENTS_AT_ONCE = 100
_VECTORS_PER_CALL = 50
_NEAR, _EVEN_TIES = 10, 200  # how many neighbours are read; the second where the first lack the passage


@dataclass
class _Damage:
    """Damage, by document."""

    checked: int = 0
    missing: Counter[DocumentId] = field(default_factory=Counter)
    lost: Counter[DocumentId] = field(default_factory=Counter)
    surplus: Counter[DocumentId] = field(default_factory=Counter)

    @property
    def documents(self) -> list[DocumentId]:
        return sorted(self.missing.keys() | self.lost.keys() | self.surplus.keys())

    @property
    def total(self) -> int:
        return self.missing.total() + self.lost.total() + self.surplus.total()


def repair(
    connection: Connection,
    settings: IndexSettings,
    state: IndexState,
    records: PassageFeed,
    apply: Callable[[IndexBatch], object],
    on_progress: Callable[[int, int], None] | None = None,
) -> RepairReport:
    """Compare the collection with the records, write again what differs, and look again.

    state: READY and as new as the records. Documents that changed meanwhile are left to `catch_up`.
    """
    before = _inspect(connection, settings, state, records, None, on_progress)
    broken = before.documents
    for start in range(0, len(broken), _DOCUMENTS_AT_ONCE):
        group = frozenset(broken[start : start + _DOCUMENTS_AT_ONCE])
        rows = records.passages.of_documents(group)
        # The batch's sequence is the collection's own: nothing that changed since is skipped later.
        apply(IndexBatch(0, group, tuple(rows)))
    after = _inspect(connection, settings, state, records, broken, None) if broken else _Damage()
    report = RepairReport(
        checked=before.checked,
        missing=before.missing.total(),
        lost=before.lost.total(),
        surplus=before.surplus.total(),
        repaired=before.total - after.total,
        unrepaired=tuple(after.documents),
    )
    _LOG.log(
        logging.INFO if report.is_clean else logging.WARNING, "Weaviate checked and repaired: %s", report
    )
    return report


def _inspect(
    connection: Connection,
    settings: IndexSettings,
    state: IndexState,
    records: PassageFeed,
    only: Several[DocumentId] | None,
    on_progress: Callable[[int, int], None] | None,
) -> _Damage:
    """Damage of some documents, or of all."""
    damage = _Damage()
    present = _present(connection, settings, state.generation)
    documents = sorted(records.changes.since(0).documents if only is None else only)
    for start in range(0, len(documents), _DOCUMENTS_AT_ONCE):
        group = documents[start : start + _DOCUMENTS_AT_ONCE]
        rows = records.passages.of_documents(group)
        _compare(rows, group, present, damage)
        there = [row for row in rows if (row.stored.id, clean(row.stored.passage.document)) in present]
        for row in _lost(connection, settings, state.generation, there):
            damage.lost[row.stored.passage.document] += 1
        if on_progress is not None:
            on_progress(start + len(group), len(documents))
    if only is None:
        known = {clean(document) for document in documents}
        for (_, document), count in present.items():
            if document not in known:
                damage.surplus[DocumentId(document)] += count
    return damage


def _compare(
    rows: Any, group: list[DocumentId], present: Counter[tuple[PassageId, str]], damage: _Damage
) -> None:
    """Count what is missing and what is too much of a group of documents."""
    damage.checked += len(rows)
    wanted = {(row.stored.id, clean(row.stored.passage.document)) for row in rows}
    for row in rows:
        if (row.stored.id, clean(row.stored.passage.document)) not in present:
            damage.missing[row.stored.passage.document] += 1
    names = {clean(document): document for document in group}
    for key, count in present.items():
        if key[1] in names:
            extra = count - (key in wanted)
            if extra:
                damage.surplus[names[key[1]]] += extra


def _present(
    connection: Connection, settings: IndexSettings, generation: str
) -> Counter[tuple[PassageId, str]]:
    """Number of objects for each passage of each document."""

    def read(client: WeaviateClient, _deadline: Deadline) -> Counter[tuple[PassageId, str]]:
        rows = passages_of(client, generation, settings).iterator(
            return_properties=["passage", "document"], cache_size=1000
        )
        return Counter(
            (passage, str(row.properties["document"]))
            for row in rows
            if (passage := passage_of(row.properties)) is not None
        )

    return connection.run(read, max(settings.write_deadline_s, WALK_S))


def _lost(connection: Connection, settings: IndexSettings, generation: str, rows: list[Any]) -> Iterator[Any]:
    """Those that a search by their own vector does not find."""
    for start in range(0, len(rows), _VECTORS_PER_CALL):
        group = rows[start : start + _VECTORS_PER_CALL]

        def look(client: WeaviateClient, deadline: Deadline, group: list[Any] = group) -> list[Any]:
            collection = passages_of(client, generation, settings)
            return [row for row in group if not _is_found(collection, row, deadline)]

        yield from connection.write(look)


def _is_found(collection: Collection[Any, Any], row: Any, deadline: Deadline) -> bool:
    """True where the nearest to a passage's vector hold the passage; equal vectors may crowd before it."""
    vector = np.asarray(row.vector, np.float32)
    if not vector.any():
        return True
    for limit in (_NEAR, _EVEN_TIES):
        deadline.check()
        answer = collection.query.near_vector(
            near_vector=vector.tolist(), target_vector=VECTOR, limit=limit, return_properties=["passage"]
        )
        if any(passage_of(hit.properties) == row.stored.id for hit in answer.objects):
            return True
    return False


def check_counts(expected: int, found: int, name: str) -> None:
    """Raises IndexUnavailableError where a collection that was just built does not hold what it should."""
    if expected != found:
        raise IndexUnavailableError(
            f"The new collection {name!r} holds {found} passages, not {expected}; the old one serves on.",
            next_step="Look into the server's log and run `groundwork reindex` again.",
        )
