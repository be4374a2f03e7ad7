"""Calculate: one value out of those of other nodes, exact."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from decimal import Decimal, InvalidOperation, localcontext

from core.domain.fields import FieldType
from core.domain.results import FoundValue, Groups, Result, Stopped
from core.plan.ir.nodes import Calculate
from core.plan.operators.base import OperatorParts, runs, value_of
from core.values.numbers import parse_number

_DIGITS = 28
_SHOWN = 6  # decimal places of a quotient
_NUMBERS = frozenset({FieldType.NUMBER, FieldType.MONEY, FieldType.DURATION})


@runs(Calculate)
def calculate(node: Calculate, inputs: Mapping[str, Result], parts: OperatorParts) -> FoundValue | Stopped:
    """The value; stops where an input has none, or where units differ."""
    if node.how in ("groups", "average", "total"):
        return _of_groups(node, inputs[node.inputs[0]])
    if node.how == "values":
        return _beside(node, inputs)
    values = []
    for at, name in enumerate(node.inputs):
        label = node.labels[at] if at < len(node.labels) else name
        given = inputs[name]
        if isinstance(given, Groups) and not any(group.value is not None for group in given.groups):
            return _stopped(node, f"“{label}” comes to no value: no row takes part.")
        values.append(value_of(given, label))
    return _calculated(node, values)


def _beside(node: Calculate, inputs: Mapping[str, Result]) -> FoundValue:
    """All values as one text, each behind what its side is called."""
    said = []
    for at, name in enumerate(node.inputs):
        label, given = node.labels[at] if at < len(node.labels) else name, inputs[name]
        is_none = isinstance(given, Groups) and not any(group.value is not None for group in given.groups)
        value = None if is_none else value_of(given, label)
        said.append(f"{label}: {'none' if value is None else f'{value.text} {value.unit}'.strip()}")
    return FoundValue(kind=FieldType.TEXT, text="; ".join(said))


def _truth(holds: bool) -> FoundValue:
    return FoundValue(kind=FieldType.BOOLEAN, text="true" if holds else "false")


def _of_groups(node: Calculate, result: Result) -> FoundValue | Stopped:
    if not isinstance(result, Groups):
        return FoundValue(kind=FieldType.NUMBER, text="0")
    if node.how == "groups":
        return FoundValue(kind=FieldType.NUMBER, text=str(len(result.groups)), field=result.field)
    texts = [group.value for group in result.groups if group.value is not None]
    try:
        values = [Decimal(text) for text in texts]
    except InvalidOperation:
        return _stopped(node, "The groups have values that are no numbers.")
    units = {group.unit for group in result.groups if group.value is not None}
    if not values or len(units) > 1:
        return _stopped(node, "The groups have no values of one unit.")
    with localcontext(prec=_DIGITS):
        total = sum(values, Decimal(0))
        made = total / len(values) if node.how == "average" else total
    kind = "number" if result.function in ("count", "distinct") else result.value_type
    return FoundValue(kind=kind, text=_plain(made), unit=units.pop(), field=result.field)


def _calculated(node: Calculate, values: list[FoundValue]) -> FoundValue | Stopped:
    numbers = [number_in(value, values[0]) for value in values]
    if any(each is None for each in numbers):
        return _in_several(node, values)
    known = [each for each in numbers if each is not None]
    first, kind, unit, field = known[0], values[0].kind, values[0].unit, values[0].field
    if node.how in ("greatest", "least"):
        best = max(known) if node.how == "greatest" else min(known)
        named = [label for label, value in zip(node.labels, known, strict=False) if value == best]
        return FoundValue(kind=FieldType.TEXT, text=" and ".join(named), field=field)
    if node.how == "equal":
        return _truth(len(set(known)) == 1)
    if node.how in ("more", "less"):
        return _truth(first > known[1] if node.how == "more" else first < known[1])
    if node.how == "all":
        return _truth(first == known[1] and known[1] > 0)
    if node.how in ("difference", "gap", "sum"):
        made = sum(known, Decimal(0)) if node.how == "sum" else first - known[1]
        is_day = kind == FieldType.DATE
        made = abs(made) if node.how == "gap" or is_day else made
        shown = FieldType.NUMBER if is_day or kind == FieldType.DURATION else kind
        return FoundValue(kind=shown, text=_plain(made), unit="days" if is_day else unit, field=field)
    if not known[1]:
        return _stopped(node, "What it is divided by is 0.")
    with localcontext(prec=_DIGITS):
        if node.how == "ratio":
            return FoundValue(kind=FieldType.NUMBER, text=_plain(first / known[1]), field=field)
        part = first - known[1] if node.how == "change" else first
        share = 100 * part / (abs(known[1]) if node.how == "change" else known[1])
        return FoundValue(kind=FieldType.NUMBER, text=_plain(share), unit="%", field=field)


def number_in(value: FoundValue, other: FoundValue) -> Decimal | None:
    """A value as a number in the unit of another; None where they have none in common."""
    if value.kind != other.kind:
        return None
    if value.kind == FieldType.DATE:
        return Decimal(date.fromisoformat(value.text).toordinal())
    if value.kind not in _NUMBERS:
        return None
    if value.unit == other.unit:
        try:
            return Decimal(value.text)
        except InvalidOperation:
            return None  # a length of time
    of_unit = value.kind == FieldType.NUMBER and parse_number(f"{value.text} {value.unit}", other.unit)
    return Decimal(of_unit.text) if of_unit else None


def _in_several(node: Calculate, values: list[FoundValue]) -> Stopped:
    said = " and ".join(dict.fromkeys(value.unit or value.kind for value in values))
    return _stopped(node, f"What it is to be calculated of is in {said}, which have nothing in common.")


def _stopped(node: Calculate, reason: str) -> Stopped:
    return Stopped(node=node.id, reason=reason, next_step="Look at the rows, or ask for one of the two.")


def _plain(value: Decimal) -> str:
    """A number without zeros at its end; a quotient that does not end is rounded."""
    rounded = round(value, _SHOWN)
    return f"{rounded.normalize():f}" if rounded else "0"
