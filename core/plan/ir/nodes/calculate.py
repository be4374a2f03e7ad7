"""Calculate: one value out of those of other nodes."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from pydantic import Field

from core.domain.trust.permission import Trait
from core.plan.ir.node import Node, ancestors
from core.plan.ir.nodes.hop import Hop
from core.plan.ir.spec import Checks, FormField, NodeEstimate, NodeSpec, Said, TraitSetting, counted_inputs
from core.plan.ir.statistics import Cost

Calculated = Literal[
    "difference", "gap", "sum", "ratio", "share", "change", "more", "less", "equal", "greatest", "least",
    "all", "values", "groups", "average", "total",
]  # fmt: skip
_HOW: dict[str, str] = {
    "difference": "First less second",
    "gap": "How far apart",
    "sum": "Sum",
    "ratio": "First by second",
    "share": "First in % of second",
    "change": "Change to first from second, in %",
    "more": "Whether first is more",
    "less": "Whether first is less",
    "equal": "Whether all are equal",
    "greatest": "Which is the greatest",
    "least": "Which is the least",
    "all": "Whether all of second are in first",
    "values": "Each beside the others",
    "groups": "Number of groups",
    "average": "Average of groups",
    "total": "Sum of groups",
}
OF_SETS = ("groups", "average", "total")
_COMPUTED = ("sum", "greatest", "least", *OF_SETS[1:])
OF_TWO = ("difference", "gap", "ratio", "share", "change", "more", "less", "all")


class Calculate(Node):
    """One value of those that its inputs come to, in their order; labels: what each of them is called.

    "values" is all of them as one text, whatever their units; an input that comes to none is told as such.
    Otherwise amounts in different currencies or units are not calculated with. Of a node that gives groups or
    rows, how many there are, and what the values of groups come to, can be told. Gives a value.
    """

    type: Literal["calculate"] = "calculate"
    how: Calculated
    labels: tuple[str, ...] = Field(default=(), max_length=10)


def _checks(node: Calculate, checks: Checks) -> Said:
    if node.how in OF_SETS:
        if len(node.inputs) != 1:
            yield f"It has {counted_inputs(node)}, and needs one.", "Connect rows or groups."
        yield from checks.inputs(node, ("rows", "groups"))
        return
    if len(node.inputs) < 2 or (node.how in OF_TWO and len(node.inputs) != 2):
        yield f"It has {counted_inputs(node)}, and needs two.", "Connect nodes that come to one value."
    for name in node.inputs:
        if name not in checks.values:
            yield f"{name!r} comes to no single value.", "Connect a computation without groups."


def _asks(node: Calculate, setting: TraitSetting) -> Iterable[Trait]:
    """Of amounts that are looked up and added up, or of which the greatest is taken."""
    hops = [each for each in ancestors(node.inputs, setting.nodes).values() if isinstance(each, Hop)]
    if node.how in _COMPUTED and any(each.field and setting.is_money(each, each.field) for each in hops):
        yield Trait.FINANCIAL_AGGREGATE


CALCULATE = NodeSpec(
    node=Calculate,
    word="Calculate",
    about="A difference, a share, a ratio, or a yes or no",
    takes=("groups", "rows", "value"),
    gives=lambda node: "value",
    unit=lambda node: "value",
    cost=Cost(1.0, 0.001),
    estimate=lambda node, setting: NodeEstimate(sum(setting.taken), 1, "one value"),
    checks=_checks,
    begins="Calculate with what was found",
    parts=lambda start: {"how": "difference"},
    form=(FormField("how", "Gives", "choice", options=_HOW),),
    words=lambda node: node.labels,
    is_value=lambda node: True,
    asks=_asks,
)
