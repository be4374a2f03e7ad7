"""Confidence that cells read by a language model have earned by what reviewers found of a sample of them."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from hashlib import sha256
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from core.domain.fields import CellStatus, Finding
from core.domain.ids import DocumentId
from core.domain.llm.cells import ENOUGH_REVIEWED, MODEL, SAMPLE_SIZE, UNEARNED, ModelSample
from core.store.cells.field_rows import finding_of, key_of
from core.store.cells.status import READY
from core.store.database.among import among
from core.store.database.db import matches
from core.store.database.field_tables import field_cells
from core.store.database.schema import documents
from core.store.database.visibility import Visibility
from core.store.database.work_tables import model_readings

_CELL, _READING = field_cells.c, model_readings.c
_EVERYTHING = Visibility.everything()

READ_CELLS = model_readings.join(
    field_cells, sa.and_(_CELL.document == _READING.document, _CELL.field == _READING.field)
).join(documents, documents.c.id == _READING.document)
"""Cells that a model was asked for. Far fewer than all cells: where there are none, reading them is free."""


def drawn_cells(
    connection: Connection,
    visible: Visibility,
    bucket: str | None = None,
    fields: Collection[str] | None = None,
) -> list[Any]:
    """Cells that a model decided, in the order in which they are drawn: by digest, so that it is blind to
    content and stays as it is.
    """
    statement = (
        sa.select(
            _READING.document,
            _READING.field,
            _READING.finding,
            documents.c.name,
            _CELL.status.label("now"),
            _CELL.value,
            _CELL.confidence,
            _CELL.is_reviewed,
            _CELL.check_again,
        )
        .select_from(READ_CELLS)
        .where(visible.condition(), documents.c.status == READY)
        .where(_READING.status != CellStatus.UNCERTAIN.value, _READING.version == documents.c.version)
        .where(_CELL.extracted_version == documents.c.version)
        .where(
            sa.or_(_CELL.method == MODEL, _CELL.is_reviewed.is_(True)),
            matches(documents.c.bucket, bucket),
            among(_READING.field, fields),
        )
    )
    return sorted(connection.execute(statement), key=_digest)


def tallied(drawn: Sequence[Any], size: int = SAMPLE_SIZE) -> ModelSample:
    """How right reviewers found the first of these cells."""
    sample = drawn[:size]
    checked = [row for row in sample if row.is_reviewed and not row.check_again]
    right = sum(
        _says_same(finding_of(row.finding), CellStatus(row.now), _values_of(row.value)) for row in checked
    )
    return ModelSample(of=len(drawn), size=len(sample), checked=len(checked), right=right)


def rate(connection: Connection, bucket: str, *, is_review: bool = False) -> None:
    """Give the cells of a bucket that rest on a model the confidence that reviews of samples have earned:

    those of their field, else of all fields of the bucket; UNEARNED where too few were reviewed, which they
    are already but after a review. is_review: one came or went.
    """
    reviewed = sa.select(1).select_from(READ_CELLS).where(_CELL.bucket == bucket, _CELL.is_reviewed.is_(True))
    if len(connection.execute(reviewed.limit(ENOUGH_REVIEWED)).all()) < ENOUGH_REVIEWED and not is_review:
        return  # else each document that is read would cost all that were read before
    drawn = drawn_cells(connection, _EVERYTHING, bucket)
    of_bucket = tallied(drawn).confidence
    by_field: dict[str, list[Any]] = {}
    for row in drawn:
        by_field.setdefault(row.field, []).append(row)
    for field, own in by_field.items():
        earned = tallied(own).confidence
        confidence = next((each for each in (earned, of_bucket) if each is not None), UNEARNED)
        connection.execute(
            sa.update(field_cells)
            .where(_CELL.bucket == bucket, _CELL.field == field, _CELL.method == MODEL)
            .where(_CELL.is_reviewed.is_(False), _CELL.confidence != round(confidence, 4))
            .values(confidence=round(confidence, 4), probability=round(confidence, 4))
        )


def rate_after(connection: Connection, document: DocumentId, field: str, bucket: str) -> None:
    """The same where a model was asked for the cell that was reviewed."""
    own = sa.select(_READING.field).where(_READING.document == document, _READING.field == field)
    if connection.execute(own).first() is not None:
        rate(connection, bucket, is_review=True)


def rests_on_model() -> sa.ColumnElement[bool]:
    """Condition on READ_CELLS: a model decided the cell, and no person did."""
    return sa.and_(
        _CELL.method == MODEL,
        _CELL.is_reviewed.is_(False),
        _CELL.extracted_version == documents.c.version,
    )


def _digest(row: Any) -> str:
    return sha256(f"{row.document}\0{row.field}".encode()).hexdigest()


def _values_of(stored: Any) -> frozenset[tuple[str, str]]:
    finding = finding_of([CellStatus.PRESENT.value, stored or [], [], 0.0, "", [], ""])
    return frozenset((key_of(each), each.unit) for each in finding.values)


def _says_same(model: Finding, status: CellStatus, values: frozenset[tuple[str, str]]) -> bool:
    if model.status is not status:
        return False
    own = frozenset((key_of(each), each.unit) for each in model.values)
    return status is not CellStatus.PRESENT or own == values
