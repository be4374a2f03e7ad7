"""Combine: set algebra over what nodes found."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from core.domain.trust.permission import Trait
from core.plan.ir.node import Node, ScopedNode, SelectionNode, ancestors
from core.plan.ir.spec import (
    SETS,
    Checks,
    EstimateSetting,
    FormField,
    Joint,
    NodeEstimate,
    NodeSpec,
    Said,
    TraitSetting,
    counted_inputs,
)
from core.plan.ir.statistics import Cost

Algebra = Literal["intersect", "union", "difference"]
_JOINTS: dict[str, Joint] = {"intersect": "and", "union": "or", "difference": "not"}
_PURPOSES = {
    "intersect": "Keep what is in all of them",
    "union": "Put them together",
    "difference": "Keep what is in the first and not in the second",
}
_WAYS = {
    "intersect": "In all of them",
    "union": "In any of them",
    "difference": "In the first, not the second",
}


class Combine(Node):
    """Set algebra over documents, in three values: what one side cannot decide, the result may not either.

    of: "rows" where all inputs give rows of tables, and so does it; they stand in the order of the first.
    """

    type: Literal["combine"] = "combine"
    how: Algebra
    of: Literal["documents", "rows"] = "documents"


def _checks(node: Combine, checks: Checks) -> Said:
    if len(node.inputs) < 2 or (node.how == "difference" and len(node.inputs) != 2):
        wanted = "exactly two" if node.how == "difference" else "at least two"
        yield (f"It has {counted_inputs(node)}, and needs {wanted}.", "Connect nodes that give documents.")
    yield from checks.inputs(node, SETS if node.of == "documents" else ("rows",))


def _estimate(node: Combine, setting: EstimateSetting) -> NodeEstimate:
    taken, whole = setting.taken, sum(setting.taken)
    if node.how == "union":
        return NodeEstimate(
            whole, min(whole, len(setting.catalogue.documents)), "at most all that its inputs give"
        )
    least = taken[0] if taken and node.how == "difference" else min(taken, default=0)
    return NodeEstimate(whole, least, "at most what its smallest side gives")


def _asks(node: Combine, setting: TraitSetting) -> Iterable[Trait]:
    """All less those that have it are those that lack it; so are all less those whose text speaks of it."""
    if node.how != "difference":
        return
    for each in ancestors(node.inputs[1:], setting.nodes).values():
        of_text = isinstance(each, ScopedNode) and not isinstance(each, SelectionNode)
        if of_text or (isinstance(each, SelectionNode) and setting.asks_presence(each)):
            yield Trait.COMPLIANCE


COMBINE = NodeSpec(
    node=Combine,
    word="Combine",
    about="What sets have in common, or not",
    takes=SETS,
    gives=lambda node: node.of,
    unit=lambda node: "document" if node.of == "documents" else "row",
    cost=Cost(1.0, 0.001),
    estimate=_estimate,
    checks=_checks,
    begins="Put sets together",
    parts=lambda start: {"how": "intersect"},
    form=(FormField("how", "Keeps documents that are", "segments", options=_WAYS),),
    purpose=lambda node, noun, schema: _PURPOSES[node.how],
    joins=lambda node: _JOINTS[node.how],
    asks=_asks,
)
