"""Pages on which some words may stand, of every document that may be seen."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

import sqlalchemy as sa

from core.domain.document import PAGE_DETAILS
from core.domain.ids import DocumentId
from core.store.database.db import Repository
from core.store.database.schema import documents, pages
from core.store.database.visibility import Visibility

_LOOSE = re.compile(r"ffi|ffl|ff|fi|fl|[^a-z0-9]+")  # ligatures, and letters whose case no database folds
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

    def pages(self, visible: Visibility, words: str) -> Iterator[MentionPage]:
        """The pages that may hold the words one behind another, by document and page.

        All that do are among them, and some that do not: letters that are written in several ways stand for
        any. Takes about a second for 100,000 pages.
        """
        pattern = "%" + "%".join(filter(None, _LOOSE.split(words.casefold()))) + "%"
        row = documents.c
        statement = (
            sa.select(row.id, row.version, pages.c.page_no, pages.c.text, row.name, row.source)
            .join(pages, sa.and_(pages.c.document == row.id, pages.c.version == row.version))
            .where(visible.condition(), pages.c.label != PAGE_DETAILS, pages.c.text.ilike(pattern))
            .order_by(row.id, pages.c.page_no)
        )
        with self._database.read() as connection:
            for some in connection.execute(statement).partitions(_BATCH):
                for id, version, page, text, name, source in some:
                    yield MentionPage(DocumentId(id), version, page, text, name, source)
