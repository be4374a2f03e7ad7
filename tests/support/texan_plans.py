"""A plan over the contracts of `filled_matrix`: those under the law of Texas that began late, counted."""

from __future__ import annotations

from core.domain.answer import Kind, Route
from core.plan.ir.nodes import Aggregate, Combine, Condition, Node, Plan, Scope, Select

IN_CONTRACTS = Scope(schema_name="contracts")
LAW = Select(
    id="law",
    purpose="p",
    scope=IN_CONTRACTS,
    conditions=(Condition(field="governing_law", op="=", value="Texas"),),
)
LATE = Select(
    id="late",
    purpose="p",
    scope=IN_CONTRACTS,
    conditions=(Condition(field="effective_date", op=">", value="2018-01-01"),),
)
BOTH = Combine(id="both", purpose="p", inputs=("law", "late"), how="intersect")
COUNT = Aggregate(id="count", purpose="p", inputs=("both",), function="count")


def plan(*nodes: Node) -> Plan:
    """A plan of these nodes, of which the last one answers."""
    return Plan(
        question="How many Texan contracts are late?",
        kind=Kind.AGGREGATE,
        route=Route.STRUCTURED,
        nodes=nodes,
        answer_node=nodes[-1].id,
    )
