"""Clauses by the promise level of one question: which cells it decides otherwise than they were put."""

from __future__ import annotations

from collections.abc import Sequence

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from core.domain.fields import CellStatus
from core.domain.predicate import Operator, Predicate
from core.fields.promise import HEAD, QuestionPromise
from core.records.cells.field_rows import CELL_COLUMNS, cell_of
from core.records.database.field_tables import field_cells

_ROUNDING = 1e-4


def changed_cells(
    connection: Connection, promise: QuestionPromise, field: str, near: Sequence[sa.ColumnElement[bool]]
) -> dict[CellStatus, frozenset[str]]:
    """Documents by the status that their clause has then, of those whose cell says another. near: which ones.

    Heads' cells that are surer than every line are left out in the database.
    """
    lines = promise.range_of(field)
    if lines is None:
        return {}
    cell, (lowest, highest) = field_cells.c, lines
    is_open = sa.or_(
        cell.method != HEAD,
        cell.status == CellStatus.UNCERTAIN.value,
        sa.and_(cell.status == CellStatus.ABSENT.value, cell.confidence <= 1 - lowest + _ROUNDING),
        sa.and_(cell.status == CellStatus.PRESENT.value, cell.confidence < highest),
    )
    statement = sa.select(*CELL_COLUMNS, cell.bucket).where(
        cell.field == field, cell.is_reviewed.is_(False), cell.check_again.is_(False), is_open, *near
    )
    found: dict[CellStatus, set[str]] = {}
    for row in connection.execute(statement):
        stored = cell_of(row)
        status = promise.cell(stored, row[-1]).finding.status
        if status is not stored.finding.status:
            found.setdefault(status, set()).add(stored.document)
    return {status: frozenset(ids) for status, ids in found.items()}


def is_true_of_clause(predicate: Predicate) -> bool:
    """True where a condition on values holds of a clause that is there, whose only value is "true"."""
    texts = {(each if isinstance(each, str) else each.text).strip().casefold() for each in predicate.values}
    says_yes = bool(texts & {"true", "yes"})
    if predicate.operator is Operator.NOT_EQUAL:
        return not says_yes
    return says_yes and predicate.operator in (Operator.EQUAL, Operator.IN, Operator.CONTAINS)
