"""The first rows in an order, and all that are equal to the last of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import TypeVar

from core.domain.fields import TEXTS, WITH_UNITS
from core.domain.results import Documents, Unknown
from core.errors import UsageError
from core.store.query.derived import RankedValue

_Key = TypeVar("_Key", bound=Hashable)


def ordered(
    values: Mapping[_Key, RankedValue], field: str, *, descending: bool, limit: int | None, skip: int = 0
) -> tuple[list[_Key], list[_Key]]:
    """Keys by value, the first of them (with ties), and the others; equal ones in the order given.

    skip: how many different values come before these, and are among the others.
    Raises UsageError where the values are of several currencies, units or types.
    """
    _require_one_kind(list(values.values()), field)
    keys = sorted(values, key=lambda key: _rank(values[key]), reverse=descending)  # stable either way
    left = _behind(keys, values, skip)
    first = left[: cut([_rank(values[key]) for key in left], limit)]
    chosen = set(first)
    return first, [key for key in keys if key not in chosen]


def cut(ranks: Sequence[object], limit: int | None) -> int:
    """Number of these: the first `limit` with all that are equal to the last of them."""
    if limit is None or limit >= len(ranks):
        return len(ranks)
    count = max(limit, 0)
    while 0 < count < len(ranks) and ranks[count] == ranks[count - 1]:
        count += 1
    return count


def _behind(keys: Sequence[_Key], values: Mapping[_Key, RankedValue], skip: int) -> list[_Key]:
    """The keys, in order, from the value that comes `skip` different ones behind the first."""
    places = list(dict.fromkeys(_rank(values[key]) for key in keys))
    left = set(places[:skip])
    return [key for key in keys if _rank(values[key]) not in left]


def _rank(value: RankedValue) -> tuple[int, str]:
    if value.type in TEXTS:
        return 0, value.key
    return value.amount or 0, ""


def _require_one_kind(values: Sequence[RankedValue], field: str) -> None:
    units: Counter[str] = Counter()
    for value in values:
        units["a text" if value.type in TEXTS else value.unit or value.type.value] += 1
    if len(units) > 1:
        named = ", ".join(f"{unit} ({count:,})" for unit, count in sorted(units.items()))
        raise UsageError(
            f"{field!r} holds {named}, which have no common order.",
            next_step=f"Choose one of them with a condition, such as {field!r} in {max(units)}.",
        )


def main_unit(values: Iterable[RankedValue]) -> str | None:
    """The unit of more than half of the values; None where there is no such, or they have no units."""
    units = Counter(each.unit if each.type in WITH_UNITS else None for each in values)
    for unit, count in units.most_common(1):
        return unit if unit and 2 * count > sum(units.values()) else None
    return None


def in_other_units(values: Mapping[str, RankedValue]) -> dict[str, Unknown]:
    """By document why it takes no part: its value is in another unit than most; {} where all are in one."""
    main = main_unit(values.values())
    if main is None:
        return {}
    return {
        id: Unknown(
            field="", reason=f"in {each.unit or 'no unit'}, not in {main}", value=f"{each.text} {each.unit}"
        )
        for id, each in values.items()
        if each.unit != main
    }


def set_apart(found: Documents, field: str, others: Mapping[str, Unknown]) -> Documents:
    """The documents without those in other units, of which it is not known whether they belong."""
    apart = {id: why.model_copy(update={"field": field}) for id, why in others.items() if id in found.present}
    if not apart:
        return found
    order = tuple(id for id in found.order if id not in apart)
    return found.keeping(found.present - apart.keys(), unknown=apart, order=order)
