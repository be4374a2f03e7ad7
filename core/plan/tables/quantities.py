"""Numbers of a question by the columns that they may be compared with, and as conditions write them."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal, InvalidOperation

from core.domain.fields import FieldType
from core.plan.language.pieces import (
    Quantity,
)
from core.plan.tables.header import ColumnWords


def fits(quantity: Quantity, column: ColumnWords) -> bool:
    """True where a number may be compared with those of a column: money with money of its currency."""
    value, entry = quantity.value, column.entry
    if value.type is FieldType.MONEY:
        return entry.type is FieldType.NUMBER or value.unit in (entry.units or (entry.unit,))
    if value.type is FieldType.DURATION:
        return entry.type is FieldType.DURATION or any(
            word in column.words or word in column.unit for word in _length_words(value.original)
        )
    if value.unit == "%":
        return entry.unit in ("%", "")
    return entry.type in (FieldType.NUMBER, FieldType.MONEY, FieldType.DURATION)


def _length_words(text: str) -> set[str]:
    words = {word.rstrip("s") for word in text.casefold().split() if word.isalpha()}
    return words | {f"{word}s" for word in words}


def chief(columns: Sequence[ColumnWords]) -> ColumnWords | None:
    """Of several columns of money the one that says so."""
    named = [c for c in columns if {"amount", "total", "sum"} & set(c.words)]
    return named[0] if len(named) == 1 else None


def written(quantity: Quantity, column: ColumnWords | None) -> str:
    """A number as conditions have it: with the unit of its column, where it says none of its own."""
    value = quantity.value
    if column is None:
        return value.text
    if column.entry.type is FieldType.MONEY:
        unit = value.unit if value.type is FieldType.MONEY else column.entry.unit
        return f"{value.text} {unit}".strip()
    if value.type is FieldType.MONEY:
        return value.text
    if value.type is FieldType.DURATION:
        return value.original if column.entry.type is FieldType.DURATION else _leading_number(value.original)
    if not column.entry.unit and value.unit != "%":
        return value.text  # the cells say no unit: "below 0 degrees" is of plain numbers
    return f"{value.text} {value.unit}".strip() if value.unit and value.unit != "%" else value.text


def _leading_number(text: str) -> str:
    first = text.split()[0].replace(",", "")
    try:
        return f"{Decimal(first):f}"
    except InvalidOperation:
        return first
