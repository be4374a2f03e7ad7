"""Evaluation of a small typed expression: figures by name, numbers, + - * / and a few functions."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Context, Decimal, DivisionByZero, InvalidOperation, Overflow, localcontext

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


LONGEST_CHARS = 200
MOST_NODES = 60
_PRECISION = 40  # digits
_OPERATORS: Mapping[type[ast.operator], Callable[[Quantity, Quantity], Quantity]] = {
    ast.Add: add,
    ast.Sub: subtract,
    ast.Mult: multiply,
    ast.Div: divide,
}
_SIGNS: Mapping[type[ast.operator], str] = {ast.Add: "+", ast.Sub: "\u2212", ast.Mult: "\u00d7", ast.Div: "/"}


def evaluate(expression: str, figures: Mapping[str, Quantity]) -> Quantity:
    """The value of an expression over figures by their names.

    Raises CalculationError for what is no such expression, for units that do not fit, and where it comes to
    no number. Nothing is run: the expression is read as a tree, and each of its nodes is one of the above.

    >>> evaluate("share(a - b, b)", {"a": Quantity(Decimal(110)), "b": Quantity(Decimal(100))})
    Quantity(value=Decimal('10.0'), unit='%')
    """
    if len(expression) > LONGEST_CHARS:
        raise CalculationError(
            f"It has more than {LONGEST_CHARS} characters.", next_step="Calculate in several steps."
        )
    try:
        tree = ast.parse(expression.strip(), mode="eval")
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise _unreadable() from error
    if sum(1 for _ in ast.walk(tree)) > MOST_NODES:
        raise CalculationError("It has too many parts.", next_step="Calculate in several steps.")
    with localcontext(Context(prec=_PRECISION)):
        return _value(tree.body, figures)


def written(expression: str, figures: Mapping[str, str]) -> str:
    """An expression that was evaluated, with figures as they are written in place of their names.

    >>> written("share(a - b, b)", {"a": "1,100", "b": "900"})
    '(1,100 − 900) / 900'
    """
    return _written(ast.parse(expression.strip(), mode="eval").body, figures)


def _written(node: ast.expr, figures: Mapping[str, str]) -> str:
    if isinstance(node, ast.Name):
        return figures.get(node.id, node.id)
    if isinstance(node, ast.UnaryOp):
        return f"\u2212{_grouped(node.operand, figures)}"
    if isinstance(node, ast.BinOp):
        left, right = _grouped(node.left, figures), _grouped(node.right, figures)
        return f"{left} {_SIGNS[type(node.op)]} {right}"
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        parts = [_written(each, figures) for each in node.args]
        if node.func.id == "share":
            return " / ".join(_grouped(each, figures) for each in node.args)
        if node.func.id == "change":
            return "from {} to {}".format(*parts)
        return f"{node.func.id} of {', '.join(parts)}" if node.func.id != "round" else parts[0]
    return ast.unparse(node)


def _grouped(node: ast.expr, figures: Mapping[str, str]) -> str:
    """A part with brackets around it, where it is calculated itself."""
    text = _written(node, figures)
    return text if isinstance(node, ast.Name | ast.Constant) else f"({text})"


def _value(node: ast.expr, figures: Mapping[str, Quantity]) -> Quantity:
    if isinstance(node, ast.Name):
        if node.id not in figures:
            raise CalculationError(
                f"There is no figure {node.id[:40]!r}.", next_step="Name each figure among the operands."
            )
        return figures[node.id]
    if isinstance(node, ast.Constant) and type(node.value) in (int, float):
        return Quantity(Decimal(str(node.value)))
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        value = _value(node.operand, figures)
        return Quantity(operator.neg(value.value), value.unit)
    if isinstance(node, ast.BinOp) and type(node.op) in _OPERATORS:
        sides = _value(node.left, figures), _value(node.right, figures)
        return applied(_OPERATORS[type(node.op)], sides)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and not node.keywords:
        function = FUNCTIONS.get(node.func.id)
        if function is not None:
            return applied(function, [_value(each, figures) for each in node.args])
    raise _unreadable()


def _unreadable() -> CalculationError:
    names = ", ".join(FUNCTIONS)
    return CalculationError(
        "It is no calculation that can be read.", next_step=f"Use + - * / and the functions {names}."
    )
