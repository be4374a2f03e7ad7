"""Estimates of a plan before it runs: rows of every node, and about how long it takes."""

from __future__ import annotations

from core.plan.catalogue import Catalogue
from core.plan.ir.hashing import in_order
from core.plan.ir.nodes import Estimate, Plan, spec_of
from core.plan.ir.spec import EstimateSetting
from core.plan.ir.statistics import Statistics

_NOTHING = Statistics()


def estimated(plan: Plan, catalogue: Catalogue, statistics: Statistics = _NOTHING) -> Plan:
    """The plan with an estimate on every node; one with a circle is given back as it is.

    statistics: how values are spread, and what earlier runs took.
    """
    try:
        ordered = in_order(plan)
    except ValueError:
        return plan
    found: dict[str, Estimate] = {}
    for node in ordered:
        spec = spec_of(node)
        taken = [found[name].rows for name in node.inputs]
        made = spec.estimate(node, EstimateSetting(taken, catalogue, statistics))
        cost = statistics.cost(node.type) or spec.cost
        spent = round(made.times * (cost.base_ms + cost.each_ms * made.looked_at), 1)
        found[node.id] = Estimate(rows=made.rows, latency_ms=spent, because=made.because)
    nodes = tuple(node.model_copy(update={"estimate": found[node.id]}) for node in plan.nodes)
    return plan.model_copy(update={"nodes": nodes})
