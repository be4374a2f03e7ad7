"""Withdrawal of documents whose source gives them no more, and their way back."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from core.domain.document import DocumentStatus
from core.domain.ids import DocumentId
from core.records.database.field_tables import (
    TABLES_OF_ROWS,
    clauses,
    extraction_state,
    family_marks,
    family_references,
    field_cells,
    field_guesses,
    field_values,
    financials,
    parties,
    reading_queue,
    summaries,
)
from core.records.database.schema import documents, passages
from core.records.database.visibility import GONE_ACCESS, is_not_gone

_DERIVED = (
    passages,
    field_values,
    field_guesses,
    *TABLES_OF_ROWS,
    clauses,
    parties,
    financials,
    summaries,
    family_marks,
    family_references,
    extraction_state,
    reading_queue,
)
_NO_BUCKET = ""


def withdraw(
    connection: Connection, some: Collection[DocumentId], reason: str, now: datetime
) -> list[DocumentId]:
    """Withdraw documents within the caller's transaction; see `Documents.withdraw`."""
    chosen = sa.select(documents.c.id).where(documents.c.id.in_(some), is_not_gone())
    found = [DocumentId(each) for each in connection.execute(chosen.order_by(documents.c.id)).scalars()]
    if not found:
        return []
    for table in _DERIVED:
        connection.execute(sa.delete(table).where(table.c.document.in_(found)))
    cell = field_cells.c
    of_these = cell.document.in_(found)
    # Cells that a person decided stay for the way back, in no bucket: counts of a bucket look no document up.
    connection.execute(sa.delete(field_cells).where(of_these, cell.event == 0))
    connection.execute(sa.update(field_cells).where(of_these).values(bucket=_NO_BUCKET, extracted_version=0))
    connection.execute(
        sa.update(documents)
        .where(documents.c.id.in_(found))
        .values(
            status=DocumentStatus.GONE.value,
            reason=reason,
            access=sa.literal(GONE_ACCESS) + documents.c.access,
            passages=0,
            updated_at=now,
        )
    )
    return found


def bring_back(connection: Connection, document: DocumentId, bucket: str, now: datetime) -> None:
    """Let a document that is published again arrive anew, with the cells that a person decided."""
    cell = field_cells.c
    connection.execute(
        sa.update(field_cells)
        .where(cell.document == document, cell.bucket == _NO_BUCKET)
        .values(bucket=bucket)
    )
    connection.execute(sa.update(documents).where(documents.c.id == document).values(created_at=now))
