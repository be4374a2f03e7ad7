"""Evaluation of a small typed expression: figures by name, numbers, + - * / and a few functions."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Mapping
from decimal import Context, Decimal, localcontext

from core.answer.prose.calculation.quantity import (
    FUNCTIONS,
    CalculationError,
    Quantity,
    add,
    applied,
    divide,
    multiply,
    subtract,
)

LONGEST_CHARS = 200
MOST_NODES = 60
_PRECISION = 40  # digits
_OPERATORS: Mapping[type[ast.operator], Callable[[Quantity, Quantity], Quantity]] = {
    ast.Add: add,
    ast.Sub: subtract,
    ast.Mult: multiply,
    ast.Div: divide,
}
_SIGNS: Mapping[type[ast.operator], str] = {
    ast.Add: "+",
    ast.Sub: "\u2212",
    ast.Mult: "\u00d7",
    ast.Div: "/",
}


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
