"""Probabilities that documents hold clauses, as trained heads gave them, beside what people decided."""

from __future__ import annotations

from collections.abc import Collection

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from core.domain.fields import CellStatus
from core.domain.ids import DocumentId
from core.domain.llm.cells import MODEL
from core.records.database.db import rows_among
from core.records.database.field_tables import field_cells
from core.records.database.schema import documents
from core.records.database.visibility import Visibility

_GIVEN = ("head", MODEL)
"""Methods of cells whose confidence is a probability."""


def clause_probabilities(
    connection: Connection, visible: Visibility, wanted: Collection[DocumentId], fields: Collection[str]
) -> dict[tuple[str, str], float]:
    """By document and field the probability that it is there: 0 or 1 where a rule or a person decided.

    Cells that nobody decided and of which no head says how likely they are, are left out.
    """
    cell = field_cells.c
    statement = (
        sa.select(
            cell.document,
            cell.field,
            cell.status,
            cell.method,
            cell.confidence,
            cell.probability,
            cell.is_reviewed,
        )
        .join(documents, documents.c.id == cell.document)
        .where(visible.condition(), cell.extracted_version == documents.c.version)
        .where(cell.field.in_(sorted(fields)))
    )
    found: dict[tuple[str, str], float] = {}
    for row in rows_among(connection, statement, cell.document, wanted):
        status, is_given = CellStatus(row.status), row.method in _GIVEN and not row.is_reviewed
        if status is CellStatus.PRESENT:
            found[row.document, row.field] = row.confidence if is_given else 1.0
        elif status is CellStatus.ABSENT:
            found[row.document, row.field] = 1.0 - row.confidence if is_given else 0.0
        elif status is CellStatus.UNCERTAIN and is_given:
            found[row.document, row.field] = row.probability
    return found
