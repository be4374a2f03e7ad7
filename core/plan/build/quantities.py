"""Amounts and periods of a question as conditions on the field that they are compared with."""

from __future__ import annotations

from datetime import timedelta
from decimal import Decimal, InvalidOperation

from core.domain.fields import FieldType, TypedValue
from core.domain.predicate import Operator
from core.plan.catalogue import FieldEntry
from core.plan.language.pieces import Comparator, Period, Quantity
from core.plan.language.syntax.tree import Test
from core.plan.ir.nodes import Condition
from core.values.numbers import parse_number

_LEAST = 100  # a smaller number is hardly an amount of money where nothing says so


def literal_text(value: TypedValue, entry: FieldEntry, code: str = "") -> str | None:
    """The value as a condition on the field writes it; None where it is of another kind.

    An amount without a currency takes the one that is named (`code`), else the one that most documents state.
    """
    if entry.type is FieldType.MONEY:
        if value.type is FieldType.MONEY:
            return f"{_plain(value.text)} {value.unit}"
        if value.type is FieldType.NUMBER and not value.unit:
            unit = code if code in entry.units else next(iter(entry.units), "")
            return f"{_plain(value.text)} {unit}".strip()
        return None
    if entry.type is FieldType.DURATION:
        return value.text if value.type is FieldType.DURATION else None
    if entry.type is FieldType.NUMBER and value.type is FieldType.NUMBER:
        return _number(value, entry)
    return None


def in_period(name: str, period: Period, op: Operator | None = None) -> Condition | None:
    """That a day lies in a period, or by `op` before or after it; None where the period has no such end."""
    first, last = period.first, period.last
    if op in (Operator.GREATER, Operator.GREATER_EQUAL):
        edge = last if op is Operator.GREATER else first
        return None if edge is None else Condition(field=name, op=op, value=edge.isoformat())
    if op in (Operator.LESS, Operator.LESS_EQUAL):
        edge = first if op is Operator.LESS else last
        return None if edge is None else Condition(field=name, op=op, value=edge.isoformat())
    if first is not None and last is not None:
        if first == last:
            return Condition(field=name, op=Operator.EQUAL, value=first.isoformat())
        return Condition(field=name, op=Operator.BETWEEN, value=(first.isoformat(), last.isoformat()))
    if last is not None:
        return Condition(field=name, op=Operator.LESS, value=(last + timedelta(days=1)).isoformat())
    if first is not None:
        return Condition(field=name, op=Operator.GREATER_EQUAL, value=first.isoformat())
    return None


def is_bare(test: Test, operand: Quantity) -> bool:
    """Whether a number stands for no amount: without a currency or field, and small or without a sign."""
    value = operand.value
    if value.type is not FieldType.NUMBER or value.unit:
        return False
    if value.amount is not None and Decimal(value.text) < _LEAST:
        return True  # "fewer than two parties", "more than three times"
    has_sign = any(isinstance(piece.meaning, Comparator) for piece in test.pieces)
    return value.original.isdigit() and not has_sign


def is_ascending(low: str, high: str) -> bool:
    """Whether of two amounts the second is not the smaller; so where they are no plain numbers."""
    try:
        return Decimal(low.split()[0]) <= Decimal(high.split()[0])
    except (InvalidOperation, IndexError):
        return True


def _number(value: TypedValue, entry: FieldEntry) -> str | None:
    unit = entry.units[0] if entry.units else entry.unit
    unit = "%" if unit == "percent" else unit
    if not value.unit or value.unit == unit:
        return f"{value.text} {unit}".strip()
    if value.unit == "%":
        return None
    converted = parse_number(f"{value.text} {value.unit}", unit)
    return None if converted is None else f"{converted.text} {unit}"


def _plain(text: str) -> str:
    return text[:-3] if text.endswith(".00") else text
