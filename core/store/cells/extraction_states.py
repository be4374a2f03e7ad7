"""By which schema, and when, documents were extracted last."""

from __future__ import annotations

from collections.abc import Collection

import sqlalchemy as sa

from core.domain.document import DocumentStatus
from core.domain.ids import DocumentId
from core.domain.matrix import Asking
from core.store.cells.status import is_of_unknown_kind
from core.store.database.db import Repository, matches
from core.store.database.field_tables import extraction_state
from core.store.database.schema import documents
from core.store.database.visibility import Visibility

_OPENING = "opening of "
"""Begin of the fingerprint of a document of which only the fields that come first were read so far."""

_JOINED = extraction_state.join(documents, documents.c.id == extraction_state.c.document)


def opening_fingerprint(fingerprint: str) -> str:
    """The fingerprint under which the opening of a document is noted: it lacks the rest yet."""
    return f"{_OPENING}{fingerprint}"


def is_whole() -> sa.ColumnElement[bool]:
    """True where the last extraction of a document was of all fields, not of its opening alone."""
    return ~extraction_state.c.fingerprint.startswith(_OPENING, autoescape=True)


class ExtractionStates(Repository):
    """Reads what extraction left of each document beside its cells. Thread-safe."""

    def schemas(self, visible: Visibility, bucket: str | None = None) -> dict[str, int]:
        """Number of documents of a bucket (None: of all) by the schema that extracted them."""
        statement = (
            sa.select(extraction_state.c.schema, sa.func.count())
            .select_from(_JOINED)
            .where(visible.condition())
            .group_by(extraction_state.c.schema)
            .where(matches(documents.c.bucket, bucket))
        )
        return {name: int(count) for name, count in self._database.rows(statement)}

    def by_document(self, visible: Visibility, bucket: str | None = None) -> dict[DocumentId, str]:
        """The schema of each document of a bucket (None: of all) that was ever extracted."""
        statement = (
            sa.select(extraction_state.c.document, extraction_state.c.schema)
            .select_from(_JOINED)
            .where(visible.condition(), matches(documents.c.bucket, bucket))
        )
        return {DocumentId(document): name for document, name in self._database.rows(statement)}

    def of_unknown_kind(
        self, visible: Visibility, bucket: str | None, asking: Asking
    ) -> dict[DocumentStatus, int]:
        """Number of documents that cannot be read and may be of any kind, by how their ingest ended."""
        statement = (
            sa.select(documents.c.status, sa.func.count())
            .where(visible.condition(), is_of_unknown_kind(asking))
            .group_by(documents.c.status)
            .where(matches(documents.c.bucket, bucket))
        )
        return {DocumentStatus(status): int(count) for status, count in self._database.rows(statement)}

    def kinds(self, visible: Visibility, bucket: str | None = None) -> dict[str, frozenset[str]]:
        """By bucket, the schemas by which documents were extracted that can be read."""
        statement = (
            sa.select(documents.c.bucket, extraction_state.c.schema)
            .select_from(_JOINED)
            .where(visible.condition(), documents.c.status == DocumentStatus.READY.value)
            .distinct()
            .where(matches(documents.c.bucket, bucket))
        )
        found: dict[str, set[str]] = {}
        for of, name in self._database.rows(statement):
            found.setdefault(of, set()).add(name)
        return {of: frozenset(names) for of, names in found.items()}

    def schemas_of(self, wanted: Collection[DocumentId]) -> dict[DocumentId, str]:
        """The schema by which each document was read last, whoever may see it; none of what was not read."""
        state = extraction_state.c
        rows = self._database.rows_among(sa.select(state.document, state.schema), state.document, wanted)
        return {DocumentId(of): name for of, name in rows}

    def schema_of(self, document: DocumentId, visible: Visibility) -> str:
        """The schema of one document; "" before the first extraction, and where it may not be seen."""
        statement = (
            sa.select(extraction_state.c.schema)
            .select_from(_JOINED)
            .where(documents.c.id == document, visible.condition())
        )
        return self._database.scalar(statement) or ""
