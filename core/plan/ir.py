"""The plan: a typed graph of nodes, the JSON that is shown, stored and later edited.

A closed union on purpose: an unknown node type is refused at the edge, never run half-understood.
"""

from __future__ import annotations

from typing import Literal

from pydantic import Field, model_validator

from core.domain.answer import Frozen, Kind, Route


class Search(Frozen):
    """Find passages. documents and buckets: () means all; found and latency_ms are set once it ran."""

    type: Literal["search"] = "search"
    id: str
    purpose: str
    inputs: tuple[str, ...] = ()
    index: Literal["passages"] = "passages"
    text: str
    mode: Literal["keyword", "semantic", "hybrid"] = "hybrid"
    alpha: float = Field(default=0.5, ge=0, le=1)
    top_k: int = Field(default=20, ge=1, le=1000)
    buckets: tuple[str, ...] = ()
    documents: tuple[str, ...] = ()
    found: int | None = None
    latency_ms: float | None = None


class Plan(Frozen):
    """What will be done for a question, in order of the nodes' inputs; a general question has no nodes."""

    question: str
    kind: Kind
    route: Route
    nodes: tuple[Search, ...] = ()
    answer_node: str | None = None

    @model_validator(mode="after")
    def _is_connected(self) -> Plan:
        known: set[str] = set()
        for node in self.nodes:
            if node.id in known:
                raise ValueError(f"two nodes are called {node.id!r}; every id may be used once")
            for name in node.inputs:
                if name not in known:
                    raise ValueError(f"node {node.id!r} needs {name!r}, which is not an earlier node")
            known.add(node.id)
        if self.nodes and self.answer_node not in known:
            raise ValueError(f"answer_node {self.answer_node!r} is not a node of this plan")
        return self
