"""Typed values as an answer gives them."""

from __future__ import annotations

from decimal import Decimal
from typing import Literal

from core.domain.answer import Value
from core.domain.fields import FieldType, TypedValue
from core.domain.value_text import shown

Type = Literal["number", "money", "date", "text", "boolean"]


def cell_value(value: TypedValue) -> Value | None:
    """A stored value as a direct answer; None where something stands in its place, such as a blank."""
    if value.special:
        return None
    if value.type is FieldType.DURATION:
        return Value(type="text", value=shown(value))
    return Value(type=_type_of(value.type.value), value=value.text, unit=value.unit or None)


def computed_value(text: str, unit: str, kind: str) -> Value:
    """A computed value as a direct answer; `kind` is the type of the values that it was computed of."""
    if kind == FieldType.DURATION:
        return Value(type="number", value=text, unit=unit or "days")
    if kind == FieldType.MONEY:
        amount = Decimal(text)
        places = max(2, -int(amount.as_tuple().exponent))  # cents are always written
        return Value(type="money", value=f"{amount:.{places}f}", unit=unit or None)
    return Value(type=_type_of(kind), value=text, unit=unit or None)


def _type_of(kind: str) -> Type:
    for known in ("number", "money", "date", "boolean"):
        if kind == known:
            return known
    return "text"
