"""Documents that questions wait for: what is still to be read of them is read first."""

from __future__ import annotations

import builtins
from collections.abc import Collection
from datetime import UTC, datetime

import sqlalchemy as sa

from core.domain.ids import DocumentId
from core.records.database.db import Repository, insert_or_ignore, slices
from core.records.database.field_tables import reading_queue
from core.records.database.schema import documents
from core.records.database.visibility import is_not_gone

MOST = 1_000
"""Documents that may wait by this way; beyond that everything waits, and order helps nobody."""


class ReadingQueue(Repository):
    """Any process may ask, any worker reads; an entry goes once its document was read. Thread-safe."""

    def add(self, wanted: Collection[DocumentId], now: datetime | None = None) -> None:
        """Ask for documents; those that are asked for already keep their place. No more than MOST in all."""
        moment = now or datetime.now(UTC)
        if not wanted or not (new := self._new(wanted)):
            return
        rows = [{"document": document, "at": moment} for document in new]
        with self._database.write_rows(is_upkeep=True) as connection:
            insert_or_ignore(connection, reading_queue, rows)

    def list(self) -> builtins.list[DocumentId]:
        """The documents that are waited for, the longest first."""
        statement = sa.select(reading_queue.c.document).order_by(reading_queue.c.at, reading_queue.c.document)
        return [DocumentId(found) for found in self._database.scalars(statement)]

    def remove(self, settled: Collection[DocumentId]) -> None:
        """Forget documents of which nothing is left to read."""
        if not settled:
            return
        with self._database.write_rows(is_upkeep=True) as connection:
            for some in slices(sorted(settled)):
                connection.execute(sa.delete(reading_queue).where(reading_queue.c.document.in_(some)))

    def _new(self, wanted: Collection[DocumentId]) -> builtins.list[DocumentId]:
        """Those that exist and are not asked for, as many as there is room for."""
        known = frozenset(self.list())
        new = [each for each in sorted(set(wanted)) if each not in known][: max(0, MOST - len(known))]
        statement = sa.select(documents.c.id).where(is_not_gone()).order_by(documents.c.id)
        return [DocumentId(row.id) for row in self._database.rows_among(statement, documents.c.id, new)]
