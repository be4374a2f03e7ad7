"""Traits of a whole query: those of its nodes, and of a question that its searches ask of texts.

They are told by what runs: the same nodes have the same traits, whatever the question, the kind that the plan
says it is of, and the names and purposes of its nodes are.
"""

from __future__ import annotations

from collections.abc import Sequence

from core.domain.trust.permission import Action, PolicyRequest, Trait
from core.plan.catalogue import Catalogue
from core.plan.ir.node import Node
from core.plan.ir.nodes import spec_of
from core.plan.ir.traits import TraitSetting
from core.plan.text.classify import asks_for_compliance
from core.plan.text.text_plan import searches


def request_of(nodes: Sequence[Node], catalogue: Catalogue) -> PolicyRequest:
    """The deed of running some nodes, of a whole plan as well. Nodes with the same id count each."""
    setting = TraitSetting({node.id: node for node in nodes}, catalogue)
    traits = {trait for node in nodes for trait in spec_of(node).asks(node, setting)}
    if any(asks_for_compliance(text) for each in searches(nodes) for text in (each.text, *each.wordings)):
        traits.add(Trait.COMPLIANCE)
    return PolicyRequest(Action.QUERY, frozenset(traits), frozenset(node.type for node in nodes))
