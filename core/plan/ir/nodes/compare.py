"""Compare: documents of several inputs side by side, and what is said of the sides."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal

from core.domain.fields import AMOUNTS, ORDERED
from core.domain.trust.permission import Trait
from core.plan.catalogue import FieldEntry
from core.plan.ir.node import SelectionNode, SidesNode, flattened
from core.plan.ir.spec import (
    COMPUTED,
    SUMMED,
    Checks,
    EstimateSetting,
    FormField,
    NodeEstimate,
    NodeSpec,
    NodeStart,
    Said,
    TraitSetting,
    counted_inputs,
)
from core.plan.ir.statistics import Cost


class Compare(SidesNode):
    """Put the documents of two or more inputs side by side on some fields. labels: what each side is called.

    function: what each side comes to; None: a row for each document. outcome: what is said of two sides: by
    how much they differ, the first exceeds the second or falls short of it, whether it is more or less;
    or which of all sides has the greatest or the least.
    Gives a comparison: a row for each document with the side it belongs to, and what the sides come to.
    """

    type: Literal["compare"] = "compare"


def _checks(node: Compare, checks: Checks) -> Said:
    if len(node.inputs) != len(node.labels):
        yield (f"It has {counted_inputs(node)} and {len(node.labels)} labels.", "Give each side a label.")
    if len(set(node.labels)) < len(node.labels):
        yield "Two sides have the same label.", "Call them differently."
    yield from checks.inputs(node, ("documents",))
    for name in node.fields:
        yield from checks.known(node, name)
    if node.into:
        yield from checks.converted(node, node.into, *node.fields)
    yield from _outcome(node, [entry for name in node.fields if (entry := checks.field(node, name))])


def _outcome(node: Compare, entries: Sequence[FieldEntry]) -> Said:
    """Problems of what is asked of the sides."""
    of_two = node.outcome not in ("values", "greatest", "least")
    if (of_two and len(node.inputs) != 2) or (node.outcome != "values" and len(node.fields) != 1):
        yield "Only two sides and one field have a difference.", "Take the others out, or compare values."
    for entry in entries:
        if node.function in SUMMED and entry.type not in AMOUNTS:
            yield f"{entry.title} has no {node.function.value}.", "Choose a field of amounts or numbers."
        elif node.outcome != "values" and entry.type not in ORDERED:
            yield f"{entry.title} has no order in which sides differ.", "Choose amounts, numbers or dates."


def _estimate(node: Compare, setting: EstimateSetting) -> NodeEstimate:
    taken = sum(setting.taken)
    return NodeEstimate(taken, taken, "a row for each document of each side")


def fields_before(start: NodeStart) -> tuple[str, ...]:
    """The first fields that the selection before a new node asks for or shows; () where there is none."""
    if not isinstance(start.before, SelectionNode):
        return ()
    asked = (each.field for each in flattened(start.before.conditions))
    return tuple(dict.fromkeys((*start.before.fields, *asked)))[:3]


def _asks(node: Compare, setting: TraitSetting) -> Iterable[Trait]:
    is_computed = node.function in COMPUTED or node.outcome in ("greatest", "least")
    if is_computed and any(setting.is_money(node, name) for name in node.fields):
        yield Trait.FINANCIAL_AGGREGATE


COMPARE = NodeSpec(
    node=Compare,
    word="Compare",
    about="Sides next to each other, field by field",
    takes=("documents",),
    gives=lambda node: "comparison",
    unit=lambda node: "row",
    cost=Cost(5.0, 0.05),
    estimate=_estimate,
    checks=_checks,
    begins="Put them side by side",
    parts=lambda start: {"labels": ("A", "B"), "fields": fields_before(start) or ("document_kind",)},
    form=(
        FormField("labels", "Puts side by side", "sides", brief="Names"),
        FormField("fields", "On these fields", "fields", none="No more fields", is_needed=True),
        FormField("into", "Amounts in", "line", none="each as it is stated"),
    ),
    fields=lambda node: node.fields,
    words=lambda node: node.labels,
    asks=_asks,
)
