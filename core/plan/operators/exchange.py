"""Amounts in one currency, by the rates that an admin set, and what is to be said of it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from decimal import ROUND_HALF_EVEN, Decimal, localcontext

from core.domain.annotation import NO_DAY, NO_RATE, Accounting
from core.domain.fields import MONEY_SCALE, FieldType
from core.domain.results import Conversion, Unknown, UsedRate
from core.store.query.derived import RankedValue

_PRECISION = 60
_FINER = 20  # digits more than money is kept with, by which converted amounts are ordered
_CENT = Decimal("0.01")


def cents(amount: Decimal) -> str:
    """An amount as it is told once it was converted: rounded to cents, half to even."""
    with localcontext(prec=_PRECISION):
        return f"{amount.quantize(_CENT, ROUND_HALF_EVEN):f}"


def conversion_of(
    accounting: Accounting, into: str, pairs: Iterable[tuple[str, int]], undated: int
) -> Conversion:
    """The rates by which amounts were converted, of the currency that they end in, too; none of the base.

    pairs: currencies and the days (ordinals) whose rates were taken; undated: amounts by the latest rate.
    """
    needed = {(currency, day) for unit, day in pairs if unit != into for currency in (unit, into)}
    used = {accounting.of(*each) for each in needed if each[0] != accounting.base} - {None}
    rates = sorted((e for e in used if e), key=lambda e: (e.currency, e.day))
    return Conversion(
        into=into,
        base=accounting.base,
        rates=tuple(
            UsedRate(currency=e.currency, rate=f"{e.rate:f}", day=e.day.isoformat(), source=e.source)
            for e in rates
        ),
        dated_by=accounting.dated_by,
        undated=undated if accounting.dated_by else 0,
    )


def exchanged(
    values: Mapping[str, RankedValue],
    field: str,
    accounting: Accounting,
    into: str,
    days: Mapping[str, Sequence[RankedValue]],
) -> tuple[dict[str, RankedValue], dict[str, Unknown], Conversion]:
    """Values by document in one currency, those that have no rate, and the rates that were used.

    days: by the name of a date what documents state of it.
    """
    day_of: dict[str, int] = {}
    for name in accounting.dated_by:
        for each in days.get(name, ()):
            if each.type is FieldType.DATE and each.amount:
                day_of.setdefault(each.document, each.amount)
    found, left, amounts = dict[str, RankedValue](), dict[str, Unknown](), dict[str, str]()
    pairs = set[tuple[str, int]]()
    with localcontext(prec=_PRECISION):
        for id, value in values.items():
            day = day_of.get(id, NO_DAY)
            own = Decimal(value.amount or 0).scaleb(-MONEY_SCALE)
            worth = accounting.worth(own, value.unit, into, day) if value.type is FieldType.MONEY else None
            if worth is None:
                left[id] = without_rate(value, field, accounting)
                continue
            amounts[id] = cents(worth)
            pairs.add((value.unit, day))
            found[id] = replace(value, unit=into, amount=int(worth.scaleb(MONEY_SCALE + _FINER)))
    others = {id for id in found if values[id].unit != into}
    made = conversion_of(accounting, into, pairs, len(others - day_of.keys()))
    return found, left, made.model_copy(update={"amounts": amounts})


def without_rate(value: RankedValue, field: str, accounting: Accounting) -> Unknown:
    """Reason for an amount to take no part."""
    why = f"in {value.unit or 'no currency'}{NO_RATE}"
    if value.unit in accounting.currencies:
        why = f"in {value.unit}, of a day before the first rate"
    return Unknown(field=field, reason=why, value=f"{value.text} {value.unit}".strip())
