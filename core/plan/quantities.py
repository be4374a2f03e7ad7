"""Amounts and periods of a question as conditions on the field that they are compared with."""

from __future__ import annotations

from datetime import timedelta

from core.domain.fields import FieldType, TypedValue
from core.domain.predicate import Operator
from core.plan.catalogue import FieldEntry
from core.plan.grammar.pieces import Period
from core.plan.ir import Condition
from core.values.numbers import parse_number


def literal_text(value: TypedValue, entry: FieldEntry) -> str | None:
    """The value as a condition on the field writes it; None where it is of another kind.

    An amount without a currency takes the one that most documents state.
    """
    if entry.type is FieldType.MONEY:
        if value.type is FieldType.MONEY:
            return f"{_plain(value.text)} {value.unit}"
        if value.type is FieldType.NUMBER and not value.unit:
            return f"{_plain(value.text)} {entry.units[0]}" if entry.units else _plain(value.text)
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
