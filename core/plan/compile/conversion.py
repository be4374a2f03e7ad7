"""Amounts of a plan in one currency, where its question says so or a person chooses it."""

from __future__ import annotations

from core.plan.catalogue import Catalogue
from core.plan.ir.graph_edits import with_node
from core.plan.ir.nodes import ComputationNode, Plan, SelectionNode, SidesNode
from core.plan.ir.spec import TraitSetting


def converted(plan: Plan, into: str, catalogue: Catalogue) -> Plan | None:
    """The plan with the money that it computes with, orders or compares in one currency; None without any."""
    setting, before = TraitSetting({each.id: each for each in plan.nodes}, catalogue), plan
    for node in plan.nodes:
        update: dict[str, object] = {"into": into, "purpose": f"{node.purpose} in {into}"}
        names: tuple[str, ...] = node.fields if isinstance(node, SidesNode) else ()
        if isinstance(node, ComputationNode) and node.function not in ("count", "distinct"):
            names, unit = (node.field,), f"{node.field}.unit"
            update |= {"rates": {}, "group_by": tuple(name for name in node.group_by if name != unit)}
        elif isinstance(node, SelectionNode) and node.of == "documents" and node.order_by:
            names = (node.order_by,)
        if names and all(setting.is_money(node, name) for name in names):
            plan = with_node(plan, node.model_copy(update=update))
    return plan if plan is not before else None
