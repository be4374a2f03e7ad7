"""Nodes over rows as nodes of SQL, which people can read, edit and run again."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from core.domain.fields import FieldType
from core.plan.catalogue import Catalogue, TableEntry
from core.plan.ir.hashing import in_order
from core.plan.ir.node import ancestors
from core.plan.ir.nodes import (
    Calculate,
    ComputationNode,
    Node,
    Plan,
    Query,
    QuerySource,
    SelectionNode,
    referenced,
    spec_of,
)
from core.plan.ir.spec import SUMMED
from core.plan.ir.sql_tables import entries_of, query_sources, told_table
from core.plan.operators.row_conditions import UnsaidError
from core.plan.operators.statement import Tables, statement_of
from core.plan.reading import Operation

_LONGEST = 300  # characters of a purpose


def as_query(plan: Plan, catalogue: Catalogue) -> Plan:
    """The plan with nodes of SQL in place of those over rows; one without any as it is.

    A node over rows runs as SQL alone: one of a saved plan is said so when it runs. Raises UnsaidError where
    no statement says it.
    """
    of_rows = _of_rows(plan)
    if not of_rows or plan.answer_node is None:
        return plan
    kept = [node for node in plan.nodes if node.id not in of_rows]
    wanted = {plan.answer_node, *(name for node in kept for name in node.inputs)}
    made = {name: _query(name, of_rows, plan, catalogue) for name in of_rows if name in wanted}
    standing = {*made, *(node.id for node in kept)}
    stands_for = {before: name for name in made for before in ancestors((name,), of_rows)}
    notes = tuple(
        each if each.node in standing else each.model_copy(update={"node": stands_for.get(each.node, "")})
        for each in plan.notes
    )
    nodes = tuple(made.get(node.id, node) for node in plan.nodes if node.id in standing)
    return plan.model_copy(update={"nodes": nodes, "notes": notes})


def is_by_sql(plan: Plan) -> bool:
    """True where a plan asks rows."""
    return any(isinstance(node, Query) for node in plan.nodes)


def only_query(plan: Plan | None) -> Query | None:
    """The one node of a plan that is nothing but SQL over whole tables; None of any other plan."""
    nodes = plan.nodes if plan is not None else ()
    return nodes[0] if len(nodes) == 1 and isinstance(nodes[0], Query) and not nodes[0].inputs else None


def _of_rows(plan: Plan) -> dict[str, Node]:
    """The nodes over rows, those they take in before them."""
    found: dict[str, Node] = {}
    for node in in_order(plan):
        given = spec_of(node).gives(node)
        is_made_of_them = bool(node.inputs) and all(name in found for name in node.inputs)
        if given == "rows" or (given in ("groups", "value") and is_made_of_them):
            found[node.id] = node
    return found


def _query(name: str, of_rows: Mapping[str, Node], plan: Plan, catalogue: Catalogue) -> Query:
    part = ancestors((name,), of_rows)
    selects = [node for node in part.values() if isinstance(node, SelectionNode)]
    asked = [node for node in selects if not any(each in of_rows for each in _sets(node))]
    within = {_sets(node) for node in asked}
    if len(within) != 1:
        raise UnsaidError("rows of some documents beside those of others")
    sources = query_sources(
        sorted({place for node in asked for place in _places(node, catalogue)}), catalogue
    )
    _require_one_unit(part.values(), [entry for source in sources for entry in entries_of(source, catalogue)])
    reading, last = plan.reading, part[name]
    is_list = reading is not None and reading.operation in (Operation.LIST, Operation.LOOKUP)
    return Query(
        id=name,
        purpose="; ".join(reversed([node.purpose for node in part.values()]))[:_LONGEST],
        inputs=within.pop(),
        sql=statement_of(part.values(), name, _tables(sources, catalogue), is_list=is_list),
        tables=sources,
        answers_first=isinstance(last, Calculate) and last.how != "values",
        reason=last.reason,
    )


def _require_one_unit(nodes: Iterable[Node], entries: Iterable[TableEntry]) -> None:
    """Raise UnsaidError for numbers in several units together; money has its currency beside."""
    added = {each.field for each in nodes if isinstance(each, ComputationNode) and each.function in SUMMED}
    for column in (column for entry in entries for column in entry.columns if column.key in added):
        units = [unit for unit in column.units if unit]
        if len(units) > 1 and column.type is not FieldType.MONEY:
            raise UnsaidError(f"{' and '.join(units)} together")


def _sets(node: SelectionNode) -> tuple[str, ...]:
    """The sets that a selection is narrowed to."""
    return tuple(each for each in node.inputs if each not in referenced(node.conditions))


def _places(node: SelectionNode, catalogue: Catalogue) -> Iterable[str]:
    """The tables that a selection asks, as far as they are in its scope."""
    scope = node.scope
    for part in (part for entry in catalogue.rows_by_sql for part in entry.parts if part.name in node.tables):
        document = catalogue.document(part.document)
        is_of_bucket = not scope.buckets or document is None or document.bucket in scope.buckets
        if is_of_bucket and (not scope.documents or part.document in scope.documents):
            yield part.name


def _tables(sources: tuple[QuerySource, ...], catalogue: Catalogue) -> Tables:
    tables = {each: told_table(each.name, entries_of(each, catalogue)) for each in sources}
    return {place: table for source, table in tables.items() for place in source.places}
