"""Construction of nodes, in one place: builders of plans, and whoever runs a single node, make them here."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import count
from typing import Any, TypeVar

from core.domain.annotation import Calculation as Function
from core.plan.ir.nodes import Aggregate, Choice, Condition, Hop, Node, Scope, Search, Select, referenced

N = TypeVar("N", bound=Node)
Texts = tuple[str, ...]
_LONGEST = 300  # characters of a purpose


class PlanSteps:
    """Nodes of a plan in the making, in order; ids count on from each other: select-1, select-2.

    parts, of any method: further fields of the node that it makes, which refuses those of another name.
    """

    def __init__(self, nodes: Iterable[Node] = ()) -> None:
        self.nodes = list(nodes)

    def next_id(self, kind: str) -> str:
        """The next free id of a kind of node."""
        taken = {node.id for node in self.nodes}
        first = 1 + sum(node.type == kind for node in self.nodes)
        return next(id for at in count(first) if (id := f"{kind}-{at}") not in taken)

    def add(self, kind: type[N], purpose: str, inputs: Texts = (), **parts: Any) -> N:
        """A further node of a kind."""
        id = self.next_id(kind.model_fields["type"].default)
        node = kind(id=id, purpose=purpose[:_LONGEST], inputs=inputs, **parts)
        self.nodes.append(node)
        return node

    def select(
        self,
        purpose: str,
        scope: Scope,
        conditions: tuple[Condition | Choice, ...] = (),
        *,
        within: str = "",
        **parts: Any,
    ) -> Select:
        """A further selection, in the set of a node; it takes in those whose values it compares with, too."""
        inputs = tuple(dict.fromkeys(filter(None, (within, *referenced(conditions)))))
        return self.add(Select, purpose, inputs, scope=scope, conditions=conditions, **parts)

    def aggregate(
        self, purpose: str, inputs: Texts, function: Function, field: str = "", **parts: Any
    ) -> Aggregate:
        """A further computation over what other nodes give."""
        return self.add(Aggregate, purpose, inputs, function=function, field=field, **parts)

    def hop(self, purpose: str, source: str, *, template: str = "", phrase: str = "", **parts: Any) -> Hop:
        """A further node that finds a value, or the documents that passages mention."""
        return self.add(Hop, purpose, (source,), template=template[:500], phrase=phrase[:300], **parts)

    def search(self, purpose: str, text: str, scope: Scope, **parts: Any) -> Search:
        """A further search for a text."""
        return self.add(Search, purpose, text=text[:4_000], scope=scope, **parts)
