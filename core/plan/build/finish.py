"""Last steps to a plan: every word of its question accounted for, and the scope of its ledger marked."""

from __future__ import annotations

from collections.abc import Sequence

from core.domain.answer import Kind, Route
from core.domain.predicate import INEQUALITIES, Operator
from core.plan.build.builder import BuiltPlan
from core.plan.build.shares import shared
from core.plan.guards.coverage import covered
from core.plan.ir.nodes import Choice, Condition, Node, Note, Plan, Reference, SelectionNode
from core.plan.language.pieces import Mentions
from core.plan.text.classify import Classification


def finished(
    question: str,
    built: BuiltPlan,
    mentions: Mentions,
    found: Classification,
    today: str,
    notes: Sequence[Note] = (),
) -> Plan:
    """The plan of a question as it was built. mentions: the words that it has to account for.

    notes: what is said first, of how the question itself was read. today: ISO 8601.
    """
    fallbacks = (Route.HYBRID,) if built.kind in (Kind.LOOKUP, Kind.COMPARISON) else ()
    kind = built.kind
    if kind is Kind.AGGREGATE and found.kind is Kind.COMPLIANCE:
        kind = Kind.COMPLIANCE
    plan = Plan(
        question=question,
        kind=kind,
        route=Route.STRUCTURED,
        fallbacks=fallbacks,
        nodes=built.nodes,
        answer_node=built.answer,
        uncovered=built.uncovered,
        notes=built.notes,
        today=today,
        single=built.single,
    )
    plan = shared(covered(mentions, plan))
    nodes = tuple(told_apart(node) for node in plan.nodes)
    return plan.model_copy(update={"nodes": nodes, "notes": (*notes, *plan.notes)})


_STATED = INEQUALITIES | {Operator.EQUAL, Operator.IN, Operator.BETWEEN}


def told_apart(node: Node) -> Node:
    """The node, with every condition beside the only one on presence as what it is about.

    Then its ledger says of the documents asked about how many have the thing, and how many lack it.
    """
    if not isinstance(node, SelectionNode) or node.limit is not None:
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
