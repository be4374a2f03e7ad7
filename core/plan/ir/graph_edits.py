"""Edits of a plan's graph: nodes added, taken out, and connected otherwise."""

from __future__ import annotations

from collections.abc import Sequence

from core.errors import UsageError
from core.plan.catalogue import Catalogue
from core.plan.ir.nodes import (
    MAX_NODES,
    Node,
    Plan,
    Scope,
    ScopedNode,
    SelectionNode,
    referenced,
    schema_of,
    spec_of,
    spec_of_type,
)
from core.plan.ir.spec import NodeStart
from core.plan.ir.validate import gives


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
        if not isinstance(node, ScopedNode) or not _asks_collection(node):
            continue
        named = tuple(id for id in node.scope.documents if id in wanted)
        if node.scope.documents and not named:
            return None
        scope = node.scope.model_copy(update={"documents": named or tuple(documents), "buckets": ()})
        nodes[at] = nodes[at].model_copy(update={"scope": scope})
    return plan.model_copy(update={"nodes": tuple(nodes)})


def _asks_collection(node: Node) -> bool:
    """True where a node asks the collection itself: no set narrows it."""
    values = referenced(node.conditions) if isinstance(node, SelectionNode) else ()
    return all(name in values for name in node.inputs)
