"""Passages with their vectors: what indexes are built from and answers are ranked with."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from datetime import UTC, datetime
from typing import Any

import sqlalchemy as sa

from core.domain.ids import DocumentId, PassageId
from core.domain.passage import Matrix, Passage, StoredPassage, Vector
from core.encode.base import EncoderSignature
from core.store.base import IndexedPassage
from core.store.database.changes import append_changes
from core.store.database.db import Database, Repository, slices
from core.store.database.schema import documents, passages
from core.store.database.visibility import Visibility, is_not_gone
from core.store.documents.rows import (
    PASSAGE_COLUMNS,
    matrices_of,
    passage_row,
    stored_passage_of,
    vector_of,
)
from core.store.documents.vectors import insert_vectors, stored_signature, tables_of

_JOINED = passages.join(documents, documents.c.id == passages.c.document)
_STORED = sa.select(*PASSAGE_COLUMNS, documents.c.access).select_from(_JOINED)
_PLACES = sa.select(passages.c.id, passages.c.document, passages.c.ordinal, documents.c.access).select_from(
    _JOINED
)

_ROWS = 500  # of an insert


class PassageRecords(Repository):
    """Reads passages of one chunk profile with the vectors of one set, and adds missing ones. Thread-safe."""

    def __init__(self, database: Database, vector_set: int = 0, profile: str = "") -> None:
        super().__init__(database)
        self._set, self._profile = vector_set, profile

    def get(self, ids: Collection[PassageId], visible: Visibility) -> dict[PassageId, StoredPassage]:
        """Those of the passages that are there and may be seen, in the order asked for."""
        found: dict[PassageId, StoredPassage] = {}
        with self._database.read() as connection:
            for some in slices(ids):
                for row in _shown(connection, _STORED.where(passages.c.id.in_(some)), visible):
                    found[PassageId(row.id)] = stored_passage_of(row)
        return {key: found[key] for key in ids if key in found}

    def places(
        self, ids: Collection[PassageId], visible: Visibility
    ) -> dict[PassageId, tuple[DocumentId, int]]:
        """Document and ordinal of those of the passages that are there and may be seen, in no order."""
        found: dict[PassageId, tuple[DocumentId, int]] = {}
        with self._database.read() as connection:
            for some in slices(ids):
                for row in _shown(connection, _PLACES.where(passages.c.id.in_(some)), visible):
                    found[PassageId(row.id)] = DocumentId(row.document), row.ordinal
        return found

    def sentence_vectors(self, ids: Collection[PassageId]) -> dict[PassageId, Matrix]:
        """The sentence vectors of passages, (n, d) float32 each; unknown ids are left out."""
        found: dict[PassageId, Matrix] = {}
        _, stored = tables_of(self._set)
        with self._database.read() as connection:
            for some in slices(ids):
                statement = sa.select(stored).where(stored.c.passage.in_(some))
                rows = connection.execute(statement).all()
                for dimension in {row.dimension for row in rows}:
                    same = [row for row in rows if row.dimension == dimension]
                    matrices = matrices_of([row.vectors for row in same], dimension)
                    found.update(zip((PassageId(row.passage) for row in same), matrices, strict=True))
        return found

    def of_documents(self, wanted: Iterable[DocumentId]) -> list[IndexedPassage]:
        """The passages of documents with their vectors, for an index; see `iterate` for many."""
        return [row for batch in self.iterate(wanted) for row in batch]

    def iterate(
        self, wanted: Iterable[DocumentId] | None = None, batch: int = 2000
    ) -> Iterator[list[IndexedPassage]]:
        """Passages with vectors in lists of at most `batch`; wanted None means all documents.

        No transaction stays open between lists: take `changes.data_version()` before, and catch up
        from there after. Within a document, or over all, in the order of ids.
        """
        if wanted is None:
            yield from self._pages_of(sa.true(), batch)
            return
        for some in slices(sorted(set(wanted))):
            yield from self._pages_of(passages.c.document.in_(some), batch)

    def _pages_of(self, condition: sa.ColumnElement[bool], batch: int) -> Iterator[list[IndexedPassage]]:
        last, (vectors, _) = 0, tables_of(self._set)
        joined = _JOINED.join(vectors, vectors.c.passage == passages.c.id)
        every = sa.select(*PASSAGE_COLUMNS, vectors.c.vector).select_from(joined)
        while True:
            statement = every.where(condition, passages.c.id > last).order_by(passages.c.id).limit(batch)
            rows = [
                IndexedPassage(stored_passage_of(row), vector_of(row.vector))
                for row in self._database.rows(statement)
            ]
            if not rows:
                return
            last = rows[-1].stored.id
            yield rows
            if len(rows) < batch:
                return

    def count(self) -> int:
        """Number of passages of this profile."""
        wanted = sa.select(sa.func.count()).select_from(passages).where(passages.c.profile == self._profile)
        return int(self._database.scalar(wanted) or 0)

    def encoder_signature(self) -> EncoderSignature | None:
        """The encoder of these vectors; None before the first."""
        with self._database.read() as connection:
            return stored_signature(connection, self._set)

    def lacking(self, limit: int, documents: Collection[DocumentId] | None = None) -> list[StoredPassage]:
        """Passages of this profile without a vector of this set, by id; of such documents, None for any."""
        vectors, _ = tables_of(self._set)
        wanted = sa.select(*PASSAGE_COLUMNS).select_from(
            _JOINED.outerjoin(vectors, vectors.c.passage == passages.c.id)
        )
        wanted = wanted.where(passages.c.profile == self._profile, vectors.c.passage.is_(None))
        wanted = wanted.order_by(passages.c.id).limit(limit)
        if documents is not None:
            wanted = wanted.where(passages.c.document.in_(sorted(documents)))
        return [stored_passage_of(row) for row in self._database.rows(wanted)]

    def uncut(self, wanted: Collection[DocumentId] | None = None) -> list[DocumentId]:
        """Documents with text that have no passage of this profile, by id; of those wanted, None for any."""
        found = sa.select(documents.c.id).where(is_uncut(self._profile)).order_by(documents.c.id)
        if wanted is not None:
            found = found.where(documents.c.id.in_(sorted(wanted)))
        return list(map(DocumentId, self._database.scalars(found)))

    def add_cut(self, document: DocumentId, version: int, cut: Sequence[Passage]) -> bool:
        """Add the passages of this profile to a version in one transaction, vectors to follow.

        False: another version was published meanwhile, or another process added them; nothing changed.
        """
        condition = sa.and_(documents.c.id == document, documents.c.version == version)
        with self._database.write() as connection:
            wanted = sa.select(documents.c.id).where(condition, is_uncut(self._profile))
            if connection.execute(wanted).first() is None:
                return False
            rows = [passage_row(document, version, each, self._profile) for each in cut]
            for some in range(0, len(rows), _ROWS):
                connection.execute(sa.insert(passages), rows[some : some + _ROWS])
        return True

    def count_vectors(self) -> int:
        """Number of passages that have a vector of this set."""
        vectors, _ = tables_of(self._set)
        return int(self._database.scalar(sa.select(sa.func.count()).select_from(vectors)) or 0)

    def add_vectors(self, rows: Sequence[tuple[PassageId, Vector, Matrix]], *, is_told: bool) -> int:
        """Add the vectors of passages that lack them in one transaction; give how many are still there.

        is_told: their documents count as changed, so that an index that passed them without a vector follows.
        """
        given = {key: (key, vector, matrix) for key, vector, matrix in rows}
        with self._database.write() as connection:
            vectors, _ = tables_of(self._set)
            owners: dict[int, str] = {}
            for some in slices(given):
                query = (
                    sa.select(passages.c.id, passages.c.document)
                    .outerjoin(vectors, vectors.c.passage == passages.c.id)
                    .where(passages.c.id.in_(some), vectors.c.passage.is_(None))
                )
                owners |= dict(connection.execute(query).all())
            insert_vectors(connection, self._set, [given[PassageId(key)] for key in owners])
            changed = sorted({DocumentId(document) for document in owners.values()})
            append_changes(connection, changed if is_told else (), "encoded", datetime.now(UTC))
        return len(owners)


def is_uncut(profile: str) -> sa.ColumnElement[bool]:
    """Condition of a document with text of which there is no passage of a chunk profile."""
    own = sa.exists().where(passages.c.document == documents.c.id, passages.c.profile == profile)
    return sa.and_(documents.c.passages > 0, is_not_gone(), ~own)


def _shown(connection: sa.Connection, statement: sa.Select[Any], visible: Visibility) -> list[sa.Row[Any]]:
    """Rows of a statement over documents that may be seen; it selects `documents.access`.

    Where the keys that are open were worked out, the database is asked of other keys alone: an index admits
    few of those.
    """
    if visible.accesses is None or visible.sight[1:] != (None, frozenset()):
        return list(connection.execute(statement.where(visible.condition())).all())
    rows = connection.execute(statement).all()
    unknown = {row.access for row in rows if not visible.shows(row.access)}
    if not unknown:
        return list(rows)
    asked = sa.select(documents.c.access).where(documents.c.access.in_(unknown), visible.condition())
    hidden = unknown - set(connection.execute(asked.distinct()).scalars())
    return [row for row in rows if row.access not in hidden]
