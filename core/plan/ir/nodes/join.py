"""Join: rows of one table with those of another that say the same in one of their columns."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from pydantic import Field

from core.domain.trust.permission import Trait
from core.plan.ir.node import MAX_ROWS, ROW_PLACE, Condition, Node, OtherField
from core.plan.ir.spec import (
    Checks,
    EstimateSetting,
    NodeEstimate,
    NodeSpec,
    Said,
    TraitSetting,
    counted_inputs,
    known_column,
)
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
    ordered = (node.order_by,) if node.order_by not in ("", ROW_PLACE) else ()
    for each in node.conditions:
        if not isinstance(each.value, OtherField) or node.how != "with":
            yield "Only columns of matched rows are compared here.", "Ask each table for its own conditions."
        else:
            yield from known_column(each.field, checks.catalogue)
            yield from known_column(each.value.field, checks.catalogue)
    for name in dict.fromkeys((node.left, node.right, *node.fields, *ordered)):
        yield from known_column(name, checks.catalogue)


def _estimate(node: Join, setting: EstimateSetting) -> NodeEstimate:
    rows = setting.first if node.limit is None else min(setting.first, node.limit)
    return NodeEstimate(sum(setting.taken), rows, "at most the rows of the first table")


def _compared(node: Join) -> Iterable[str]:
    for each in node.conditions:
        yield from (each.field, *((each.value.field,) if isinstance(each.value, OtherField) else ()))


def _asks(node: Join, setting: TraitSetting) -> Iterable[Trait]:
    if node.order_by and node.order_by != ROW_PLACE and setting.is_money(node, node.order_by):
        yield Trait.FINANCIAL_AGGREGATE


JOIN = NodeSpec(
    node=Join,
    word="Match",
    about="Rows of two tables that say the same in a column",
    takes=("rows",),
    gives=lambda node: "rows",
    unit=lambda node: "row",
    cost=Cost(20.0, 0.02),
    estimate=_estimate,
    checks=_checks,
    begins="",
    parts=lambda start: {"left": "id", "right": "id"},
    fields=lambda node: (node.left, node.right, *_compared(node), *node.fields, node.order_by),
    shown=lambda node: (*node.fields, node.order_by),
    rows=lambda node: node.limit or 0,
    asks=_asks,
)
