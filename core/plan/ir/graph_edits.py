"""Edits of a plan's graph: nodes made, taken out, connected otherwise, and estimated."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import count
from typing import Any, TypeVar

from core.domain.annotation import Calculation as Function
from core.errors import UsageError
from core.plan.catalogue import Catalogue
from core.plan.ir.hashing import in_order
from core.plan.ir.nodes import (
    MAX_NODES,
    Aggregate,
    Choice,
    Condition,
    Estimate,
    Hop,
    Node,
    Plan,
    Scope,
    ScopedNode,
    Search,
    Select,
    SelectionNode,
    referenced,
    schema_of,
    spec_of,
    spec_of_type,
)
from core.plan.ir.spec import EstimateSetting, NodeStart
from core.plan.ir.statistics import Statistics
from core.plan.ir.validate import gives

N = TypeVar("N", bound=Node)
Texts = tuple[str, ...]
_LONGEST = 300  # characters of a purpose
_NOTHING = Statistics()


def with_node(plan: Plan, node: Node) -> Plan:
    """The plan with this node in place of that of the same id."""
    return plan.model_copy(
        update={"nodes": tuple(node if each.id == node.id else each for each in plan.nodes)}
    )


def with_new(plan: Plan, kind: str, behind: str) -> tuple[Plan, str]:
    """The plan with a new node behind another ("": on its own), and the id of the new one.

    Behind the node that answers it answers in its place. Raises UsageError where there is no room.
    """
    if len(plan.nodes) >= MAX_NODES:
        raise UsageError(
            f"The plan has {len(plan.nodes)} nodes, and may have {MAX_NODES}.",
            next_step="Take one out first.",
        )
    before = plan.node(behind) if behind else None
    spec = spec_of_type(kind)
    inputs = (before.id,) if before is not None and gives(before) in spec.takes else ()
    start = NodeStart(before, _scope(before, plan), plan.question)
    node: Node = spec.new(_free(plan, kind), inputs, start)
    answers = node.id if not plan.nodes or (behind == plan.answer_node and node.inputs) else plan.answer_node
    return plan.model_copy(update={"nodes": (*plan.nodes, node), "answer_node": answers}), node.id


def without(plan: Plan, id: str) -> Plan:
    """The plan without a node; what took it in takes in what it took in. Raises UsageError for the last."""
    if len(plan.nodes) < 2:
        raise UsageError("A plan needs a node.", next_step="Change this one, or add another first.")
    gone = plan.node(id)
    rest = []
    for node in plan.nodes:
        if node.id == id:
            continue
        inputs = [each for name in node.inputs for each in (gone.inputs if name == id else (name,))]
        rest.append(node.model_copy(update={"inputs": tuple(dict.fromkeys(inputs))}))
    answers = plan.answer_node
    if answers == id:
        answers = gone.inputs[-1] if gone.inputs else rest[-1].id
    return plan.model_copy(update={"nodes": tuple(rest), "answer_node": answers})


def answered_by(plan: Plan, id: str) -> Plan:
    """The plan with another node as the one that answers."""
    return plan.model_copy(update={"answer_node": plan.node(id).id})


def unused(plan: Plan) -> frozenset[str]:
    """The nodes whose results nothing takes in and that do not answer."""
    taken = {name for node in plan.nodes for name in node.inputs}
    return frozenset(node.id for node in plan.nodes if node.id not in taken and node.id != plan.answer_node)


def _free(plan: Plan, kind: str) -> str:
    known = {node.id for node in plan.nodes}
    return next(id for number in range(1, MAX_NODES + 2) if (id := f"{kind}-{number}") not in known)


def _scope(before: Node | None, plan: Plan) -> Scope:
    """The kind of documents that a new node asks: that of the node before it, or of the first that says."""
    nodes = [before, *plan.nodes] if before is not None else plan.nodes
    for node in nodes:
        if isinstance(node, ScopedNode) and (node.scope.schema_name or node.scope.buckets):
            return Scope(buckets=node.scope.buckets, schema_name=node.scope.schema_name)
    return Scope()


def purpose_of(node: Node, plan: Plan, catalogue: Catalogue) -> str:
    """Purpose of a node in the planner's words; its own where these have none for it."""
    schema = catalogue.schema(schema_of(node, {each.id: each for each in plan.nodes}))
    noun = schema.title.lower() if schema is not None else "documents"
    return spec_of(node).purpose(node, noun, schema)


def in_buckets(plan: Plan, buckets: tuple[str, ...]) -> Plan:
    """The plan over the documents of some buckets; () for all."""
    for node in plan.nodes:
        if isinstance(node, ScopedNode):
            scope = node.scope.model_copy(update={"buckets": buckets})
            plan = with_node(plan, node.model_copy(update={"scope": scope}))
    return plan


def over_documents(plan: Plan, documents: Sequence[str]) -> Plan | None:
    """The plan over these documents alone; None where it names others."""
    wanted, nodes = set(documents), list(plan.nodes)
    for at, node in enumerate(nodes):
        nodes[at] = node.model_copy(update={"ran": None, "estimate": None})
        values = referenced(node.conditions) if isinstance(node, SelectionNode) else ()
        if not isinstance(node, ScopedNode) or not set(node.inputs) <= set(values):
            continue  # a set narrows it
        named = tuple(id for id in node.scope.documents if id in wanted)
        if node.scope.documents and not named:
            return None
        scope = node.scope.model_copy(update={"documents": named or tuple(documents), "buckets": ()})
        nodes[at] = nodes[at].model_copy(update={"scope": scope})
    return plan.model_copy(update={"nodes": tuple(nodes)})


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
        spec = spec_of(node)
        taken = [found[name].rows for name in node.inputs]
        made = spec.estimate(node, EstimateSetting(taken, catalogue, statistics))
        cost = statistics.cost(node.type) or spec.cost
        spent = round(made.times * (cost.base_ms + cost.each_ms * made.looked_at), 1)
        found[node.id] = Estimate(rows=made.rows, latency_ms=spent, because=made.because)
    nodes = tuple(node.model_copy(update={"estimate": found[node.id]}) for node in plan.nodes)
    return plan.model_copy(update={"nodes": nodes})
