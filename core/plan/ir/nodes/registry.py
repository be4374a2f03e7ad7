"""The list of all kinds of nodes, by which plans are read; a kind that is not in it is refused."""

from __future__ import annotations

from functools import lru_cache, reduce
from operator import or_
from typing import Annotated, Any

from pydantic import Field, PlainValidator, SerializeAsAny, TypeAdapter

from core.errors import UsageError
from core.plan.ir.node import Node
from core.plan.ir.nodes.aggregate import AGGREGATE
from core.plan.ir.nodes.calculate import CALCULATE
from core.plan.ir.nodes.combine import COMBINE
from core.plan.ir.nodes.compare import COMPARE
from core.plan.ir.nodes.connect import CONNECT
from core.plan.ir.nodes.hop import HOP
from core.plan.ir.nodes.join import JOIN
from core.plan.ir.nodes.query import QUERY
from core.plan.ir.nodes.read import READ
from core.plan.ir.nodes.search import SEARCH
from core.plan.ir.nodes.select import SELECT
from core.plan.ir.spec import NodeSpec

NODES: tuple[NodeSpec[Any], ...] = (
    SELECT, SEARCH, COMBINE, AGGREGATE, COMPARE, CALCULATE, JOIN, QUERY, HOP, READ, CONNECT,
)  # fmt: skip
"""In the order in which people choose from them. A new kind of node is added here, and nowhere else."""


def node_types() -> tuple[str, ...]:
    """The kinds of nodes by what plans call them."""
    return tuple(spec.type for spec in NODES)


def spec_of(node: Node) -> NodeSpec[Any]:
    """The specification of a node."""
    return next(spec for spec in NODES if spec.node is type(node))


def spec_of_type(type: str) -> NodeSpec[Any]:
    """The specification of a kind of node. Raises UsageError."""
    found = next((spec for spec in NODES if spec.type == type), None)
    if found is None:
        raise UsageError(f"Unknown kind of node {type!r}. Expected one of: {', '.join(node_types())}.")
    return found


def _one_of(classes: tuple[type[Node], ...]) -> Any:
    return Annotated[reduce(or_, classes), Field(discriminator="type")]


@lru_cache(maxsize=4)
def _adapter(classes: tuple[type[Node], ...]) -> TypeAdapter[Node]:
    return TypeAdapter(_one_of(classes))


def _classes() -> tuple[type[Node], ...]:
    return tuple(spec.node for spec in NODES)


def _read(node: object) -> Node:
    return _adapter(_classes()).validate_python(node)


AnyNode = Annotated[SerializeAsAny[Node], PlainValidator(_read, json_schema_input_type=_one_of(_classes()))]
"""A node of any kind in the list, as a part of a model."""
