"""Combine: set algebra over what was found."""

from __future__ import annotations

from collections.abc import Mapping

from core.domain.results import Documents, Result
from core.errors import UsageError
from core.plan.ir.nodes import Combine
from core.plan.operators.base import OperatorParts, difference, documents_of, intersect, runs, union


@runs(Combine)
def combine(node: Combine, inputs: Mapping[str, Result], parts: OperatorParts) -> Documents:
    """The documents that belong to all inputs, to any, or to the first and none of the others."""
    sides: list[Documents] = []
    for name in node.inputs:
        found = documents_of(inputs[name])
        if found is None:
            raise UsageError(
                f"{name!r} gives a value, and no documents to combine.",
                next_step="Combine what gives documents.",
            )
        sides.append(found)
    if not sides:
        raise UsageError("There is nothing to combine.", next_step="Connect two nodes that give documents.")
    if node.how == "intersect":
        return intersect(sides)
    if node.how == "union":
        return union(sides)
    return difference(sides[0], union(sides[1:])) if len(sides) > 1 else sides[0]
