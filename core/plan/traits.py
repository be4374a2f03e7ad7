"""Traits of a whole query: those of its nodes, and of a question that its searches ask of texts.

They are told by what runs. Another wording, name or purpose of the same nodes has the same traits; the kind
that a plan says it is of only adds to them.
"""

from __future__ import annotations

from collections.abc import Sequence

from core.domain.answer import Kind
from core.domain.trust.permission import Action, PolicyRequest, Trait
from core.plan.catalogue import Catalogue
from core.plan.ir.node import Node
from core.plan.ir.nodes import Plan, spec_of
from core.plan.ir.traits import TraitSetting
from core.plan.text.classify import asks_for_compliance
from core.plan.text.text_plan import searches_among


def request_of(plan: Plan, catalogue: Catalogue) -> PolicyRequest:
    """The deed of running a plan."""
    asked = request_of_nodes(plan.nodes, catalogue)
    if plan.kind is not Kind.COMPLIANCE:
        return asked
    return PolicyRequest(Action.QUERY, asked.traits | {Trait.COMPLIANCE}, asked.nodes)


def request_of_nodes(nodes: Sequence[Node], catalogue: Catalogue) -> PolicyRequest:
    """The deed of running some nodes. Nodes with the same id count each."""
    setting = TraitSetting({node.id: node for node in nodes}, catalogue)
    traits = {trait for node in nodes for trait in spec_of(node).asks(node, setting)}
    if any(
        asks_for_compliance(text) for each in searches_among(nodes) for text in (each.text, *each.wordings)
    ):
        traits.add(Trait.COMPLIANCE)
    return PolicyRequest(Action.QUERY, frozenset(traits), frozenset(node.type for node in nodes))
