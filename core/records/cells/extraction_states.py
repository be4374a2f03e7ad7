"""By which schema, and when, documents were extracted last."""

from __future__ import annotations

from collections.abc import Collection

import sqlalchemy as sa

from core.domain.document import DocumentStatus
from core.domain.ids import DocumentId
from core.records.database.db import Database, slices
from core.records.database.field_tables import extraction_state
from core.records.database.schema import documents
from core.records.database.visibility import Visibility

_OPENING = "opening of "
"""Begin of the fingerprint of a document of which only the fields that come first were read so far."""

_JOINED = extraction_state.join(documents, documents.c.id == extraction_state.c.document)


def opening_fingerprint(fingerprint: str) -> str:
    """The fingerprint under which the opening of a document is noted: it lacks the rest yet."""
    return f"{_OPENING}{fingerprint}"


def is_whole() -> sa.ColumnElement[bool]:
    """True where the last extraction of a document was of all fields, not of its opening alone."""
    return ~extraction_state.c.fingerprint.startswith(_OPENING, autoescape=True)


class ExtractionStates:
    """Reads what extraction left of each document beside its cells. Thread-safe."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def schemas(self, visible: Visibility, bucket: str | None = None) -> dict[str, int]:
        """Number of documents of a bucket (None: of all) by the schema that extracted them."""
        statement = (
            sa.select(extraction_state.c.schema, sa.func.count())
            .select_from(_JOINED)
            .where(visible.condition())
            .group_by(extraction_state.c.schema)
        )
        if bucket is not None:
            statement = statement.where(documents.c.bucket == bucket)
        with self._database.read() as connection:
            return {name: int(count) for name, count in connection.execute(statement)}

    def by_document(self, visible: Visibility, bucket: str | None = None) -> dict[DocumentId, str]:
        """The schema of each document of a bucket (None: of all) that was ever extracted."""
        statement = (
            sa.select(extraction_state.c.document, extraction_state.c.schema)
            .select_from(_JOINED)
            .where(visible.condition())
        )
        if bucket is not None:
            statement = statement.where(documents.c.bucket == bucket)
        with self._database.read() as connection:
            return {DocumentId(document): name for document, name in connection.execute(statement)}

    def kinds(self, visible: Visibility, bucket: str | None = None) -> dict[str, frozenset[str]]:
        """By bucket, the schemas by which documents were extracted that can be read."""
        statement = (
            sa.select(documents.c.bucket, extraction_state.c.schema)
            .select_from(_JOINED)
            .where(visible.condition(), documents.c.status == DocumentStatus.READY.value)
            .distinct()
        )
        if bucket is not None:
            statement = statement.where(documents.c.bucket == bucket)
        found: dict[str, set[str]] = {}
        with self._database.read() as connection:
            for of, name in connection.execute(statement):
                found.setdefault(of, set()).add(name)
        return {of: frozenset(names) for of, names in found.items()}

    def schemas_of(self, wanted: Collection[DocumentId]) -> dict[DocumentId, str]:
        """The schema by which each document was read last, whoever may see it; none of what was not read."""
        state = extraction_state.c
        found: dict[DocumentId, str] = {}
        with self._database.read() as connection:
            for some in slices(sorted(wanted)):
                statement = sa.select(state.document, state.schema).where(state.document.in_(some))
                found |= {DocumentId(of): name for of, name in connection.execute(statement)}
        return found

    def schema_of(self, document: DocumentId, visible: Visibility) -> str:
        """The schema of one document; "" before the first extraction, and where it may not be seen."""
        statement = (
            sa.select(extraction_state.c.schema)
            .select_from(_JOINED)
            .where(documents.c.id == document, visible.condition())
        )
        with self._database.read() as connection:
            return connection.execute(statement).scalar() or ""
