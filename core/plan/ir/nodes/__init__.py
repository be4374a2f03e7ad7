"""Plans and their nodes: one module for each kind of node, with its class and its specification.

A closed list on purpose: an unknown node type is refused at the edge, never run half-understood. A node gives
one of the types of `core.domain.results`; `core.plan.ir.validate` checks that they fit. A new kind of node
stands in a module here, in the list of `registry`, and in an operator of `core.plan.operators`.
"""

from core.plan.ir.node import (
    ID,
    MAX_NODES,
    MAX_ROWS,
    ROW_PLACE,
    Choice,
    ComputationNode,
    Condition,
    Estimate,
    Figures,
    Node,
    OtherField,
    Outcome,
    QuerySource,
    Reference,
    Scope,
    ScopedNode,
    SelectionNode,
    SidesNode,
    clause_parts,
    flattened,
    is_about,
    referenced,
    schema_of,
    without_aspect,
)
from core.plan.ir.nodes.aggregate import Aggregate
from core.plan.ir.nodes.calculate import Calculate, Calculated
from core.plan.ir.nodes.combine import Algebra, Combine
from core.plan.ir.nodes.compare import Compare
from core.plan.ir.nodes.connect import Connect
from core.plan.ir.nodes.hop import Hop
from core.plan.ir.nodes.join import Join
from core.plan.ir.nodes.plan import Note, Plan
from core.plan.ir.nodes.query import Query
from core.plan.ir.nodes.read import Read
from core.plan.ir.nodes.registry import node_types, spec_of, spec_of_type
from core.plan.ir.nodes.search import Index, Search
from core.plan.ir.nodes.select import Select

__all__ = [
    "ID", "MAX_NODES", "MAX_ROWS", "ROW_PLACE", "Aggregate", "Algebra", "Calculate", "Calculated",
    "Choice", "Combine", "Compare", "ComputationNode", "Condition", "Connect", "Estimate", "Figures", "Hop",
    "Index", "Join", "Node", "Note", "OtherField", "Outcome", "Plan", "Query", "QuerySource", "Read",
    "Reference", "Scope", "ScopedNode", "Search", "Select", "SelectionNode", "SidesNode", "clause_parts",
    "flattened", "is_about", "node_types", "referenced", "schema_of", "spec_of", "spec_of_type",
    "without_aspect",
]  # fmt: skip
