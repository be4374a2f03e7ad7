"""State of a conversation, as far as a plan needs it: documents in hand, last plan, what was spoken of."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from core.plan.ir.nodes import ComputationNode, Condition, Plan, SelectionNode, flattened
from core.plan.ir.validate import gives
from core.plan.reading import Reading


@dataclass(frozen=True, slots=True)
class SetInHand:
    """Documents that the next question may be about, in the order in which they were shown.

    label: what they are ("contracts that have Delaware as governing law"). plan: that gave them, with what
    was asked of them; None where they were cited from text.
    """

    documents: tuple[str, ...]
    label: str = ""
    plan: Plan | None = None


@dataclass(frozen=True, slots=True)
class Focus:
    """The last thing spoken of. documents: of the last answer, () where it named none; groups: its keys."""

    documents: tuple[str, ...] = ()
    groups: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ConversationState:
    """State after the turns so far. Empty: nothing was asked yet, or what was in hand was put away.

    last_plan: of the last answer, also where that was about one of the documents in hand. earlier: the sets
    that can be gone back to.
    """

    in_hand: SetInHand | None = None
    last_plan: Plan | None = None
    focus: Focus = Focus()
    earlier: tuple[SetInHand, ...] = ()

    @property
    def is_empty(self) -> bool:
        """True where there is nothing to go on from."""
        return self.in_hand is None and self.last_plan is None

    @property
    def readings(self) -> tuple[Reading, ...]:
        """The readings of the last answer and of the sets."""
        sets = (each.plan for each in (*self.earlier, self.in_hand) if each is not None)
        plans = (plan for plan in (*sets, self.last_plan) if plan is not None)
        return tuple(plan.reading for plan in plans if plan.reading is not None)

    @property
    def one(self) -> str:
        """The one document that "it" means: that of the last answer, or the only one in hand; "" for none."""
        if len(self.focus.documents) == 1:
            return self.focus.documents[0]
        in_hand = self.in_hand.documents if self.in_hand is not None else ()
        return in_hand[0] if len(in_hand) == 1 else ""


def base_of(plan: Plan | None) -> SelectionNode | None:
    """The selection whose documents, or rows, the answer of a plan is about; None where another node gives
    them, or nothing does.
    """
    source = source_of(plan) if plan is not None else ""
    node = plan.node(source) if plan is not None and source else None
    return node if isinstance(node, SelectionNode) else None


def conditions_of(plan: Plan) -> tuple[Condition, ...]:
    """The conditions of all selections of a plan."""
    selects = (node for node in plan.nodes if isinstance(node, SelectionNode))
    return tuple(each for node in selects for each in flattened(node.conditions))


def source_of(plan: Plan) -> str:
    """The id of the node that gives the documents, or rows, of the answer; "" where none does."""
    if plan.answer_node is None:
        return ""
    node = plan.node(plan.answer_node)
    while isinstance(node, ComputationNode) and len(node.inputs) == 1:
        node = plan.node(node.inputs[0])
    return node.id if gives(node) in ("documents", "query") else ""


def plan_read(data: dict[str, Any] | None) -> Plan | None:
    """The plan of a kept answer; None where it has none, or one of another version of this program."""
    if data is None:
        return None
    try:
        return Plan.model_validate(data)
    except ValueError:
        return None
