"""A plan over rows as one node of SQL, which people can read, edit and run again."""

from __future__ import annotations

from core.plan.catalogue import Catalogue
from core.plan.ir.nodes import Plan, Query, SelectionNode
from core.plan.ir.nodes.query import QuerySource, entries_of, query_sources
from core.plan.ir.sql_tables import told_table
from core.plan.operators.statement import Tables, statement_of


def as_query(plan: Plan, catalogue: Catalogue) -> Plan:
    """The plan with one node in place of those over rows of registered tables; others as they are.

    Raises UnsaidError where no statement says it.
    """
    of_rows = (each for each in plan.nodes if isinstance(each, SelectionNode) and each.of == "rows")
    asked = {name for node in of_rows for name in node.tables}
    registered = {part.name for entry in catalogue.datasets for part in entry.parts}
    if not asked & registered or plan.answer_node is None:
        return plan
    sources = query_sources(sorted(asked), catalogue)
    sql = statement_of(plan.nodes, plan.answer_node, _tables(sources, catalogue))
    said = plan.node(plan.answer_node).purpose
    node = Query(id="query", purpose=said, sql=sql, tables=sources)
    notes = tuple(each.model_copy(update={"node": node.id if each.node else ""}) for each in plan.notes)
    return plan.model_copy(update={"nodes": (node,), "answer_node": node.id, "notes": notes})


def _tables(sources: tuple[QuerySource, ...], catalogue: Catalogue) -> Tables:
    tables = {each: told_table(each.name, entries_of(each, catalogue)) for each in sources}
    return {place: table for source, table in tables.items() for place in source.places}
