"""What statistics say of a plan before it runs: how much every node gives, and about how long it takes.

Selectivities where nothing better is known are those of Selinger et al. 1979, Access Path Selection in a
Relational Database Management System, table 1: 1/10 for an equal value, 1/3 for a comparison, 1/4 between.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import prod

from core.domain.predicate import Operator
from core.plan.catalogue import Catalogue, DocumentEntry, FieldEntry
from core.plan.ir.hashing import in_order
from core.plan.ir.nodes import (
    Aggregate,
    Choice,
    Combine,
    Compare,
    Condition,
    Estimate,
    Hop,
    Node,
    OtherField,
    Plan,
    Read,
    Reference,
    Scope,
    Search,
    Select,
)
from core.plan.ir.statistics import Cost, Histogram, NothingKnown, Statistics
from core.records.query.readings import TEXTS, read_value

_NOTHING = NothingKnown()
_EQUAL, _COMPARED, _BETWEEN, _MENTIONED = 0.1, 1 / 3, 0.25, 0.25
_ORDERED = (Operator.GREATER, Operator.GREATER_EQUAL, Operator.LESS, Operator.LESS_EQUAL)
_ROWS_OF_A_DOCUMENT = 20
# Milliseconds for a node and for each document that it looks at: cold, on the sample.
_COST = {
    "select": (30.0, 0.02),
    "combine": (1.0, 0.001),
    "aggregate": (20.0, 0.02),
    "compare": (5.0, 0.05),
    "search": (120.0, 0.0),
    "hop": (25.0, 0.5),
    "read": (4.0, 1.5),
}


def estimated(plan: Plan, catalogue: Catalogue, statistics: Statistics = _NOTHING) -> Plan:
    """The plan with an estimate on every node; one with a circle is given back as it is.

    statistics: how values are spread, and what earlier runs took.
    """
    try:
        ordered = in_order(plan)
    except ValueError:
        return plan
    found: dict[str, Estimate] = {}
    for node in ordered:
        found[node.id] = _estimate(node, found, catalogue, statistics)
    nodes = tuple(node.model_copy(update={"estimate": found[node.id]}) for node in plan.nodes)
    return plan.model_copy(update={"nodes": nodes})


def _estimate(
    node: Node, before: Mapping[str, Estimate], catalogue: Catalogue, statistics: Statistics
) -> Estimate:
    taken = [before[name].rows for name in node.inputs if name in before]
    looked_at, rows, because = _rows(node, taken, catalogue, statistics)
    known = statistics.cost(node.type)
    cost = Cost(*_COST[node.type]) if known is None else known
    spent = round(cost.base_ms + cost.each_ms * looked_at, 1)
    return Estimate(rows=rows, latency_ms=spent, because=because)


def _rows(node: Node, taken: list[int], catalogue: Catalogue, statistics: Statistics) -> tuple[int, int, str]:
    """How much it looks at, how much it gives, and what that rests on."""
    if isinstance(node, Select):
        return _of_select(node, taken, catalogue, statistics)
    if isinstance(node, Combine):
        whole = sum(taken)
        if node.how == "union":
            return whole, min(whole, len(catalogue.documents)), "at most all that its inputs give"
        least = taken[0] if taken and node.how == "difference" else min(taken, default=0)
        return whole, least, "at most what its smallest side gives"
    if isinstance(node, Aggregate):
        groups = _groups(node, catalogue)
        return sum(taken), groups, "one value" if not node.group_by else "values that these fields have"
    if isinstance(node, Compare):
        return sum(taken), sum(taken), "a row for each document of each side"
    if isinstance(node, Search):
        return 0, node.top_k, "the best that are asked for"
    if isinstance(node, Hop):
        return sum(taken), 1, "one value, or it stops and asks"
    assert isinstance(node, Read)
    documents = taken[0] if taken else len(_in_scope(node.scope, catalogue))
    return documents, documents, "every page of these documents"


def _of_select(
    node: Select, taken: list[int], catalogue: Catalogue, statistics: Statistics
) -> tuple[int, int, str]:
    documents = _in_scope(node.scope, catalogue)
    size = len(documents)
    within = min([size, *taken]) if taken and not _is_value(node) else size
    shares = [_clause_share(each, node.scope, documents, catalogue, statistics) for each in node.conditions]
    rows = round(within * prod(shares))
    if node.of == "rows":
        rows *= _ROWS_OF_A_DOCUMENT
    if node.limit is not None:
        rows = min(rows, node.limit)
    named = catalogue.schema(node.scope.schema_name)
    what = f" of the kind {named.title.lower()}" if named else ""
    said = f"{size:,} document{'' if size == 1 else 's'}{what}"
    if node.conditions:
        said += f", of which about {prod(shares):.0%} fulfil the conditions".replace("%", " %")
    return size, rows, said


def _is_value(node: Select) -> bool:
    """Whether all that it takes in are values of its conditions."""
    flat = [each for clause in node.conditions for each in _parts(clause)]
    return set(node.inputs) <= {each.value.node for each in flat if isinstance(each.value, Reference)}


def _parts(clause: Condition | Choice) -> tuple[Condition, ...]:
    return clause.any_of if isinstance(clause, Choice) else (clause,)


def _in_scope(scope: Scope, catalogue: Catalogue) -> list[DocumentEntry]:
    chosen = frozenset(scope.documents)
    return [
        each
        for each in catalogue.documents
        if (not scope.buckets or each.bucket in scope.buckets)
        and (not scope.schema_name or each.schema == scope.schema_name)
        and (not chosen or each.id in chosen)
    ]


def _clause_share(
    clause: Condition | Choice,
    scope: Scope,
    documents: list[DocumentEntry],
    catalogue: Catalogue,
    statistics: Statistics,
) -> float:
    missing = 1.0
    for each in _parts(clause):
        missing *= 1 - _share(each, scope, documents, catalogue, statistics)
    return 1 - missing


def _share(
    condition: Condition,
    scope: Scope,
    documents: list[DocumentEntry],
    catalogue: Catalogue,
    statistics: Statistics,
) -> float:
    """Which part of the documents in scope fulfils a condition, about."""
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
    if condition.op in _ORDERED:
        return stating * _COMPARED
    if condition.op in (Operator.CONTAINS, Operator.MATCHES):
        return stating * _MENTIONED
    if isinstance(condition.value, Reference | OtherField):
        return stating * _EQUAL
    values = condition.value if isinstance(condition.value, tuple) else (condition.value,)
    found = _having([each.casefold() for each in values], condition.field, known.name, catalogue)
    equal = min(1.0, len(values) * _EQUAL if found is None else found / max(1, entry.documents))
    return stating * (1 - equal if condition.op is Operator.NOT_EQUAL else equal)


def _spread(condition: Condition, entry: FieldEntry, statistics: Statistics) -> float | None:
    """Which part of a field's values fulfils a condition, by how they are spread; None: it is unknown."""
    if condition.minus or entry.type in TEXTS or isinstance(condition.value, Reference | OtherField):
        return None
    written = (condition.value,) if isinstance(condition.value, str) else condition.value
    values = [read_value(text, entry.type) for text in written]
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
    """Which part of the values of a histogram fulfils a comparison."""
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
    """How many documents have one of these values; None where values of this field are not listed."""
    listed = [each for each in catalogue.values if each.schema == schema and each.field == field]
    if listed:
        return sum(each.documents for each in listed if each.text.casefold() in values)
    parties = [each for each in catalogue.parties if (schema, field) in each.fields]
    named = [each for each in parties if {each.normal, each.name.casefold()} & set(values)]
    return sum(each.documents for each in named) if parties else None


def _groups(node: Aggregate, catalogue: Catalogue) -> int:
    sizes = []
    for name in node.group_by:
        stem = name.partition(".")[0]
        found = {each.text for each in catalogue.values if each.field == stem}
        sizes.append(max(1, len(found) or 4))
    groups = prod(sizes)
    return min(groups, node.top) if node.top else groups
