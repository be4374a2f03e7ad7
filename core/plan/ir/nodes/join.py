"""Join: rows of one table with those of another that say the same in one of their columns."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from pydantic import Field

from core.domain.trust.permission import Trait
from core.plan.ir.node import MAX_ROWS, Condition, Node, OtherField
from core.plan.ir.spec import Checks, NodeEstimate, NodeSpec, Said, TraitSetting, counted_inputs
from core.plan.ir.statistics import Cost


class Join(Node):
    """Rows of the first input by those of the second whose `right` column says what their `left` one says.

    Said as SQL before it runs, as are all nodes over rows.
    how: "with" gives each row the one row that goes with it, so that columns of both can be shown, grouped by
    and computed over; "matching" keeps those for which there is any, "without" those for which there is none.
    conditions: between a column of the one and a column of the other row, "with".
    fields: shown of each row, of either table. order_by: a column of the first table, or of either
    "with"; "" keeps the order of the first input. limit: the first rows that are left, and all that are equal
    to the last of them; skip: how many values come before.
    """

    type: Literal["join"] = "join"
    left: str = Field(min_length=1, max_length=200)
    right: str = Field(min_length=1, max_length=200)
    how: Literal["with", "matching", "without"] = "with"
    conditions: tuple[Condition, ...] = Field(default=(), max_length=20)
    fields: tuple[str, ...] = Field(default=(), max_length=50)
    order_by: str = Field(default="", max_length=200)
    descending: bool = False
    limit: int | None = Field(default=None, ge=1, le=MAX_ROWS)
    skip: int = Field(default=0, ge=0, le=MAX_ROWS)


def _checks(node: Join, checks: Checks) -> Said:
    if len(node.inputs) != 2:
        yield f"It has {counted_inputs(node)}, and needs two.", "Connect two nodes that give rows."
    yield from checks.inputs(node, ("rows",))


def _compared(node: Join) -> Iterable[str]:
    for each in node.conditions:
        yield from (each.field, *((each.value.field,) if isinstance(each.value, OtherField) else ()))


def _asks(node: Join, setting: TraitSetting) -> Iterable[Trait]:
    if node.order_by and setting.is_money(node, node.order_by):
        yield Trait.FINANCIAL_AGGREGATE


JOIN = NodeSpec(
    node=Join,
    word="Match",
    about="Rows of two tables that say the same in a column",
    takes=("rows",),
    gives=lambda node: "rows",
    unit=lambda node: "row",
    cost=Cost(20.0, 0.02),
    estimate=lambda node, setting: NodeEstimate(sum(setting.taken), setting.first, "at most the first"),
    checks=_checks,
    begins="",
    parts=lambda start: {"left": "id", "right": "id"},
    fields=lambda node: (node.left, node.right, *_compared(node), *node.fields, node.order_by),
    asks=_asks,
)
