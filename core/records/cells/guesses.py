"""Best guesses of cells as rows, and back: a row a cell that nothing decided and that has candidates."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from core.domain.certainty.guess import GuessedValue, guesses_of
from core.domain.fields import Cell
from core.records.cells.field_rows import value_json, value_of, value_row
from core.records.database.db import rows_among
from core.records.database.field_tables import field_guesses

_DIGITS = 4  # of a probability: more than a page shows


def guess_row(cell: Cell, bucket: str) -> dict[str, Any] | None:
    """The row of a cell in field_guesses; None where somebody decided it, or it may be anything."""
    if cell.review is not None:
        return None
    guesses = guesses_of(cell.finding)
    if not guesses:
        return None
    return {
        "document": cell.document,
        "field": cell.field,
        "bucket": bucket,
        **value_row(guesses[0].value),
        "probability": guesses[0].probability,
        "readings": readings_json(guesses),
    }


def readings_json(guesses: Sequence[GuessedValue]) -> list[list[Any]]:
    """Guesses as JSON: lists, as all that a page of the matrix reads by the thousand."""
    return [[each.candidate, round(each.probability, _DIGITS), value_json(each.value)] for each in guesses]


def guesses_in(stored: Sequence[Sequence[Any]]) -> tuple[GuessedValue, ...]:
    """Guesses from their JSON."""
    return tuple(
        GuessedValue(value_of(value), probability, candidate) for candidate, probability, value in stored
    )


def guesses_by_cell(
    connection: Connection, documents: Sequence[str], fields: Collection[str]
) -> dict[tuple[str, str], tuple[GuessedValue, ...]]:
    """The guesses of some documents' cells, by document and field."""
    row = field_guesses.c
    statement = sa.select(row.document, row.field, row.readings).where(row.field.in_(sorted(fields)))
    rows = rows_among(connection, statement, row.document, documents)
    return {(document, field): guesses_in(readings) for document, field, readings in rows}
