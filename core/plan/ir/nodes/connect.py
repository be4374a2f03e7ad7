"""Connect: ways by which documents connect two names, each step on its words."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from core.plan.ir.node import ScopedNode
from core.plan.ir.spec import Checks, EstimateSetting, FormField, NodeEstimate, NodeSpec, Said
from core.plan.ir.statistics import Cost

ABOUT = "The connection, link, relationship or path between them: how they are related"
"""A line for people; its words are those of a question that a connection answers."""


class Connect(ScopedNode):
    """Find ways between two nodes of the map of the scope's documents. Gives connections.

    one, other: names as people write them, or ids of nodes. most: how many ways.
    """

    type: Literal["connect"] = "connect"
    one: str = Field(default="", max_length=500)
    other: str = Field(default="", max_length=500)
    most: int = Field(default=5, ge=1, le=20)


def connect_said(one: str, other: str) -> str:
    """The search for ways as the purpose of a node."""
    return f"Find how {one} and {other} are connected"[:300]


def _checks(node: Connect, checks: Checks) -> Said:
    if node.inputs:
        yield "It takes nothing in.", "Take away its inputs; choose buckets or documents in its scope."
    yield from checks.scope(node.scope)
    if not node.one.strip() or not node.other.strip():
        yield "It needs two names.", "Write one into each box."


def _estimate(node: Connect, setting: EstimateSetting) -> NodeEstimate:
    count = len(setting.catalogue.documents)
    return NodeEstimate(count, node.most, f"ways over the map of {count:,} documents")


CONNECT = NodeSpec(
    node=Connect,
    word="Connect",
    about=ABOUT,
    takes=(),
    gives=lambda node: "connections",
    unit=lambda node: "way",
    cost=Cost(60.0, 0.5),
    estimate=_estimate,
    checks=_checks,
    begins="Find how two names are connected",
    parts=lambda start: {"one": "name", "other": "name", "scope": start.any_kind},
    purpose=lambda node, noun, schema: connect_said(node.one, node.other),
    form=(
        FormField("one", "From", "line"),
        FormField("other", "To", "line"),
        FormField("most", "Ways", "number", low=1, high=20),
        FormField("scope", "", "scope", of_kind=False),
    ),
    words=lambda node: (node.one, node.other, ABOUT),
    looks_at="scope",
)
