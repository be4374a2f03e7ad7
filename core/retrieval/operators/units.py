"""Amounts in several currencies or units: where one holds most of them, the others stand apart."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from core.domain.fields import WITH_UNITS
from core.domain.results import Documents, Unknown
from core.records.query.derived import RankedValue


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
    return found.model_copy(
        update={
            "present": found.present - frozenset(apart),
            "uncertain": found.uncertain | frozenset(apart),
            "unknown": found.unknown | apart,
            "order": tuple(id for id in found.order if id not in apart),
        }
    )
