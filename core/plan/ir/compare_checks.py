"""Checks of comparisons: totals of amounts, and differences of two sides."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from core.domain.annotation import Aggregate as Function
from core.domain.fields import FieldType
from core.plan.catalogue import FieldEntry
from core.plan.ir.nodes import Compare

_AMOUNTS = (FieldType.MONEY, FieldType.NUMBER, FieldType.DURATION)
_SUMMED = frozenset({Function.SUM, Function.AVG, Function.MEDIAN})


def compare_problems(node: Compare, entries: Sequence[FieldEntry]) -> Iterator[tuple[str, str]]:
    """What is wrong with what a comparison asks of its sides, and what to do."""
    of_two = node.outcome not in ("values", "greatest", "least")
    if (of_two and len(node.inputs) != 2) or (node.outcome != "values" and len(node.fields) != 1):
        yield "Only two sides and one field have a difference.", "Take the others out, or compare values."
    for entry in entries:
        if node.function in _SUMMED and entry.type not in _AMOUNTS:
            yield f"{entry.title} has no {node.function.value}.", "Choose a field of amounts or numbers."
        elif node.outcome != "values" and entry.type not in (*_AMOUNTS, FieldType.DATE):
            yield f"{entry.title} has no order in which sides differ.", "Choose amounts, numbers or dates."
