"""Amounts of a question in the unit of the field that they are compared with."""

from __future__ import annotations

from core.domain.fields import FieldType, TypedValue
from core.plan.catalogue import FieldEntry
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
