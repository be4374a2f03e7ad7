"""Values made of two columns of a row: a difference, a sum, days between, a product, a quotient; exact."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from decimal import Decimal, localcontext

from core.domain.annotation import AggregateGroup
from core.domain.fields import MONEY_SCALE, NUMBER_SCALE, TEXTS, FieldType
from core.plan.ir.node import Combined, ComputationNode
from core.records.query.derived import RankedValue

_SCALES = {FieldType.MONEY: MONEY_SCALE}
_DIGITS = 28
_SHOWN = 6  # decimal places of a quotient


def combined_value(
    how: Combined, one: RankedValue | None, other: RankedValue | None, scale: int = 1
) -> RankedValue | None:
    """What a row's two values come to together; None where either is no number, or is missing.

    Of "rest" and "plus" a row that says nothing of the other has none of it.
    """
    if how in ("rest", "plus") and (one is None or other is None):
        return one if how == "rest" or other is None else other
    if one is None or other is None or one.type in TEXTS or other.type in TEXTS:
        return None
    if FieldType.DATE in (one.type, other.type):
        return _between(one, other) if how == "less" and one.type is other.type else None
    left, right = _amount(one), _amount(other)
    if left is None or right is None:
        return None
    if how in ("less", "rest", "plus"):
        if one.unit and other.unit and one.unit != other.unit:
            return None
        return _made(one, one.type, one.unit, left + right if how == "plus" else left - right)
    if how == "times":
        kind = FieldType.MONEY if FieldType.MONEY in (one.type, other.type) else FieldType.NUMBER
        return _made(one, kind, unit_of_product(one, other), left * right)
    if not right:
        return None
    with localcontext(prec=_DIGITS):
        return _made(one, FieldType.NUMBER, unit_of_quotient(one, other, scale), left / right * scale)


def quotients(
    node: ComputationNode,
    members: Mapping[tuple[str, ...], Sequence[int]],
    ones: Sequence[RankedValue | None],
    others: Sequence[RankedValue | None],
) -> list[AggregateGroup]:
    """For each group the sum of one column by that of the other, over the rows that have both.

    Where a group's amounts are in several units there is no value: they are never added up.
    """
    found = []
    for key, taken in sorted(members.items()):
        pairs = [(one, other) for at in taken if (one := ones[at]) and (other := others[at])]
        amounts = [(_amount(one), _amount(other)) for one, other in pairs]
        known = [(left, right) for left, right in amounts if left is not None and right is not None]
        below = sum((right for _, right in known), Decimal(0))
        value = None
        units = {(one.unit, other.unit) for one, other in pairs}
        if below and len(units) == 1:
            with localcontext(prec=_DIGITS):
                above = sum((left for left, _ in known), Decimal(0))
                value = round(above / below * node.scale, _SHOWN).normalize()
        unit = unit_of_quotient(*pairs[0], node.scale) if len(units) == 1 else ""
        found.append(AggregateGroup(key, value, unit, len(known), 0))
    return found


def unit_of_product(one: RankedValue, other: RankedValue) -> str:
    """kg/hl times hl is kg; money times pieces stays money."""
    for rate, of in ((one.unit, other.unit), (other.unit, one.unit)):
        above, slash, below = rate.partition("/")
        if slash and below.strip() == of.strip():
            return above.strip()
    money = [each.unit for each in (one, other) if each.type is FieldType.MONEY]
    return money[0] if money else ""


def unit_of_quotient(one: RankedValue, other: RankedValue, scale: int) -> str:
    """l by km is l/km, or l/100 km."""
    if not one.unit or not other.unit or one.unit == other.unit:
        return one.unit if not other.unit else ""
    return f"{one.unit}/{scale} {other.unit}" if scale > 1 else f"{one.unit}/{other.unit}"


def _between(one: RankedValue, other: RankedValue) -> RankedValue | None:
    try:
        days = (date.fromisoformat(one.text) - date.fromisoformat(other.text)).days
    except ValueError:
        return None
    return _made(one, FieldType.NUMBER, "days", Decimal(days))


def _amount(value: RankedValue) -> Decimal | None:
    if value.amount is None:
        return None
    return Decimal(value.amount).scaleb(-_SCALES.get(value.type, NUMBER_SCALE))


def _made(of: RankedValue, kind: FieldType, unit: str, value: Decimal) -> RankedValue:
    amount = round(value.scaleb(_SCALES.get(kind, NUMBER_SCALE)))
    return RankedValue(of.document, kind, unit, amount, f"{value:f}", "")
