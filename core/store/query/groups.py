"""From exact integers, as SQL gives them for each group, type and unit, to the value of each group."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal, localcontext
from typing import Any

from core.domain.annotation import NO_DAY, AggregateGroup, Calculation, ConvertedAmount
from core.domain.fields import MONEY_SCALE, NUMBER_SCALE, FieldType
from core.errors import UsageError

_PRECISION = 80  # digits: more than any sum has, so nothing is rounded but a quotient
_AVERAGE_DIGITS = 28
_SEPARATOR = "\x1f"
_SCALES = {FieldType.MONEY: MONEY_SCALE, FieldType.NUMBER: NUMBER_SCALE, FieldType.DURATION: NUMBER_SCALE}


@dataclass(frozen=True, slots=True)
class GroupValues:
    """Values of one type and unit in one group, as SQL gives them.

    low, high: amounts, of texts the key and behind it the text. values: the middle ones, or all of them.
    documents: of the whole group, where rates put several units into it. day: of whose rate amounts are, 0
    for the latest.
    """

    key: tuple[str, ...]
    name: tuple[str, ...]
    type: FieldType
    unit: str
    rows: int
    documents: int
    total: int
    low: Any
    high: Any
    values: tuple[int, ...] = ()
    day: int = 0


@dataclass(frozen=True, slots=True)
class Exchange:
    """Units converted into one. worth: of one of a unit on a day, None where nothing says it."""

    into: str
    worth: Callable[[str, int], Decimal | None]


def make_groups(
    parts: Sequence[GroupValues], aggregate: Calculation, field: str, exchange: Exchange | None = None
) -> list[AggregateGroup]:
    """The groups by name. Raises UsageError where one mixes types, or units without a rate for each."""
    by_key: dict[tuple[str, ...], list[GroupValues]] = {}
    for part in parts:
        by_key.setdefault(part.key, []).append(part)
    if any(len(found) > 1 for found in by_key.values()):
        _require_rates(parts, field, exchange)
    with localcontext(prec=_PRECISION):
        groups = [_group(found, aggregate, field, exchange) for found in by_key.values()]
    return sorted(groups, key=lambda group: group.key)


def _group(
    parts: Sequence[GroupValues], aggregate: Calculation, field: str, exchange: Exchange | None
) -> AggregateGroup:
    first = parts[0]
    name = min(part.name for part in parts)
    rows, documents = sum(part.rows for part in parts), first.documents
    if exchange is not None:
        _require_rates(parts, field, exchange)
    unit = exchange.into if exchange is not None else first.unit
    if first.type is FieldType.DURATION:
        unit = "days"
    if first.type is FieldType.TEXT:
        found = str(first.low if aggregate is Calculation.MIN else first.high)
        return AggregateGroup(name, found.partition(_SEPARATOR)[2], "", rows, documents)
    if first.type is FieldType.DATE:
        return AggregateGroup(name, _day(parts, aggregate), "", rows, documents)
    measured = _plain(_measured(parts, aggregate, exchange), aggregate)
    own = _by_unit(parts, aggregate, exchange) if exchange is not None else ()
    return AggregateGroup(name, measured, unit, rows, documents, own)


def _by_unit(
    parts: Sequence[GroupValues], aggregate: Calculation, exchange: Exchange
) -> tuple[ConvertedAmount, ...]:
    found = []
    for unit in sorted({part.unit for part in parts}):
        some = [part for part in parts if part.unit == unit]
        before, after = (_plain(_measured(some, aggregate, e), aggregate) for e in (None, exchange))
        days = tuple(sorted({part.day for part in some}))
        undated = sum(part.rows for part in some if part.day == NO_DAY and unit != exchange.into)
        rows = sum(part.rows for part in some)
        found.append(ConvertedAmount(unit, before, after, rows, days, undated))
    return tuple(found)


def _measured(parts: Sequence[GroupValues], aggregate: Calculation, exchange: Exchange | None) -> Decimal:
    rows = sum(part.rows for part in parts)

    def exact(part: GroupValues, amount: int) -> Decimal:
        worth = None if exchange is None else exchange.worth(part.unit, part.day)
        own = Decimal(amount).scaleb(-_SCALES.get(part.type, 0))
        return own if worth is None else own * worth

    if aggregate is Calculation.MIN:
        return min(exact(part, amount) for part in parts for amount in (part.low, part.high))
    if aggregate is Calculation.MAX:
        return max(exact(part, amount) for part in parts for amount in (part.low, part.high))
    if aggregate is Calculation.MEDIAN:
        values = sorted(exact(part, amount) for part in parts for amount in part.values)
        low, high = values[(len(values) - 1) // 2], values[len(values) // 2]
        return (low + high) / 2
    total = sum((exact(part, part.total) for part in parts), Decimal(0))
    return total / rows if aggregate is Calculation.AVG else total


def _day(parts: Sequence[GroupValues], aggregate: Calculation) -> str:
    """The first, the last, or the (lower) middle date."""
    if aggregate is Calculation.MEDIAN:
        values = sorted(value for part in parts for value in part.values)
        return date.fromordinal(values[(len(values) - 1) // 2]).isoformat()
    found = [part.low if aggregate is Calculation.MIN else part.high for part in parts]
    return date.fromordinal(min(found) if aggregate is Calculation.MIN else max(found)).isoformat()


def _plain(value: Decimal, aggregate: Calculation) -> Decimal:
    """Without zeros at the end; a quotient that does not end has 28 digits."""
    if aggregate is Calculation.AVG:
        with localcontext(prec=_AVERAGE_DIGITS):
            value = +value
    shorter = value.normalize()
    return shorter.quantize(Decimal(1)) if shorter == shorter.to_integral_value() else shorter


def _require_rates(parts: Sequence[GroupValues], field: str, exchange: Exchange | None) -> None:
    """Raises UsageError that names the units and how many rows have each."""
    types = {part.type for part in parts}
    units: dict[str, int] = {}
    for part in parts:
        name = part.unit or (part.type.value if len(types) > 1 else "no unit")
        units[name] = units.get(name, 0) + part.rows
    lacking = sorted(
        {part.unit for part in parts if exchange is None or exchange.worth(part.unit, part.day) is None}
    )
    if len(types) == 1 and not lacking:
        return
    named = ", ".join(
        f"{unit} ({rows:,} {'value' if rows == 1 else 'values'})" for unit, rows in sorted(units.items())
    )
    if len(types) > 1:
        raise UsageError(
            f"{field!r} mixes {named}, which cannot be computed with together.",
            next_step="Choose one of them with a condition on the field.",
        )
    raise UsageError(
        f"{field!r} holds {named}, which cannot be added or compared without a rate"
        + (
            f"; there is none for {', '.join(unit or 'no unit' for unit in lacking)}."
            if exchange is not None
            else "."
        ),
        next_step=f"State a rate for each and the unit to end in, or group by '{field}.unit'.",
    )
