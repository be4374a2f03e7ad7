"""Values of conditions as a person writes them, read as they are in documents."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from core.domain.fields import FieldType, Special, TypedValue
from core.domain.predicate import Operator, Predicate
from core.errors import UsageError
from core.records.query.readings import read_value

OF_TEXTS = frozenset({Operator.IS, Operator.MISSING, Operator.CONTAINS, Operator.MATCHES})
"""Operators whose values are never of a field's type."""


def typed_predicate(predicate: Predicate, kinds: Sequence[FieldType]) -> Predicate:
    """A condition with its values typed as the field's values are, also where a person wrote them freely.

    "$3.5 million" and "Dec 31, 2024" are read as they are in documents. What cannot be read stays a text.
    Raises UsageError for a date that could be two.
    """
    if predicate.operator in OF_TEXTS:
        return predicate
    values = tuple(_typed(value, kinds) for value in predicate.values)
    return replace(predicate, value=values) if values != predicate.values else predicate


def _typed(value: TypedValue | str, kinds: Sequence[FieldType]) -> TypedValue | str:
    if isinstance(value, TypedValue):
        return value
    # A plain text is left to records where it reads as any of the types: several may have to be tried.
    if any(kind is not FieldType.NUMBER and read_value(value, kind) is not None for kind in kinds):
        return value
    for kind in kinds:
        reader = _readers().get(kind)
        read = reader(value.strip()) if reader is not None else None
        if read is None or read.original.strip() != value.strip():
            continue
        if read.special is Special.AMBIGUOUS:
            raise UsageError(
                f"The date {value!r} can be read as {' or '.join(read.text.split('/'))}.",
                next_step="Write it as year-month-day.",
            )
        return read
    return value


def converted(value: TypedValue, units: Sequence[str]) -> TypedValue:
    """A number in the first of the units that is of its kind, where it is in none of them: 500 g as .5 kg."""
    if value.type is not FieldType.NUMBER or value.unit in units:
        return value
    from core.values.numbers import parse_number

    written = f"{value.text} {value.unit}"
    found = (parse_number(written, unit) for unit in units if unit)
    return next((replace(each, original=value.original) for each in found if each is not None), value)


def _readers() -> dict[FieldType, Callable[[str], TypedValue | None]]:
    # Imported here: only conditions that nobody wrote canonically need them.
    from core.values.dates import parse_date
    from core.values.durations import parse_duration
    from core.values.money import parse_money
    from core.values.numbers import parse_number

    return {
        FieldType.DATE: parse_date,
        FieldType.MONEY: parse_money,
        FieldType.DURATION: parse_duration,
        FieldType.NUMBER: parse_number,
    }
