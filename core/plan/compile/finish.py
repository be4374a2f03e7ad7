"""Finish of compiled nodes: what is asked of documents is told apart from what only says which are meant."""

from __future__ import annotations

from core.domain.predicate import INEQUALITIES, Operator
from core.plan.ir.nodes import Choice, Condition, Node, Reference, SelectionNode

_STATED = INEQUALITIES | {Operator.EQUAL, Operator.IN, Operator.BETWEEN}


def told_apart(node: Node) -> Node:
    """The node, with every condition beside the only one on presence as what it is about.

    Then its ledger says of the documents asked about how many have the thing, and how many lack it.
    """
    if not isinstance(node, SelectionNode) or node.limit is not None or node.of == "rows":
        return node
    node = _without_implied(node)
    presence = [each for each in node.conditions if _is_presence(each)]
    others = [each for each in node.conditions if each not in presence]
    if len(presence) != 1 or not all(_may_narrow(each) for each in others):
        return node
    marked = tuple(
        each.model_copy(update={"narrows": True}) if isinstance(each, Condition) and each in others else each
        for each in node.conditions
    )
    return node.model_copy(update={"conditions": marked})


def _without_implied(node: SelectionNode) -> SelectionNode:
    """The node without "has a governing law" where its governing law is to be Iowa's."""
    compared = {each.field for each in node.conditions if isinstance(each, Condition) and each.op in _STATED}
    kept = tuple(
        each
        for each in node.conditions
        if not (isinstance(each, Condition) and each.op is Operator.IS and each.field in compared)
    )
    return node if len(kept) == len(node.conditions) else node.model_copy(update={"conditions": kept})


def _is_presence(condition: Condition | Choice) -> bool:
    if isinstance(condition, Choice) or condition.narrows:
        return False
    return condition.op in (Operator.MISSING, Operator.IS) or (
        condition.op is Operator.EQUAL and condition.value == "true"
    )


def _may_narrow(condition: Condition | Choice) -> bool:
    return isinstance(condition, Condition) and not isinstance(condition.value, Reference)
