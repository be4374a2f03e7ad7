"""Exact numbers with a unit, and what may be done with them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal, DivisionByZero, InvalidOperation, Overflow

from core.errors import GroundworkError

PERCENT = "%"
_MOST_PLACES = 10
DAY = "date"
"""Unit of a day, whose value is its ordinal."""


class CalculationError(GroundworkError):
    """A calculation that is not to be made, and why."""


@dataclass(frozen=True, slots=True)
class Quantity:
    """A value with its unit: a currency code, "%", "days", DAY, or the stem of another; "" for none."""

    value: Decimal
    unit: str = ""


def add(one: Quantity, other: Quantity) -> Quantity:
    """Sum of two of the same unit; a day and days give a day. Raises CalculationError."""
    if (one.unit, other.unit) == (DAY, "days"):
        return Quantity(one.value + other.value, DAY)
    if one.unit != other.unit or one.unit == DAY:
        raise _unfit("added", one, other)
    return Quantity(one.value + other.value, one.unit)


def subtract(one: Quantity, other: Quantity) -> Quantity:
    """Difference of two of the same unit; of two days, the days between them. Raises CalculationError."""
    if one.unit != other.unit:
        raise _unfit("subtracted", one, other)
    return Quantity(one.value - other.value, "days" if one.unit == DAY else one.unit)


def multiply(one: Quantity, other: Quantity) -> Quantity:
    """Product, where at most one has a unit, or one is a percentage of the other. Raises CalculationError."""
    if DAY in (one.unit, other.unit):
        raise _unfit("multiplied", one, other)
    for first, second in ((one, other), (other, one)):
        if not second.unit:
            return Quantity(first.value * second.value, first.unit)
        if second.unit == PERCENT:
            return Quantity(first.value * second.value / 100, first.unit)
    raise _unfit("multiplied", one, other)


def divide(one: Quantity, other: Quantity) -> Quantity:
    """Quotient; without a unit where both have the same. Raises CalculationError."""
    if DAY in (one.unit, other.unit) or (other.unit and one.unit != other.unit):
        raise _unfit("divided", one, other)
    if not other.value:
        raise CalculationError("It divides by zero.", next_step="Choose another figure to divide by.")
    return Quantity(one.value / other.value, "" if other.unit else one.unit)


def share(one: Quantity, other: Quantity) -> Quantity:
    """The first in percent of the second. Raises CalculationError."""
    ratio = divide(one, other)
    if ratio.unit:
        raise _unfit("held against each other", one, other)
    return Quantity(ratio.value * 100, PERCENT)


def change(before: Quantity, after: Quantity) -> Quantity:
    """The change from the first to the second in percent of the first. Raises CalculationError."""
    if before.value < 0:
        raise CalculationError(
            "A change in percent of a negative figure says nothing.",
            next_step="State the difference instead.",
        )
    return share(subtract(after, before), before)


def growth(before: Quantity, after: Quantity, years: Quantity) -> Quantity:
    """The rate in percent by which the first grows a year, compounded, to the second. Raises."""
    if before.value <= 0 or after.value <= 0 or before.unit != after.unit or not 0 < years.value <= 200:
        raise CalculationError(
            "Growth a year is of two figures above zero in one unit, over some years.",
            next_step="State the change instead.",
        )
    rate = (after.value / before.value) ** (1 / years.value) - 1
    return Quantity(rate * 100, PERCENT)


def mean(*all_of_them: Quantity) -> Quantity:
    """Average of figures of the same unit. Raises CalculationError."""
    return divide(total(*all_of_them), Quantity(Decimal(len(all_of_them))))


def total(*all_of_them: Quantity) -> Quantity:
    """Sum of figures of the same unit. Raises CalculationError."""
    first, *rest = _any(all_of_them)
    for each in rest:
        first = add(first, each)
    return first


def greatest(*all_of_them: Quantity) -> Quantity:
    """The greatest of figures of the same unit. Raises CalculationError."""
    return max(_of_one_unit(all_of_them), key=lambda each: each.value)


def least(*all_of_them: Quantity) -> Quantity:
    """The least of figures of the same unit. Raises CalculationError."""
    return min(_of_one_unit(all_of_them), key=lambda each: each.value)


def days(before: Quantity, after: Quantity) -> Quantity:
    """Days from the first to the second. Raises CalculationError."""
    if (before.unit, after.unit) != (DAY, DAY):
        raise _unfit("held against each other as days", before, after)
    return subtract(after, before)


def rounded(one: Quantity, places: Quantity) -> Quantity:
    """A figure to some decimal places. Raises CalculationError."""
    if places.unit or places.value not in range(_MOST_PLACES):
        raise CalculationError("It rounds to no number of places.", next_step="Name 0 to 9 places.")
    return Quantity(one.value.quantize(Decimal(1).scaleb(-int(places.value)), ROUND_HALF_UP), one.unit)


FUNCTIONS: Mapping[str, Callable[..., Quantity]] = {
    "share": share,
    "change": change,
    "growth": growth,
    "mean": mean,
    "sum": total,
    "max": greatest,
    "min": least,
    "days": days,
    "round": rounded,
}
"""What a calculation may call, by name."""


def applied(function: Callable[..., Quantity], given: Sequence[Quantity]) -> Quantity:
    """The result of a function. Raises CalculationError, also where figures are lacking."""
    try:
        found = function(*given)
    except TypeError as error:
        raise CalculationError(
            f"{function.__name__} takes other figures.", next_step="Give as many as it takes."
        ) from error
    except (InvalidOperation, Overflow, DivisionByZero, OverflowError) as error:
        raise CalculationError(
            "It comes to nothing that is a number.", next_step="Choose other figures."
        ) from error
    if not found.value.is_finite():
        raise CalculationError("It comes to nothing that is a number.", next_step="Choose other figures.")
    return found


def _any(given: Sequence[Quantity]) -> Sequence[Quantity]:
    if not given:
        raise CalculationError("There is no figure to calculate with.", next_step="Name the figures.")
    return given


def _of_one_unit(given: Sequence[Quantity]) -> Sequence[Quantity]:
    first = _any(given)[0]
    for each in given:
        if each.unit != first.unit:
            raise _unfit("compared", first, each)
    return given


def _unfit(done: str, one: Quantity, other: Quantity) -> CalculationError:
    units = " and ".join(each.unit or "a plain number" for each in (one, other))
    return CalculationError(f"{units} are not {done}.", next_step="Choose figures whose units fit.")
