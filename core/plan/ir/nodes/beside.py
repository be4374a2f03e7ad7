"""Beside: the rows that stand before or behind others."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from core.plan.ir.node import Node
from core.plan.ir.spec import Checks, FormField, NodeEstimate, NodeSpec, Said, counted_inputs, known_column
from core.plan.ir.statistics import Cost


class Beside(Node):
    """The rows of the second input that stand `steps` behind (or, below 0, before) those of the first.

    They stand in the order of the second input. fields: shown of each row.
    """

    type: Literal["beside"] = "beside"
    steps: int = Field(default=1, ge=-1000, le=1000)
    fields: tuple[str, ...] = Field(default=(), max_length=50)


def _checks(node: Beside, checks: Checks) -> Said:
    if len(node.inputs) != 2:
        yield f"It has {counted_inputs(node)}, and needs two.", "Connect some rows, and those around them."
    if not node.steps:
        yield "It goes no step.", "Say how many rows before or behind."
    yield from checks.inputs(node, ("rows",))
    for name in dict.fromkeys(node.fields):
        yield from known_column(name, checks.catalogue)


BESIDE = NodeSpec(
    node=Beside,
    word="Next",
    about="Rows that stand before or behind others",
    takes=("rows",),
    gives=lambda node: "rows",
    unit=lambda node: "row",
    cost=Cost(5.0, 0.01),
    estimate=lambda node, setting: NodeEstimate(sum(setting.taken), setting.first, "one row for each"),
    checks=_checks,
    begins="Go to the next row",
    form=(
        FormField("steps", "Rows behind (below 0: before)", "number", low=-1000, high=1000),
        FormField("fields", "Shows", "fields", none="All columns"),
    ),
    fields=lambda node: node.fields,
    shown=lambda node: node.fields,
)
