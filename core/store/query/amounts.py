"""Amounts in SQL: comparisons that hold of any number, and the ends of a range in their order."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

import sqlalchemy as sa

from core.domain.fields import TypedValue
from core.domain.predicate import COMPARISONS, Operator
from core.errors import UsageError
from core.store.cells.field_rows import LARGEST_AMOUNT, key_of

_BELOW = frozenset({Operator.LESS, Operator.LESS_EQUAL})
_ABOVE = frozenset({Operator.GREATER, Operator.GREATER_EQUAL})


def compare_amount(column: sa.ColumnElement[Any], operator: Operator, wanted: int) -> sa.ColumnElement[bool]:
    """True where an amount fulfils `operator wanted`; a comparison that is none gives KeyError."""
    beyond = compare_beyond(column, operator, wanted)
    if beyond is not None:
        return beyond
    return cast("sa.ColumnElement[bool]", COMPARISONS[operator](column, wanted))


def compare_beyond(
    column: sa.ColumnElement[Any], operator: Operator, wanted: int
) -> sa.ColumnElement[bool] | None:
    """The same where `wanted` is further from zero than anything stored; None where it is not.

    No database takes such a number, and all that is stored lies on one side of it.
    """
    if abs(wanted) <= LARGEST_AMOUNT:
        return None
    holds = operator in (_BELOW if wanted > 0 else _ABOVE) or operator is Operator.NOT_EQUAL
    return column.is_not(None) if holds else sa.false()


def require_order(name: str, low: Sequence[TypedValue], high: Sequence[TypedValue]) -> None:
    """Raises UsageError where no reading of the two ends of a range makes one that holds anything."""
    pairs = [(one, other) for one in low for other in high if one.type is other.type]
    if any(_may_hold(one, other) for one, other in pairs):
        return
    written = [value.original or value.text for value in (low[0], high[0])]
    if any(_are_of_one_unit(one, other) for one, other in pairs):
        raise UsageError(
            f"Between {written[0]!r} and {written[1]!r} there is nothing: the greater end comes first.",
            next_step=f"Write: {name} between {written[1]} and {written[0]}",
        )
    raise UsageError(
        f"{written[0]!r} and {written[1]!r} are no two ends of one range: their kinds or units differ.",
        next_step="Write both ends in the same unit, such as: amount between 1000 USD and 2000 USD",
    )


def _may_hold(low: TypedValue, high: TypedValue) -> bool:
    if low.special or high.special:
        return False
    if low.amount is None or high.amount is None:
        return key_of(low) <= key_of(high)
    return _are_of_one_unit(low, high) and low.amount <= high.amount


def _are_of_one_unit(low: TypedValue, high: TypedValue) -> bool:
    return low.unit == high.unit or not (low.unit and high.unit)
