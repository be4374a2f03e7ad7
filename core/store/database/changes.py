"""The change sequence: what an index must catch up with, and the data version of the collection."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from core.domain.ids import DocumentId
from core.store.base import AccessChanges, ChangesUpTo
from core.store.database.db import Repository, slices
from core.store.database.schema import changes, documents
from core.store.database.visibility import Snapshot, Visibility

OF_FACTS = ("extracted", "reviewed")
"""Kinds of changes that concern what a document states and not its text: passages stay as they are."""

LAST = sa.select(sa.func.coalesce(sa.func.max(changes.c.seq), 0))
"""The data version, as a query."""

_CONCERNS_FACTS = changes.c.kind.in_(OF_FACTS)
# Made once: every search of somebody with groups asks it, and making it takes longer than its answer.
_NOT_INDEXED = (
    sa.select(changes.c.document)
    .where(changes.c.seq > sa.bindparam("after"), *(changes.c.kind != each for each in OF_FACTS))
    .distinct()
)


def version_of(connection: Connection, visible: Visibility | None = None) -> int:
    """The data version that a transaction sees; of a snapshot its own."""
    if isinstance(visible, Snapshot):
        return visible.data_version
    return int(connection.execute(LAST).scalar_one())


class Changes(Repository):
    """Reads the change sequence. Thread-safe."""

    def data_version(self) -> int:
        """A number that rises with every change to the collection; 0 before the first. Takes 0.1 ms."""
        return int(self._database.scalar(LAST))

    def version_for(self, visible: Visibility) -> int:
        """The data version of a snapshot; of another visibility that of now."""
        return visible.data_version if isinstance(visible, Snapshot) else self.data_version()

    def since(self, sequence: int) -> ChangesUpTo:
        """The documents that changed, or were removed, after `sequence`; their facts alone do not count."""
        return self._read(sequence, ~_CONCERNS_FACTS)

    def of_facts_since(self, sequence: int) -> ChangesUpTo:
        """The documents that changed in any way after `sequence`: what an index of facts catches up with."""
        return self._read(sequence, sa.true())

    def access_since(self, sequence: int, visible: Visibility) -> AccessChanges:
        """The documents that changed after `sequence`, told apart by whether they may be seen now.

        What an index of that sequence says of their access may be out of date. () of both where all is seen.
        """
        if visible.groups is None:
            return AccessChanges()
        after = {"after": sequence}
        with self._database.read() as connection:
            wanted = frozenset(connection.execute(_NOT_INDEXED, after).scalars())
            if not wanted:
                return AccessChanges()
            statement = sa.select(documents.c.id).where(documents.c.id.in_(_NOT_INDEXED), visible.condition())
            shown = frozenset(DocumentId(each) for each in connection.execute(statement, after).scalars())
        return AccessChanges(shown, frozenset(DocumentId(each) for each in wanted) - shown)

    def _read(self, sequence: int, condition: sa.ColumnElement[bool]) -> ChangesUpTo:
        with self._database.read() as connection:
            upto = int(connection.execute(LAST).scalar_one())
            rows = connection.execute(
                sa.select(changes.c.document).where(changes.c.seq > sequence, condition).distinct()
            ).scalars()
            return ChangesUpTo(upto, frozenset(DocumentId(row) for row in rows))


def append_changes(connection: Connection, documents: Iterable[DocumentId], kind: str, at: datetime) -> None:
    """Note, in the transaction that makes it, a change to documents.

    Of a document's text and of its facts only the last change is kept each: the table stays as small as the
    collection, and the index of passages never misses a new text because its fields were read after it.
    """
    rows = [{"document": document, "kind": kind, "at": at} for document in documents]
    if rows:
        same = _CONCERNS_FACTS if kind in OF_FACTS else ~_CONCERNS_FACTS
        for some in slices([row["document"] for row in rows]):
            connection.execute(sa.delete(changes).where(changes.c.document.in_(some), same))
        connection.execute(sa.insert(changes), rows)
