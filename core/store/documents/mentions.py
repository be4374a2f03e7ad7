"""The pages of every document that may be seen, for who looks through all of them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import sqlalchemy as sa

from core.domain.document import PAGE_DETAILS
from core.domain.ids import DocumentId
from core.store.database.db import Repository
from core.store.database.schema import documents, pages
from core.store.database.visibility import Visibility

_BATCH = 500


@dataclass(frozen=True, slots=True)
class MentionPage:
    """A page with what a citation of it needs."""

    document: DocumentId
    version: int
    page: int
    text: str
    title: str
    source: str


class MentionRecords(Repository):
    """Reads the pages of current versions. Thread-safe."""

    def pages(self, visible: Visibility) -> Iterator[MentionPage]:
        """The pages by document and number; none is left out, for words are written in many ways."""
        row = documents.c
        statement = (
            sa.select(row.id, row.version, pages.c.page_no, pages.c.text, row.name, row.source)
            .join(pages, sa.and_(pages.c.document == row.id, pages.c.version == row.version))
            .where(visible.condition(), pages.c.label != PAGE_DETAILS)
            .order_by(row.id, pages.c.page_no)
        )
        with self._database.read() as connection:
            for some in connection.execute(statement).partitions(_BATCH):
                for id, version, page, text, name, source in some:
                    yield MentionPage(DocumentId(id), version, page, text, name, source)
