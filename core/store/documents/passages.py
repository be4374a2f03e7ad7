"""Passages with their vectors: what indexes are built from and answers are ranked with."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from datetime import UTC, datetime
from typing import Any

import sqlalchemy as sa

from core.domain.ids import DocumentId, PassageId
from core.domain.passage import Matrix, StoredPassage, Vector
from core.encode.base import EncoderSignature
from core.store.base import IndexedPassage
from core.store.database.changes import append_changes
from core.store.database.db import Repository, slices
from core.store.database.schema import documents, passage_vectors, passages, sentence_vectors
from core.store.database.visibility import Visibility
from core.store.documents.publish import store_signature, stored_signature
from core.store.documents.rows import (
    PASSAGE_COLUMNS,
    matrices_of,
    matrix_bytes,
    stored_passage_of,
    vector_bytes,
    vector_of,
)

_JOINED = passages.join(documents, documents.c.id == passages.c.document)
_STORED = sa.select(*PASSAGE_COLUMNS, documents.c.access).select_from(_JOINED)
_PLACES = sa.select(passages.c.id, passages.c.document, passages.c.ordinal, documents.c.access).select_from(
    _JOINED
)
_WITH_VECTOR = sa.select(*PASSAGE_COLUMNS, passage_vectors.c.vector).select_from(
    _JOINED.join(passage_vectors, passage_vectors.c.passage == passages.c.id)
)


class PassageRecords(Repository):
    """Reads passages and vectors, and replaces vectors when the encoder changes. Thread-safe."""

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
        with self._database.read() as connection:
            for some in slices(ids):
                statement = sa.select(sentence_vectors).where(sentence_vectors.c.passage.in_(some))
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
        last = 0
        while True:
            statement = (
                _WITH_VECTOR.where(condition, passages.c.id > last).order_by(passages.c.id).limit(batch)
            )
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
        """Number of passages."""
        found = self._database.scalar(sa.select(sa.func.sum(documents.c.passages)))
        return int(found or 0)

    def encoder_signature(self) -> EncoderSignature | None:
        """The encoder of the stored vectors; None before the first, and while they are being replaced."""
        with self._database.read() as connection:
            return stored_signature(connection)

    def set_encoder_signature(self, signature: EncoderSignature | None) -> None:
        """Note which encoder the stored vectors are of; None before replacing them begins."""
        with self._database.write() as connection:
            store_signature(connection, signature)

    def replace_vectors(
        self, rows: Sequence[tuple[PassageId, Vector, Matrix]], now: datetime | None = None
    ) -> int:
        """Replace the vectors of some passages in one transaction; give how many are still there.

        To encode everything again: set the signature to None, replace in batches, set the new one;
        until then the stored vectors are of two encoders and nothing may search them.
        """
        given = {key: (vector, matrix) for key, vector, matrix in rows}
        with self._database.write() as connection:
            owners: list[tuple[int, str]] = []
            for some in slices(given):
                query = sa.select(passages.c.id, passages.c.document).where(passages.c.id.in_(some))
                owners += [(key, document) for key, document in connection.execute(query)]
                for table in (passage_vectors, sentence_vectors):
                    connection.execute(sa.delete(table).where(table.c.passage.in_(some)))
            if owners:
                _insert_vectors(connection, {PassageId(key): given[PassageId(key)] for key, _ in owners})
            changed = sorted({DocumentId(document) for _, document in owners})
            append_changes(connection, changed, "encoded", now or datetime.now(UTC))
        return len(owners)


def _insert_vectors(connection: sa.Connection, rows: dict[PassageId, tuple[Vector, Matrix]]) -> None:
    connection.execute(
        sa.insert(passage_vectors),
        [{"passage": key, "vector": vector_bytes(vector)} for key, (vector, _) in rows.items()],
    )
    connection.execute(
        sa.insert(sentence_vectors),
        [
            {"passage": key, "dimension": len(vector), "vectors": matrix_bytes(matrix)}
            for key, (vector, matrix) in rows.items()
        ],
    )


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
