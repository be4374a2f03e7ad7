"""Which documents a plan asks, as a condition on their table; and lists of any size in a statement."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from core.domain.matrix import Asking
from core.records.cells.status import READY
from core.records.database.field_tables import extraction_state
from core.records.database.schema import documents, storable

_MOST_PARAMETERS = 500


@dataclass(frozen=True, slots=True)
class JudgedScope:
    """Which documents are judged. buckets, documents: () means all; schema: "" for any kind."""

    buckets: tuple[str, ...] = ()
    schema: str = ""
    documents: tuple[str, ...] = ()


def among(
    connection: Connection, column: sa.ColumnElement[Any], texts: Collection[str]
) -> sa.ColumnElement[bool]:
    """Whether the column is one of the texts; many go over as one JSON list, for parameters are bounded."""
    if len(texts) <= _MOST_PARAMETERS:
        return column.in_(sorted(texts))
    listed = sa.literal([storable(text) for text in sorted(texts)], sa.JSON)
    unpack = sa.func.json_each if connection.dialect.name == "sqlite" else sa.func.json_array_elements_text
    return column.in_(sa.select(unpack(listed).table_valued("value").c.value))


def in_scope(connection: Connection, scope: JudgedScope, asking: Asking) -> list[sa.ColumnElement[bool]]:
    """Documents of the buckets, by the schema they were extracted by or, unread, by that of their bucket."""
    found: list[sa.ColumnElement[bool]] = []
    if scope.buckets:
        found.append(documents.c.bucket.in_(sorted(scope.buckets)))
    if scope.documents:
        found.append(among(connection, documents.c.id, scope.documents))
    if scope.schema:
        state = extraction_state.c
        of_kind = sa.select(state.document).where(state.schema == scope.schema)
        is_read = sa.and_(documents.c.status == READY, documents.c.id.in_(sa.select(state.document)))
        buckets = sorted(name for name, kinds in asking.buckets.items() if scope.schema in kinds)
        found.append(
            sa.or_(
                sa.and_(documents.c.status == READY, documents.c.id.in_(of_kind)),
                sa.and_(documents.c.bucket.in_(buckets), sa.not_(is_read)),
            )
        )
    return found
