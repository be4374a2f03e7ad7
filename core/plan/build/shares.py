"""Shares: "what percentage of the contracts has ..." as a count that is told in percent."""

from __future__ import annotations

from core.domain.annotation import Calculation
from core.plan.ir.nodes import ComputationNode, Node, Plan, SelectionNode, is_about
from core.plan.language.rewriting.shares import SHARE_WORD, asks_for_share


def shared(plan: Plan) -> Plan:
    """The plan of such a question with its count as a share; its word uncovered where that is none.

    A count of documents under one condition is a share of those that it is decided of; under more it is not
    said which of them make the whole.
    """
    if not asks_for_share(plan.question):
        return plan
    node = plan.node(plan.answer_node or "")
    if not isinstance(node, ComputationNode) or node.function is not Calculation.COUNT:
        return plan
    select = plan.node(node.inputs[0]) if len(node.inputs) == 1 else None
    if not isinstance(select, SelectionNode) or select.of != "documents":
        return plan
    free = [each for each in select.conditions if not is_about(each)]
    is_plain = not node.field and not node.group_by and len(free) == 1 and not select.inputs
    word = SHARE_WORD.search(plan.question)
    assert word is not None  # as it asks for a share
    left = tuple(each for each in plan.uncovered if not SHARE_WORD.fullmatch(each))
    if not is_plain:
        return plan.model_copy(update={"uncovered": (*left, word[0])})
    share = node.model_copy(
        update={"as_share": True, "purpose": f"{node.purpose} as a share in percent"[:300]}
    )
    nodes: tuple[Node, ...] = tuple(share if each is node else each for each in plan.nodes)
    return plan.model_copy(update={"uncovered": left, "nodes": nodes})
