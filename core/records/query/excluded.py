"""Excluded rows of a search or computation: their number, and what was in the way."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from core.domain.annotation import Excluded
from core.domain.predicate import Predicate
from core.records.query.conditions import ConditionCompiler
from core.records.query.sources import MISSING, PRESENT, Subject


def unknown_rows(
    connection: Connection,
    subject: Subject,
    compiled: ConditionCompiler,
    predicates: Sequence[Predicate],
    needed: Sequence[str] = (),
    restricted: Sequence[str] = (),
) -> list[Excluded]:
    """Rows that fulfil the conditions as far as is known, but of which something is not known.

    needed: names that a row must have values of, too; where one of them is `restricted` by a condition on its
    values, a row without any has not been chosen, and is not counted. A row counts once, for the first name
    in the way.
    """
    reasons = [compiled.unknown(predicate) for predicate in predicates]
    labels = [predicate.field for predicate in predicates]
    possible = [
        sa.or_(compiled.holds(predicate), reason.is_not(None))
        for predicate, reason in zip(predicates, reasons, strict=True)
    ]
    for name in needed:
        state = subject.state(name)
        ignored = (PRESENT, MISSING) if name in restricted else (PRESENT,)
        reasons.append(sa.case((state.in_(ignored), sa.null()), else_=state))
        labels.append(name)
        if name in restricted:
            possible.append(state != MISSING)
    if not reasons:
        return []
    # Grouped outside: databases do not agree on whether a subquery in GROUP BY is that of the SELECT.
    inner = (
        sa.select(*(reason.label(f"reason_{at}") for at, reason in enumerate(reasons)))
        .select_from(subject.rows)
        .where(*subject.conditions, *possible)
        .subquery()
    )
    statement = sa.select(*inner.c, sa.func.count().label("rows_excluded")).group_by(*inner.c)
    counted: Counter[tuple[str, str]] = Counter()
    for row in connection.execute(statement):
        found = [(label, reason) for label, reason in zip(labels, row[:-1], strict=True) if reason]
        if found:
            counted[found[0]] += row[-1]
    return in_order(counted)


def refused_values(
    connection: Connection,
    source: sa.FromClause,
    conditions: Sequence[sa.ColumnElement[bool]],
    name: str,
    accepted: sa.ColumnElement[bool],
    reason: sa.ColumnElement[Any],
) -> Counter[tuple[str, str]]:
    """Values that cannot be computed with, by reason."""
    inner = (
        sa.select(reason.label("reason")).select_from(source).where(*conditions, sa.not_(accepted)).subquery()
    )
    statement = sa.select(inner.c.reason, sa.func.count()).group_by(inner.c.reason)
    return Counter({(name, str(row[0])): int(row[1]) for row in connection.execute(statement)})


def in_order(counted: Counter[tuple[str, str]]) -> list[Excluded]:
    """By field and reason."""
    return [Excluded(name, reason, rows) for (name, reason), rows in sorted(counted.items()) if rows]
