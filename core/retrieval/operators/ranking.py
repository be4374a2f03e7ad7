"""The first rows in an order, and all that are equal to the last of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from typing import TypeVar

from core.domain.fields import TEXTS
from core.errors import UsageError
from core.records.query.evaluate import RankedValue

_Key = TypeVar("_Key", bound=Hashable)


def ordered(
    values: Mapping[_Key, RankedValue], field: str, *, descending: bool, limit: int | None
) -> tuple[list[_Key], list[_Key]]:
    """Keys by value, the first of them (with ties), and the others; equal ones in the order given.

    Raises UsageError where the values are of several currencies, units or types.
    """
    _require_one_kind(list(values.values()), field)
    keys = sorted(values, key=lambda key: _rank(values[key]), reverse=descending)  # stable either way
    count = cut([_rank(values[key]) for key in keys], limit)
    return keys[:count], keys[count:]


def behind(keys: Sequence[_Key], values: Mapping[_Key, RankedValue], skip: int) -> list[_Key]:
    """The keys, in order, from the value that comes `skip` different ones behind the first."""
    places = list(dict.fromkeys(_rank(values[key]) for key in keys))
    left = set(places[:skip])
    return [key for key in keys if _rank(values[key]) not in left]


def cut(ranks: Sequence[object], limit: int | None) -> int:
    """Number of these: the first `limit` with all that are equal to the last of them."""
    if limit is None or limit >= len(ranks):
        return len(ranks)
    count = max(limit, 0)
    while 0 < count < len(ranks) and ranks[count] == ranks[count - 1]:
        count += 1
    return count


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
