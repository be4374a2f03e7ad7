"""Identity of nodes: their content and that of their inputs, whatever they are called."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any

from core.plan.ir.node import ancestors as ancestors_in
from core.plan.ir.nodes import Choice, Condition, Node, Plan, SelectionNode, spec_of

_APART = {"id", "inputs", "purpose", "reason", "estimate", "ran", "phrase"}
_VALUES = {"purpose", "reason", "estimate", "ran", "value", "buckets", "documents", "phrase"}
_IN_ANY_ORDER = ("and", "or")


def canonical_json(plan: Plan) -> str:
    """The plan as JSON with sorted keys, without figures and estimates: as it is stored and compared."""
    data = plan.model_dump(mode="json", exclude={"nodes": {"__all__": {"estimate", "ran"}}})
    return json.dumps(data, sort_keys=True, ensure_ascii=False, separators=(",", ":"))


def outline(plan: Plan) -> str:
    """Outline of a plan whatever its values are: equal for plans that differ in values and words only."""
    data = plan.model_dump(mode="json", include={"nodes", "answer_node"})
    return json.dumps(_without_values(data), sort_keys=True)


def _without_values(data: Any) -> Any:
    if isinstance(data, dict):
        return {key: _without_values(value) for key, value in data.items() if key not in _VALUES}
    return [_without_values(each) for each in data] if isinstance(data, list) else data


def node_hashes(plan: Plan) -> dict[str, str]:
    """A SHA-256 for each node, over its content and the hashes of its inputs, by id.

    Ids, purposes, reasons, estimates and figures do not count; neither does the order of what is intersected
    or united. Raises ValueError where nodes depend on one another in a circle.
    """
    found: dict[str, str] = {}
    for node in in_order(plan):
        found[node.id] = _hash(node, found)
    return found


def in_order(plan: Plan) -> tuple[Node, ...]:
    """The nodes, each behind its inputs, otherwise in the plan's order. Raises ValueError for a circle."""
    waiting = list(plan.nodes)
    done: dict[str, Node] = {}
    while waiting:
        ready = [node for node in waiting if all(name in done for name in node.inputs)]
        if not ready:
            names = ", ".join(repr(node.id) for node in waiting)
            raise ValueError(f"these nodes depend on one another in a circle: {names}")
        done.update({node.id: node for node in ready})
        waiting = [node for node in waiting if node.id not in done]
    return tuple(done.values())


def dependants(plan: Plan, id: str) -> frozenset[str]:
    """The node itself and every node that takes in what it gives, however far away."""
    found = {id}
    for node in in_order(plan):
        if found & set(node.inputs):
            found.add(node.id)
    return frozenset(found)


def ancestors(plan: Plan, id: str) -> frozenset[str]:
    """The node itself and every node that it needs, however far back."""
    return frozenset(ancestors_in((id,), {each.id: each for each in plan.nodes}))


def _hash(node: Node, hashes: Mapping[str, str]) -> str:
    inputs = [hashes[name] for name in node.inputs]
    if spec_of(node).joins(node) in _IN_ANY_ORDER:
        inputs.sort()
    content = _resolved(node.model_dump(mode="json", exclude=_APART), hashes)
    text = json.dumps([content, inputs], sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def _resolved(content: Any, hashes: Mapping[str, str]) -> Any:
    """The content with references by hash instead of by id."""
    if isinstance(content, dict):
        if set(content) == {"from"}:
            return {"from": hashes.get(content["from"], content["from"])}
        return {key: _resolved(value, hashes) for key, value in content.items()}
    return [_resolved(each, hashes) for each in content] if isinstance(content, list) else content


def result_hash(plan: Plan) -> str:
    """A SHA-256 that is equal for plans with equal results, however their conditions are put in order.

    Which conditions only narrow the ledger does not count, nor which fields are shown beside documents.
    """
    if plan.answer_node is None:
        return ""
    nodes = []
    for node in plan.nodes:
        changes: dict[str, Any] = {}
        if isinstance(node, SelectionNode):
            plain = [_without_marks(each) for each in node.conditions]
            changes["conditions"] = tuple(sorted(plain, key=lambda each: each.model_dump_json()))
            if node.scope.schema_name:
                changes["scope"] = node.scope.model_copy(
                    update={"documents": tuple(sorted(node.scope.documents))}
                )
        nodes.append(node.model_copy(update=changes) if changes else node)
    alike = plan.model_copy(update={"nodes": tuple(nodes)})
    found = node_hashes(alike)[plan.answer_node]
    return found if plan.summary is None else f"{found}-{plan.summary.value}"


def _without_marks(clause: Condition | Choice) -> Condition | Choice:
    if isinstance(clause, Choice):
        parts = (each.model_copy(update={"narrows": False}) for each in clause.any_of)
        return Choice(any_of=tuple(sorted(parts, key=lambda each: each.model_dump_json())))
    return clause.model_copy(update={"narrows": False})
