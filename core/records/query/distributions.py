"""Distributions of the values of fields, from a sample of them."""

from __future__ import annotations

from collections import defaultdict

import sqlalchemy as sa

from core.records.database.db import Repository
from core.records.database.field_tables import extraction_state, field_values
from core.records.database.schema import documents
from core.records.database.visibility import Visibility

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
