"""Statistics for estimates: the spread of values, shares of conditions, and the costs of nodes.

Where nothing better is known, shares are those of Selinger et al. 1979, Access Path Selection in a Relational
Database Management System, table 1: 1/10 for an equal value, 1/3 for a comparison, 1/4 between.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from core.domain.fields import TEXTS
from core.domain.predicate import INEQUALITIES, Operator
from core.plan.catalogue import Catalogue, DocumentEntry, FieldEntry
from core.plan.ir.node import Choice, Condition, OtherField, Reference, Scope, clause_parts
from core.values.canonical import read_value

_EQUAL, _COMPARED, _BETWEEN, _MENTIONED = 0.1, 1 / 3, 0.25, 0.25
BOUNDS = 65
"""Of an equi-depth histogram: each of the 64 parts holds as many values.

Source: Piatetsky-Shapiro & Connell 1984, Accurate estimation of the number of tuples satisfying a condition.
"""


@dataclass(frozen=True, slots=True)
class Histogram:
    """Spread of amounts. bounds: ascending, the first is the least, the last the greatest value.

    share: which part of all values of the field is of this unit. distinct: how many different ones there are.
    """

    bounds: tuple[int, ...]
    share: float = 1.0
    distinct: int = 1

    @classmethod
    def of(cls, amounts: Sequence[int], total: int | None = None) -> Histogram:
        """The histogram of some amounts, of `total` values of the field altogether."""
        ordered = sorted(amounts)
        last, parts = len(ordered) - 1, min(BOUNDS, len(ordered)) - 1
        bounds = tuple(ordered[round(last * at / parts)] for at in range(parts + 1)) if parts > 0 else ()
        share = len(ordered) / (total or len(ordered) or 1)
        return cls(bounds or tuple(ordered[:1]), share, len(set(ordered)) or 1)

    def at_most(self, value: int) -> float:
        """Share of the amounts that is at most `value`, 0 to 1."""
        return self._part(value, bisect_right(self.bounds, value))

    def below(self, value: int) -> float:
        """Share of the amounts that is below `value`, 0 to 1."""
        return self._part(value, bisect_left(self.bounds, value))

    def equal(self, value: int) -> float:
        """Share of the amounts that is `value`: what the bounds say of frequent ones, else one of them."""
        if not self.bounds or not self.bounds[0] <= value <= self.bounds[-1]:
            return 0.0
        times = bisect_right(self.bounds, value) - bisect_left(self.bounds, value)
        return (
            max(1 / self.distinct, (times - 1) / max(1, len(self.bounds) - 1)) if times else 1 / self.distinct
        )

    def _part(self, value: int, at: int) -> float:
        if at == 0 or not self.bounds:
            return 0.0
        if at >= len(self.bounds):
            return 1.0
        low, high = self.bounds[at - 1], self.bounds[at]
        within = (value - low) / (high - low) if high > low else 0.0
        return (at - 1 + within) / (len(self.bounds) - 1)


@dataclass(frozen=True, slots=True)
class Cost:
    """Cost of a kind of node: milliseconds for itself, and for each document that it looks at."""

    base_ms: float
    each_ms: float


class Statistics:
    """Known statistics: none here; `core.workbench.catalogue` reads them from the records."""

    def amounts(self, schema: str, field: str) -> Mapping[str, Histogram]:
        """Spread of a field's values, by unit; {} where it has none that can be ordered."""
        return {}

    def cost(self, kind: str) -> Cost | None:
        """Cost of a kind of node in earlier runs; None where too few ran."""
        return None


def line_through(runs: float, rows: float, ms: float, rows_rows: float, rows_ms: float) -> Cost | None:
    """The cost that sums over runs come to, by least squares; None for fewer than five.

    Neither part is negative; where documents seem to make it faster, the mean is taken.
    """
    if runs < 5:
        return None
    spread = runs * rows_rows - rows * rows
    each = (runs * rows_ms - rows * ms) / spread if spread > 1e-9 * max(1.0, rows_rows) else 0.0
    each = max(0.0, each)
    base = (ms - each * rows) / runs
    if base < 0:
        return Cost(0.0, ms / rows if rows else 0.0)
    return Cost(base, each)


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
    clause: Condition | Choice, scope: Scope, catalogue: Catalogue, statistics: Statistics
) -> float:
    """The part of the documents in scope that fulfils a clause, about, 0 to 1."""
    missing = 1.0
    for each in clause_parts(clause):
        missing *= 1 - _share(each, scope, catalogue, statistics)
    return 1 - missing


def _share(condition: Condition, scope: Scope, catalogue: Catalogue, statistics: Statistics) -> float:
    """Share of the documents in scope that fulfils a condition, about."""
    entry = catalogue.field(condition.field, scope.schema_name)
    known = catalogue.schema(entry.schema) if entry else None
    if entry is None or known is None:
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
