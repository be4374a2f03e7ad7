"""Heads of fields in words, one of each field, and how many verdicts there are to learn from."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime

import sqlalchemy as sa

from core.domain.ids import DocumentId
from core.store.database.db import Database, Repository, insert_or_update
from core.store.database.field_tables import extraction_state, field_cells, word_heads
from core.store.database.schema import documents
from core.store.database.visibility import Visibility


@dataclass(frozen=True, slots=True)
class StoredHead:
    """A head as text. verdicts: how many stood when it was learnt; newest: when the last one was given."""

    schema: str
    field: str
    learnt_at: datetime
    verdicts: int
    newest: datetime | None
    head: str


@dataclass(frozen=True, slots=True)
class VerdictState:
    """Verdicts on a field that stand: how many, and when the newest was given (None for none)."""

    verdicts: int = 0
    newest: datetime | None = None


class WordHeads(Repository):
    """Keeps the heads, of each set of vectors its own: none weighs another encoder's. Thread-safe."""

    def __init__(self, database: Database, vector_set: int = 0) -> None:
        super().__init__(database)
        self._of_set = f"@{vector_set}" if vector_set else ""

    def put(self, head: StoredHead) -> None:
        """Keep a head in place of the one before."""
        row = {name: getattr(head, name) for name in word_heads.c.keys()}  # noqa: SIM118
        with self._database.write() as connection:
            insert_or_update(connection, word_heads, {**row, "schema": head.schema + self._of_set})

    def get(self, schema: str, field: str) -> StoredHead | None:
        """The head of a field; None where it has none."""
        row = self._database.first(sa.select(word_heads).where(*self._named(schema, field)))
        return None if row is None else replace(StoredHead(*row), schema=schema)

    def all(self) -> dict[str, dict[str, str]]:
        """The texts of all heads, by schema and field."""
        statement = sa.select(word_heads.c.schema, word_heads.c.field, word_heads.c.head)
        found: dict[str, dict[str, str]] = {}
        for key, field, head in self._database.rows(statement):
            schema, sign, number = key.partition("@")
            if sign + number == self._of_set:
                found.setdefault(schema, {})[field] = head
        return found

    def remove(self, schema: str, field: str) -> None:
        """Forget a head; its field is a best guess again."""
        self._database.run(sa.delete(word_heads).where(*self._named(schema, field)))

    def _named(self, schema: str, field: str) -> tuple[sa.ColumnElement[bool], ...]:
        return word_heads.c.schema == schema + self._of_set, word_heads.c.field == field

    def verdicts(self, schema: str, field: str, visible: Visibility | None = None) -> VerdictState:
        """Verdicts on a field of the documents of a schema that stand. visible: None for those of all."""
        statement = (
            sa.select(sa.func.count(), sa.func.max(field_cells.c.reviewed_at))
            .join(documents, documents.c.id == field_cells.c.document)
            .where(*_standing(schema, field), (visible or Visibility.everything()).condition())
        )
        count, newest = self._database.one(statement)
        return VerdictState(int(count), newest)

    def judged(self, schema: str, field: str, visible: Visibility, limit: int) -> list[DocumentId]:
        """Documents with a standing verdict on a field, those judged last first."""
        statement = (
            sa.select(field_cells.c.document)
            .join(documents, documents.c.id == field_cells.c.document)
            .where(*_standing(schema, field), visible.condition())
            .order_by(field_cells.c.reviewed_at.desc(), field_cells.c.document)
            .limit(limit)
        )
        return [DocumentId(each) for each in self._database.scalars(statement)]


def _standing(schema: str, field: str) -> tuple[sa.ColumnElement[bool], ...]:
    """Of the documents that are read by the schema now: the same name in another one is another field."""
    of_schema = sa.select(extraction_state.c.document).where(extraction_state.c.schema == schema)
    return (
        field_cells.c.field == field,
        field_cells.c.is_reviewed.is_(True),
        field_cells.c.check_again.is_(False),
        field_cells.c.status.in_(("present", "absent")),
        field_cells.c.document.in_(of_schema),
    )
