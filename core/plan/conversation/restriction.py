"""A plan over the documents in hand: its selections are narrowed to them, by conditions or by a node."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from core.plan.catalogue import Catalogue
from core.plan.conversation_state import SetInHand, base_of, source_of
from core.plan.ir.hashing import ancestors
from core.plan.ir.nodes import (
    Choice,
    Condition,
    Node,
    Plan,
    Reference,
    ScopedNode,
    SelectionNode,
    clause_parts,
    referenced,
    spec_of,
)
from core.plan.ir.steps import PlanSteps
from core.plan.ir.verbalise import KIND

Clauses = tuple[Condition | Choice, ...]


def is_plain(node: SelectionNode) -> bool:
    """True where a selection is its conditions alone: nothing narrows it, and it takes no end of an order."""
    return not node.inputs and node.limit is None


def restrict_to_set(
    plan: Plan, given: SetInHand, catalogue: Catalogue, *, names_kind: bool = False
) -> Plan | None:
    """The plan over documents in hand; None where it asks documents of another kind.

    names_kind: the question says which kind of document it means; else the kind is that of those in hand.
    """
    base = base_of(given.plan)
    leaves = [node for node in plan.nodes if _is_leaf(node)]
    if not leaves or given.plan is None or not source_of(given.plan):
        return over_documents(plan, given.documents)
    if base is not None and is_plain(base) and all(_joins(leaf, base) for leaf in leaves):
        merged = {leaf.id: _merged(leaf, base, catalogue, names_kind) for leaf in leaves}
        if any(node is None for node in merged.values()):
            return None
        return _with(plan, {id: node for id, node in merged.items() if node is not None})
    if any(not isinstance(leaf, SelectionNode) for leaf in leaves):
        return over_documents(plan, given.documents)
    return _behind(plan, given.plan, {leaf.id for leaf in leaves}, catalogue, names_kind=names_kind)


def over_documents(plan: Plan, documents: Sequence[str]) -> Plan | None:
    """The plan over these documents alone; None where it names others."""
    changed: dict[str, Node] = {}
    for node in plan.nodes:
        if not isinstance(node, ScopedNode) or not _is_leaf(node):
            continue
        named = [id for id in node.scope.documents if id in set(documents)]
        if node.scope.documents and not named:
            return None
        scope = node.scope.model_copy(update={"documents": tuple(named or documents), "buckets": ()})
        changed[node.id] = node.model_copy(update={"scope": scope})
    return _with(plan, changed)


def with_kind_of(clauses: Clauses, base: SelectionNode) -> Clauses:
    """Conditions of a selection in the place of its own: which kind of document it is about stays."""
    return (*(each for each in base.conditions if _is_kind(each)), *(c for c in clauses if not _is_kind(c)))


def own_clauses(node: SelectionNode) -> Clauses:
    """The conditions of a selection but for the one that says which kind of document it is about."""
    return tuple(each for each in node.conditions if not _is_kind(each))


def mark_narrowing(clauses: Clauses) -> Clauses:
    """The conditions as those that say what is asked about."""
    return tuple(_marked(each, narrows=True) for each in clauses)


def mark_asking(clauses: Clauses) -> Clauses:
    """The conditions as those that are asked, but for the kind of document."""
    return tuple(each if _is_kind(each) else _marked(each, narrows=False) for each in clauses)


def _marked(clause: Condition | Choice, *, narrows: bool) -> Condition | Choice:
    if isinstance(clause, Choice):
        return clause
    return clause.model_copy(update={"narrows": narrows and not isinstance(clause.value, Reference)})


def _is_kind(clause: Condition | Choice) -> bool:
    return isinstance(clause, Condition) and clause.field == KIND and clause.narrows


def _is_leaf(node: Node) -> bool:
    """True where a node asks the collection itself: no set narrows it."""
    if not isinstance(node, ScopedNode):
        return False
    values = referenced(node.conditions) if isinstance(node, SelectionNode) else ()
    return all(name in values for name in node.inputs)


def _joins(leaf: Node, base: SelectionNode) -> bool:
    """True where the conditions of two selections can stand in one."""
    if not isinstance(leaf, SelectionNode) or leaf.of != base.of:
        return False
    if base.of == "rows":
        return True
    return leaf.scope.schema_name == base.scope.schema_name or not base.scope.schema_name


def _merged(leaf: Node, base: SelectionNode, catalogue: Catalogue, names_kind: bool) -> SelectionNode | None:
    assert isinstance(leaf, SelectionNode)  # as `_joins` says
    own = leaf.conditions if names_kind else own_clauses(leaf)
    asked = [each for each in own if not (isinstance(each, Condition) and each.narrows)]
    before = mark_narrowing(base.conditions) if asked else base.conditions
    known = {_content(each) for each in before}
    conditions = (*before, *(each for each in own if _content(each) not in known))
    documents = _common(base.scope.documents, leaf.scope.documents)
    if documents is None:
        return None
    scope = base.scope.model_copy(
        update={
            "documents": documents,
            "schema_name": base.scope.schema_name or leaf.scope.schema_name,
            "readable": base.scope.readable or leaf.scope.readable,
        }
    )
    node = leaf.model_copy(
        update={
            "conditions": conditions,
            "scope": scope,
            "columns": tuple(dict.fromkeys((*base.columns, *leaf.columns))),
            "ran": None,
            "estimate": None,
        }
    )
    return with_purpose(node, catalogue)


def _common(one: tuple[str, ...], other: tuple[str, ...]) -> tuple[str, ...] | None:
    """The documents that both name, () for no choice of one; None where they name none together."""
    if not one or not other:
        return one or other
    return tuple(id for id in one if id in set(other)) or None


def clause_texts(clauses: Clauses) -> frozenset[frozenset[str]]:
    """What conditions say, to be compared: whether they narrow, or are asked, does not count."""
    return frozenset(_content(each) for each in clauses)


def _content(clause: Condition | Choice) -> frozenset[str]:
    plain = (each.model_copy(update={"narrows": False}) for each in clause_parts(clause))
    return frozenset(each.model_dump_json() for each in plain)


def with_purpose(node: SelectionNode, catalogue: Catalogue) -> SelectionNode:
    """The node with its purpose in words for the conditions that it has now."""
    schema = catalogue.schema(node.scope.schema_name)
    noun = schema.title.lower() if schema is not None else "documents"
    purpose = spec_of(node).purpose(node, noun, schema)
    if node.order_by:
        first = "highest" if node.descending else "lowest"
        purpose = f"{purpose}; the {first} {node.order_by.replace('_', ' ')} first"
    return node.model_copy(update={"purpose": purpose[:300]})


def _behind(
    plan: Plan, given: Plan, leaves: set[str], catalogue: Catalogue, *, names_kind: bool
) -> Plan | None:
    """The plan with its selections behind the node that gives the documents in hand."""
    source = source_of(given)
    before = [node for node in given.nodes if node.id in ancestors(given, source)]
    steps = PlanSteps(before)
    names: dict[str, str] = {}
    for node in plan.nodes:
        names[node.id] = steps.next_id(node.type)
        added = node.model_copy(
            update={
                "id": names[node.id],
                "inputs": tuple(names[name] for name in node.inputs),
                "ran": None,
                "estimate": None,
            }
        )
        if node.id in leaves and isinstance(added, SelectionNode):
            kept = added.conditions if names_kind else own_clauses(added)
            added = added.model_copy(update={"conditions": kept, "inputs": (source, *added.inputs)})
            added = with_purpose(added, catalogue)
        steps.nodes.append(added)
    return _read(plan, steps.nodes, names)


def _read(plan: Plan, nodes: Sequence[Node], names: Mapping[str, str]) -> Plan | None:
    """The plan with these nodes, of which those in `names` are called otherwise by others."""
    kept = set(names.values())
    data = [
        _renamed(node.model_dump(mode="json"), names) if node.id in kept else node.model_dump(mode="json")
        for node in nodes
    ]
    said = plan.model_dump(mode="json", exclude={"nodes", "answer_node"})
    try:
        return Plan.model_validate({**said, "nodes": data, "answer_node": names[plan.answer_node or ""]})
    except ValueError:  # more nodes than a plan may have
        return None


def _renamed(data: Any, names: Mapping[str, str]) -> Any:
    if isinstance(data, dict):
        if set(data) == {"from"}:
            return {"from": names.get(data["from"], data["from"])}
        return {key: _renamed(value, names) for key, value in data.items()}
    return [_renamed(each, names) for each in data] if isinstance(data, list) else data


def _with(plan: Plan, changed: Mapping[str, Node]) -> Plan:
    nodes = tuple(
        changed.get(node.id, node).model_copy(update={"ran": None, "estimate": None}) for node in plan.nodes
    )
    return plan.model_copy(update={"nodes": nodes})
