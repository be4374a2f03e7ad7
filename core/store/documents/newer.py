"""Newer versions of documents, and the texts of versions, for those who hold an older one against it."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime

import sqlalchemy as sa

from core.domain.document import DocumentStatus
from core.domain.ids import DocumentId
from core.store.database.db import Repository, slices
from core.store.database.schema import document_versions, documents, pages
from core.store.database.visibility import Visibility


@dataclass(frozen=True, slots=True)
class NewestVersion:
    """The current version of a document. at: when it came; of a document that is gone, since when it is.

    reason: of a document that is gone, why.
    """

    version: int
    at: datetime
    is_gone: bool
    reason: str


class NewerVersions(Repository):
    """Reads the newest versions of documents, and texts of any version. Thread-safe."""

    def newest(self, wanted: Collection[DocumentId], visible: Visibility) -> dict[DocumentId, NewestVersion]:
        """Newest version of each that is there and may be seen, what is gone included."""
        made, row = document_versions.c, documents.c
        statement = (
            sa.select(row.id, row.version, row.status, row.reason, row.updated_at, made.created_at)
            .select_from(
                documents.outerjoin(
                    document_versions, sa.and_(made.document == row.id, made.version == row.version)
                )
            )
            .where(visible.including_gone().to_open().condition())
        )
        found: dict[DocumentId, NewestVersion] = {}
        with self._database.read() as connection:
            for some in slices(sorted(set(wanted))):
                for each in connection.execute(statement.where(row.id.in_(some))):
                    is_gone = each.status == DocumentStatus.GONE
                    at = each.updated_at if is_gone else each.created_at or each.updated_at
                    reason = each.reason if is_gone else ""
                    found[DocumentId(each.id)] = NewestVersion(each.version, at, is_gone, reason)
        return found

    def texts(
        self, wanted: Collection[tuple[DocumentId, int]]
    ) -> dict[tuple[DocumentId, int], dict[int, str]]:
        """Texts of versions by page number. Whoever may see them: asked for what `newest` gave."""
        found: dict[tuple[DocumentId, int], dict[int, str]] = {each: {} for each in wanted}
        columns = (pages.c.document, pages.c.version, pages.c.page_no, pages.c.text)
        with self._database.read() as connection:
            for some in slices(sorted({document for document, _ in wanted})):
                versions = {version for document, version in wanted if document in some}
                statement = sa.select(*columns).where(
                    pages.c.document.in_(some), pages.c.version.in_(sorted(versions))
                )
                for row in connection.execute(statement):
                    key = (DocumentId(row.document), row.version)
                    if key in found:
                        found[key][row.page_no] = row.text
        return found
