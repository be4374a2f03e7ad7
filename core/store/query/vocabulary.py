"""Vocabulary of the values: which fields are stated, in which units, with which texts, and who is named.

Read as a whole for whoever has to understand words of a collection; each call is one grouped statement.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass

import sqlalchemy as sa

from core.domain.document import DocumentStatus
from core.domain.fields import CellStatus, FieldType
from core.domain.ids import DocumentId
from core.domain.matrix import Asking
from core.store.cells.status import EVERYBODY, is_of_unknown_kind
from core.store.database.db import Repository
from core.store.database.field_tables import (
    annotation_columns,
    extraction_state,
    field_cells,
    field_values,
    parties,
)
from core.store.database.schema import documents
from core.store.database.visibility import Visibility

LONGEST_TEXT = 120  # characters: longer values are passages rather than names
MOST_TEXTS = 50_000


@dataclass(frozen=True, slots=True)
class StatedText:
    """A text that documents of a schema state as the value of a field. key: by what it is compared."""

    schema: str
    field: str
    type: FieldType
    text: str
    key: str
    documents: int


@dataclass(frozen=True, slots=True)
class NamedParty:
    """An organisation that a document names."""

    document: DocumentId
    name: str
    normal: str


@dataclass(frozen=True, slots=True)
class KnownDocument:
    """A document as it is called. schema: by which it was extracted, "" where it never was.

    unreadable: why it holds no text, "" where it does. is_of_unknown_kind: nothing tells what it would be if
    it could be read.
    """

    id: DocumentId
    title: str
    source: str
    bucket: str
    schema: str
    kind: str
    unreadable: str = ""
    name: str = ""
    is_of_unknown_kind: bool = False


class Vocabulary(Repository):
    """Thread-safe; what a caller may not see is not in it."""

    def stated(self, visible: Visibility) -> dict[tuple[str, str], int]:
        """Number of documents that state a field, by schema and field."""
        cell = field_cells.c
        statement = (
            sa.select(cell.schema, cell.field, sa.func.count())
            .join(documents, documents.c.id == cell.document)
            .where(visible.condition(), cell.status == CellStatus.PRESENT.value)
            .group_by(cell.schema, cell.field)
        )
        return {(row[0], row[1]): int(row[2]) for row in self._database.rows(statement)}

    def units(self, visible: Visibility) -> dict[tuple[str, str], tuple[str, ...]]:
        """The units and currencies of a field's values, the most frequent first, by schema and field."""
        count = sa.func.count()
        statement = (
            sa.select(field_cells.c.schema, field_values.c.field, field_values.c.unit)
            .select_from(_VALUES)
            .where(visible.condition(), field_values.c.unit != "")
            .group_by(field_cells.c.schema, field_values.c.field, field_values.c.unit)
            .order_by(count.desc(), field_values.c.unit)
        )
        found: dict[tuple[str, str], tuple[str, ...]] = {}
        for schema, name, unit in self._database.rows(statement):
            found[(schema, name)] = (*found.get((schema, name), ()), unit)
        return found

    def texts(self, visible: Visibility) -> list[StatedText]:
        """Every different text, choice and name that is a value, the most frequent MOST_TEXTS of them."""
        value, count = field_values.c, sa.func.count(sa.distinct(field_values.c.document))
        kinds = [FieldType.TEXT.value, FieldType.ENUM.value, FieldType.PARTY.value]
        by = (field_cells.c.schema, value.field, value.type, value.key)
        statement = (
            sa.select(*by, sa.func.min(value.text), count)
            .select_from(_VALUES)
            .where(
                visible.condition(),
                value.type.in_(kinds),
                value.special == "",
                sa.func.length(value.text) <= LONGEST_TEXT,
            )
            .group_by(*by)
            .order_by(count.desc(), *by)
            .limit(MOST_TEXTS)
        )
        rows = self._database.rows(statement)
        found = [StatedText(r[0], r[1], FieldType(r[2]), r[4], r[3], int(r[5])) for r in rows]
        return sorted(found, key=lambda each: (each.schema, each.field, each.key))

    def parties(self, visible: Visibility) -> list[NamedParty]:
        """The organisations that documents name as parties, by document: as read, then as fields have them.

        A field has what people correct, and what a schema of their own reads.
        """
        read = (
            sa.select(parties.c.document, parties.c.name, parties.c.normal)
            .join(documents, documents.c.id == parties.c.document)
            .where(visible.condition())
            .order_by(parties.c.document, parties.c.ordinal)
        )
        value = field_values.c
        in_fields = (
            sa.select(value.document, value.text, value.key)
            .select_from(_VALUES)
            .where(visible.condition(), value.type == FieldType.PARTY.value, value.special == "")
            .order_by(value.document, value.field, value.ordinal)
        )
        with self._database.read() as connection:
            rows = [*connection.execute(read), *connection.execute(in_fields)]
        found = {(row[0], row[2]): NamedParty(DocumentId(row[0]), row[1], row[2]) for row in reversed(rows)}
        return list(reversed(found.values()))

    def documents(
        self, visible: Visibility, kind_field: str, asking: Asking = EVERYBODY
    ) -> list[KnownDocument]:
        """All documents by name; kind: the value that `kind_field` has, "" for none."""
        value = field_values.alias()
        on_kind = sa.and_(
            value.c.document == documents.c.id, value.c.field == kind_field, value.c.ordinal == 0
        )
        is_ready = documents.c.status == DocumentStatus.READY.value
        schema = sa.case((is_ready, extraction_state.c.schema), else_=sa.null())
        has_text = sa.or_(is_ready, documents.c.passages > 0)
        statement = (
            sa.select(
                documents.c.id,
                documents.c.title,
                documents.c.source,
                documents.c.bucket,
                schema,
                value.c.text,
                sa.case((has_text, ""), else_=documents.c.reason),
                documents.c.name,
                is_of_unknown_kind(asking),
            )
            .select_from(
                documents.outerjoin(
                    extraction_state, extraction_state.c.document == documents.c.id
                ).outerjoin(value, on_kind)
            )
            .where(visible.condition())
            .order_by(documents.c.search_text, documents.c.id)
        )
        return [
            KnownDocument(DocumentId(r[0]), r[1], r[2], r[3], r[4] or "", r[5] or "", r[6], r[7], bool(r[8]))
            for r in self._database.rows(statement)
        ]

    def columns(self, visible: Visibility) -> list[str]:
        """The columns of tables in documents, as they are written first, by name."""
        column = annotation_columns.c
        statement = (
            sa.select(sa.func.min(column.name))
            .join(documents, documents.c.id == column.document)
            .where(visible.condition())
            .group_by(column.column)
            .order_by(column.column)
        )
        return [str(name) for name in self._database.scalars(statement)]


_VALUES = field_values.join(
    field_cells,
    sa.and_(field_cells.c.document == field_values.c.document, field_cells.c.field == field_values.c.field),
).join(documents, documents.c.id == field_values.c.document)


SAMPLE = 20_000
"""Values of a field that are read: by document ids, which are hashes and so a fair sample."""


class Distributions(Repository):
    """Reads values for statistics. Thread-safe."""

    def amounts(self, visible: Visibility, schema: str, field: str) -> dict[str, list[int]]:
        """The amounts that documents of a schema ("" for any) state in a field, by unit, at most a sample."""
        statement = (
            sa.select(field_values.c.unit, field_values.c.amount)
            .join(documents, documents.c.id == field_values.c.document)
            .where(
                field_values.c.field == field,
                field_values.c.ordinal == 0,
                field_values.c.amount.is_not(None),
                visible.condition(),
            )
            .order_by(field_values.c.document)
            .limit(SAMPLE)
        )
        if schema:
            statement = statement.join(
                extraction_state, extraction_state.c.document == field_values.c.document
            ).where(extraction_state.c.schema == schema)
        found: dict[str, list[int]] = defaultdict(list)
        for row in self._database.rows(statement):
            found[row.unit].append(int(row.amount))
        return dict(found)
