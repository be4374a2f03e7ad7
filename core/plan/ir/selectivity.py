"""Selectivities of conditions: the part of the documents in scope that fulfils them, by statistics.

Where nothing better is known they are those of Selinger et al. 1979, Access Path Selection in a Relational
Database Management System, table 1: 1/10 for an equal value, 1/3 for a comparison, 1/4 between.
"""

from __future__ import annotations

from core.domain.fields import TEXTS
from core.domain.predicate import INEQUALITIES, Operator
from core.plan.catalogue import Catalogue, DocumentEntry, FieldEntry
from core.plan.ir.node import Choice, Condition, OtherField, Reference, Scope, clause_parts
from core.plan.ir.statistics import Histogram, Statistics
from core.values.canonical import read_value

_EQUAL, _COMPARED, _BETWEEN, _MENTIONED = 0.1, 1 / 3, 0.25, 0.25


def in_scope(scope: Scope, catalogue: Catalogue) -> list[DocumentEntry]:
    """The documents of a scope, by the catalogue."""
    chosen = frozenset(scope.documents)
    return [
        each
        for each in catalogue.documents
        if (not scope.buckets or each.bucket in scope.buckets)
        and (not scope.schema_name or each.schema == scope.schema_name)
        and (not chosen or each.id in chosen)
    ]


def clause_share(
    clause: Condition | Choice,
    scope: Scope,
    documents: list[DocumentEntry],
    catalogue: Catalogue,
    statistics: Statistics,
) -> float:
    """The part of the documents in scope that fulfils a clause, about, 0 to 1."""
    missing = 1.0
    for each in clause_parts(clause):
        missing *= 1 - _share(each, scope, documents, catalogue, statistics)
    return 1 - missing


def _share(
    condition: Condition,
    scope: Scope,
    documents: list[DocumentEntry],
    catalogue: Catalogue,
    statistics: Statistics,
) -> float:
    """Share of the documents in scope that fulfils a condition, about."""
    entry = catalogue.field(condition.field, scope.schema_name)
    known = catalogue.schema(entry.schema) if entry else None
    if entry is None or known is None or not documents:
        return 1.0
    stating = min(1.0, entry.documents / max(1, known.documents))
    if condition.op is Operator.MISSING:
        return 1 - stating
    if condition.op is Operator.IS:
        return 1 - stating if condition.value in ("missing", "absent") else stating
    spread = _spread(condition, entry, statistics)
    if spread is not None:
        return stating * spread
    if condition.op is Operator.BETWEEN:
        return stating * _BETWEEN
    if condition.op in INEQUALITIES:
        return stating * _COMPARED
    if condition.op in (Operator.CONTAINS, Operator.MATCHES):
        return stating * _MENTIONED
    if isinstance(condition.value, Reference | OtherField):
        return stating * _EQUAL
    values = condition.texts
    found = _having([each.casefold() for each in values], condition.field, known.name, catalogue)
    equal = min(1.0, len(values) * _EQUAL if found is None else found / max(1, entry.documents))
    return stating * (1 - equal if condition.op is Operator.NOT_EQUAL else equal)


def _spread(condition: Condition, entry: FieldEntry, statistics: Statistics) -> float | None:
    """Share of a field's values that fulfils a condition, by how they are spread; None: it is unknown."""
    if condition.minus or entry.type in TEXTS or isinstance(condition.value, Reference | OtherField):
        return None
    values = [read_value(text, entry.type) for text in condition.texts]
    amounts = [each.amount for each in values if each is not None and each.amount is not None]
    histograms = statistics.amounts(entry.schema, entry.name)
    if not histograms or not amounts or len(amounts) < len(values):
        return None
    found = histograms.get(values[0].unit if values[0] is not None else "")
    if found is None:
        return 1.0 if condition.op is Operator.NOT_EQUAL else 0.0
    part = _part(condition.op, found, amounts)
    return None if part is None else found.share * part


def _part(op: Operator, found: Histogram, amounts: list[int]) -> float | None:
    """Share of a histogram's values that fulfils a comparison."""
    first, last = amounts[0], amounts[-1]
    if op is Operator.GREATER:
        return 1 - found.at_most(first)
    if op is Operator.GREATER_EQUAL:
        return 1 - found.below(first)
    if op is Operator.LESS:
        return found.below(first)
    if op is Operator.LESS_EQUAL:
        return found.at_most(first)
    if op is Operator.BETWEEN:
        return max(0.0, found.at_most(last) - found.below(first))
    if op in (Operator.EQUAL, Operator.IN):
        return min(1.0, sum(found.equal(each) for each in amounts))
    return 1 - found.equal(first) if op is Operator.NOT_EQUAL else None


def _having(values: list[str], field: str, schema: str, catalogue: Catalogue) -> int | None:
    """Number of documents with one of these values; None where values of this field are not listed."""
    listed = [each for each in catalogue.values if each.schema == schema and each.field == field]
    if listed:
        return sum(each.documents for each in listed if each.text.casefold() in values)
    parties = [each for each in catalogue.parties if (schema, field) in each.fields]
    named = [each for each in parties if {each.normal, each.name.casefold()} & set(values)]
    return sum(each.documents for each in named) if parties else None
