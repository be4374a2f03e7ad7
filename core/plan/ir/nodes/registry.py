"""The list of all kinds of nodes, and plans' JSON read by it: a kind that is not in it is refused at the edge."""

from __future__ import annotations

from functools import lru_cache
from typing import Annotated, Any, Union

from pydantic import Field, PlainValidator, SerializeAsAny, TypeAdapter

from core.plan.ir.node import Node
from core.plan.ir.nodes.aggregate import AGGREGATE
from core.plan.ir.nodes.combine import COMBINE
from core.plan.ir.nodes.compare import COMPARE
from core.plan.ir.nodes.hop import HOP
from core.plan.ir.nodes.read import READ
from core.plan.ir.nodes.search import SEARCH
from core.plan.ir.nodes.select import SELECT
from core.plan.ir.spec import NodeSpec

NODES: tuple[NodeSpec[Any], ...] = (SELECT, SEARCH, COMBINE, AGGREGATE, COMPARE, HOP, READ)
"""In the order in which people choose from them. A new kind of node is added here, and nowhere else."""


def node_types() -> tuple[str, ...]:
    """The kinds of nodes by what plans call them."""
    return tuple(spec.type for spec in NODES)


def spec_of(node: Node) -> NodeSpec[Any]:
    """The specification of a node."""
    return spec_of_type(node.type)


def spec_of_type(type: str) -> NodeSpec[Any]:
    """The specification of a kind of node. Raises KeyError."""
    return {spec.type: spec for spec in NODES}[type]


@lru_cache(maxsize=4)
def _union(classes: tuple[type[Node], ...]) -> TypeAdapter[Node]:
    return TypeAdapter(Annotated[Union[classes], Field(discriminator="type")])


def _read(node: object) -> Node:
    return _union(tuple(spec.node for spec in NODES)).validate_python(node)


_ANY = Annotated[Union[tuple(spec.node for spec in NODES)], Field(discriminator="type")]
AnyNode = Annotated[SerializeAsAny[Node], PlainValidator(_read, json_schema_input_type=_ANY)]
"""A node of any kind in the list, as a part of a model."""
