"""The beginnings of documents: what their names are read from."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass

import sqlalchemy as sa

from core.domain.ids import DocumentId
from core.records.database.db import Repository, slices
from core.records.database.schema import documents, passages
from core.records.database.visibility import is_not_gone


@dataclass(frozen=True, slots=True)
class Opening:
    """A document with the beginning of its text, "" where it has none."""

    id: DocumentId
    bucket: str
    source: str
    title: str
    acl: tuple[str, ...]
    text: str


class Openings(Repository):
    """Reads the beginnings of documents, whoever may see them: for machinery only. Thread-safe."""

    def iterate(self, wanted: Collection[DocumentId] | None = None, *, first: int = 2) -> Iterator[Opening]:
        """Each document with its `first` passages' text, in no promised order; None for all documents.

        Passages, not pages: a page of plain text can be a megabyte, of which only the start is wanted.
        """
        if wanted is None:
            yield from self._read(is_not_gone(), first)
            return
        for group in slices(sorted(wanted)):
            yield from self._read(sa.and_(documents.c.id.in_(group), is_not_gone()), first)

    def _read(self, condition: sa.ColumnElement[bool], first: int) -> Iterator[Opening]:
        columns = (documents.c.id, documents.c.bucket, documents.c.source, documents.c.title, documents.c.acl)
        head = sa.select(*columns).where(condition)
        texts = (
            sa.select(passages.c.document, passages.c.text)
            .join(documents, documents.c.id == passages.c.document)
            .where(condition, passages.c.ordinal < first)
            .order_by(passages.c.document, passages.c.ordinal)
        )
        with self._database.read() as connection:
            found: dict[str, list[str]] = {}
            for document, text in connection.execute(texts):
                found.setdefault(document, []).append(text)
            for row in connection.execute(head):
                text = "\n".join(found.get(row.id, ()))
                yield Opening(DocumentId(row.id), row.bucket, row.source, row.title, tuple(row.acl), text)
