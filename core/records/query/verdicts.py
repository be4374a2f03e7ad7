"""Verdicts on documents under conditions, three-valued, and how they are joined."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from core.domain.results import Unknown
from core.records.query.sources import UNREADABLE

_Key = TypeVar("_Key")


@dataclass(slots=True)
class Verdicts:
    """Documents by whether a condition holds; of those not known, why. What is in none is not asked."""

    holds: set[str] = field(default_factory=set)
    fails: set[str] = field(default_factory=set)
    unknown: dict[str, Unknown] = field(default_factory=dict)

    @property
    def asked(self) -> set[str]:
        """All of which something is said."""
        return self.holds | self.fails | self.unknown.keys()


def any_of(alternatives: Sequence[Verdicts]) -> Verdicts:
    """A disjunction, of those asked for any: what holds by one holds, else it is unknown where one is."""
    if len(alternatives) == 1:
        return alternatives[0]
    asked = set[str]().union(*(each.asked for each in alternatives))
    holds = set[str]().union(*(each.holds for each in alternatives))
    unknown = _first_reasons(alternatives, asked - holds)
    return Verdicts(holds, asked - holds - unknown.keys(), unknown)


def all_of(clauses: Sequence[Verdicts]) -> Verdicts:
    """A conjunction, of those asked for all: what fails by one fails, else it is unknown where one is."""
    asked = set.intersection(*(each.asked for each in clauses))
    fails = set[str]().union(*(each.fails for each in clauses)) & asked
    unknown = _first_reasons(clauses, asked - fails)
    return Verdicts(asked - fails - unknown.keys(), fails, unknown)


def _first_reasons(of: Iterable[Verdicts], within: set[str]) -> dict[str, Unknown]:
    """Reasons why documents are not known: that one cannot be read, else the first by name."""
    found: dict[str, Unknown] = {}
    for each in of:
        for id in each.unknown.keys() & within:
            why = each.unknown[id]
            if id not in found or _weight(why) < _weight(found[id]):
                found[id] = why
    return found


def _weight(why: Unknown) -> tuple[bool, str, str]:
    return why.reason != UNREADABLE, why.field, why.reason


def stand_in(groups: dict[_Key, set[str]], stand_ins: Mapping[str, str], of: set[str]) -> None:
    """Put each document for which another one stands into the group of that one."""
    moved = {id: other for id, other in stand_ins.items() if id in of}
    if not moved:
        return
    places = {other: key for key, ids in groups.items() for other in ids & set(moved.values())}
    for ids in groups.values():
        ids.difference_update(moved)
    for id, other in moved.items():
        if other in places:
            groups[places[other]].add(id)
