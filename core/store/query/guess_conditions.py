"""Conditions of the matrix on best guesses, and on how sure cells are: NAME@guess, NAME@any, NAME@sure."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from core.domain.fields import CellStatus
from core.domain.matrix import Asking
from core.domain.predicate import Operator, Predicate
from core.errors import UsageError
from core.store.cells.status import cannot_be_read, is_not_asked
from core.store.database.db import matches
from core.store.database.field_tables import field_cells, field_guesses
from core.store.database.schema import documents
from core.store.database.visibility import Visibility
from core.store.query.conditions import ConditionCompiler
from core.store.query.sources import CellSubject

GUESS, ANY, SURE = "guess", "any", "sure"
ASPECTS = (GUESS, ANY, SURE)


class GuessSubject(CellSubject):
    """Documents, by the best guesses of their undecided cells in place of values that count."""

    def __init__(self, visible: Visibility, bucket: str | None, asking: Asking) -> None:
        super().__init__(visible, bucket, asking=asking)
        self._asked, self._within = asking, bucket

    def values(self, name: str) -> tuple[sa.FromClause, sa.ColumnElement[bool]]:
        """Best guesses of a field, in documents that are asked for it and can be read."""
        guess = field_guesses.alias()
        on = sa.and_(guess.c.document == documents.c.id, guess.c.field == name, sa.not_(cannot_be_read()))
        others = is_not_asked(self._asked, name, self._within)
        return guess, on if others is None else sa.and_(on, sa.not_(others))


def split(name: str) -> tuple[str, str]:
    """A field and what of it is meant: a GUESS, ANY value or guess, how SURE it is; "" for what counts."""
    field, _, aspect = name.partition("@")
    return field, aspect


class GuessCompiler:
    """Compiles conditions on values, on guesses, and on sureness, within one connection."""

    def __init__(
        self, connection: Connection, visible: Visibility, bucket: str | None, asking: Asking
    ) -> None:
        self._values = ConditionCompiler(connection, CellSubject(visible, bucket, asking=asking))
        self._guesses = ConditionCompiler(connection, GuessSubject(visible, bucket, asking))

    def holds(self, predicate: Predicate) -> sa.ColumnElement[bool]:
        """True where a document is known to fulfil a condition. Raises UsageError."""
        field, aspect = split(predicate.field)
        bare = replace(predicate, field=field)
        if not aspect:
            return self._values.holds(bare)
        if aspect == SURE:
            return _is_sure(bare)
        if aspect not in ASPECTS or bare.operator in (Operator.IS, Operator.MISSING):
            raise UsageError(
                f"The condition {predicate.field!r} {bare.operator.value!r} cannot be read.",
                next_step=f"Write FIELD@{GUESS}, FIELD@{ANY} or FIELD@{SURE} before a comparison.",
            )
        guessed = self._guesses.holds(bare)
        return guessed if aspect == GUESS else sa.or_(self._values.holds(bare), guessed)


def sureness(cell: sa.FromClause, guess: sa.FromClause) -> sa.ColumnElement[float]:
    """Probability that what a cell shows is right; 0 where it shows nothing, NULL where there is no cell."""
    return sa.case(
        (cell.c.document.is_(None), sa.null()),
        (cell.c.extracted_version != documents.c.version, sa.null()),
        (sa.and_(cannot_be_read(), cell.c.is_reviewed.is_(False)), sa.null()),
        (cell.c.status == CellStatus.UNREADABLE.value, sa.null()),
        (cell.c.status == CellStatus.UNCERTAIN.value, sa.func.coalesce(guess.c.probability, 0.0)),
        (cell.c.check_again.is_(True), 0.0),
        else_=cell.c.confidence,
    )


def _is_sure(predicate: Predicate) -> sa.ColumnElement[bool]:
    """True where a cell is as sure as a condition says: at least so much, or less."""
    if predicate.operator not in (Operator.GREATER_EQUAL, Operator.LESS):
        raise _no_share(predicate)
    try:
        share = float(str(predicate.values[0]))
    except (IndexError, ValueError):
        raise _no_share(predicate) from None
    if not 0.0 <= share <= 1.0:
        raise _no_share(predicate)
    cell, guess = field_cells.alias(), field_guesses.alias()
    sure = sureness(cell, guess)
    joined = cell.outerjoin(
        guess, sa.and_(guess.c.document == cell.c.document, guess.c.field == cell.c.field)
    )
    is_at_least = predicate.operator is Operator.GREATER_EQUAL
    return (
        sa.exists()
        .select_from(joined)
        .where(cell.c.document == documents.c.id, cell.c.field == predicate.field)
        .where(sure >= share if is_at_least else sure < share)
        .correlate(documents)
    )


def _no_share(predicate: Predicate) -> UsageError:
    return UsageError(
        f"How sure {predicate.field!r} is cannot be compared with {predicate.op!s} {predicate.value!r}.",
        next_step=f"Write '{predicate.field}@{SURE} >= 0.7', with a share between 0 and 1.",
    )


def guessed_counts(
    connection: Connection, visible: Visibility, bucket: str | None, fields: Iterable[str]
) -> dict[str, int]:
    """Number of documents with a best guess, by field; those without one are left out."""
    guess = field_guesses.c
    statement = (
        sa.select(guess.field, sa.func.count())
        .where(guess.field.in_(sorted(fields)))
        .group_by(guess.field)
        .where(matches(guess.bucket, bucket))
    )
    if not visible.is_whole:
        seen = sa.select(documents.c.id).where(visible.condition())
        statement = statement.where(guess.document.in_(seen))
    return {field: int(count) for field, count in connection.execute(statement)}
