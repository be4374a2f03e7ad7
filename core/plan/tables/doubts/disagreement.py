"""Disagreement of a query with a trained reader: spans whose likeliest columns play no such part in it."""

from __future__ import annotations

from collections.abc import Iterable

from core.plan.reader.reading import QuestionReading, ReadSpan, SpanRole
from core.plan.tables.header import ColumnWords
from core.plan.tables.query import TableQuery

_LEAST = 0.5  # probability from which on a span, and a link, say something


def disagreement(query: TableQuery, reading: QuestionReading) -> float:
    """Number of spans whose columns play no part in a query; less for columns that are nearly as likely."""
    filtered = _filtered(query)
    shown = _shown(query)
    return sum(_misses(span, filtered if _is_condition(span) else shown) for span in reading.spans)


def _is_condition(span: ReadSpan) -> bool:
    return span.role in (SpanRole.VALUE, SpanRole.CONDITION)


def _misses(span: ReadSpan, columns: frozenset[str]) -> float:
    """1 for a sure span whose sure column plays no part; 0 where it plays one, or nothing is sure."""
    if not span.links or span.probability < _LEAST or span.links[0].probability < _LEAST:
        return 0.0
    best = span.links[0].probability
    ours = max((each.probability for each in span.links if each.field in columns), default=0.0)
    return span.probability * best * (1 - ours / best)


def _filtered(query: TableQuery) -> frozenset[str]:
    clauses = [*query.clauses, *(clause for side in query.sides for clause in side.clauses)]
    columns = [each.column for clause in clauses for each in clause]
    if query.having is not None or query.combined is not None:
        columns += _computed(query)
    return _names(columns)


def _shown(query: TableQuery) -> frozenset[str]:
    columns = [*_computed(query), *query.shown, *(group.column for group in query.groups)]
    columns += [side.measure for side in query.sides if side.measure is not None]
    columns += [query.order.column] if query.order is not None and query.order.column is not None else []
    return _names(columns) | _filtered(query)


def _computed(query: TableQuery) -> list[ColumnWords]:
    columns = [query.measure] if query.measure is not None else []
    return columns + ([query.combined.column] if query.combined is not None else [])


def _names(columns: Iterable[ColumnWords]) -> frozenset[str]:
    return frozenset(column.entry.name for column in columns)
