"""Derived conditions: on the unit of an amount, or on the values of two fields against each other."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any, TypeVar

from core.domain.fields import TEXTS, FieldType, TypedValue
from core.domain.predicate import COMPARISONS, Operator, Predicate
from core.domain.results import Unknown
from core.errors import UsageError
from core.store.query.sources import MISSING, NOT_ASKED, PRESENT, UNREADABLE
from core.values.canonical import read_value
from core.values.dates import add_months
from core.values.durations import months_and_days

UNIT = ".unit"
"""Behind the name of a field: the currency or unit of its amounts."""


@dataclass(frozen=True, slots=True)
class RankedValue:
    """The first value of a field in a document: what documents are ordered by."""

    document: str
    type: FieldType
    unit: str
    amount: int | None
    text: str
    key: str


States = Mapping[str, set[str]]
Ranked = Callable[[str], list[RankedValue]]


def is_derived(predicate: Predicate) -> bool:
    """True where a condition is on more, or less, than the values of one field."""
    return bool(predicate.others) or predicate.field.endswith(UNIT)


def judged_derived(predicate: Predicate, states: Callable[[str], States], ranked: Ranked) -> Verdicts:
    """Verdict of such a condition on each document that is asked for its fields. Raises UsageError."""
    if predicate.others:
        return _by_two(predicate, states, ranked)
    return _by_unit(predicate, states, ranked)


def _by_unit(predicate: Predicate, states: Callable[[str], States], ranked: Ranked) -> Verdicts:
    """The currency or unit that a document states a field in; one that states no value has none."""
    name = predicate.field.removesuffix(UNIT)
    wanted = {value if isinstance(value, str) else value.text for value in predicate.values}
    if predicate.operator not in (Operator.EQUAL, Operator.NOT_EQUAL, Operator.IN) or not wanted:
        raise UsageError(
            f"{predicate.operator.value!r} does not compare units.",
            next_step="Use one of = != in, with a unit.",
        )
    units = {each.document: each.unit for each in ranked(name)}
    found = Verdicts()
    for state, ids in states(name).items():
        if state == NOT_ASKED:
            continue
        if state == MISSING:
            found.fails |= ids
            continue
        if state != PRESENT:
            found.unknown |= dict.fromkeys(ids, Unknown(field=name, reason=state))
            continue
        for id in ids:
            if id not in units:
                found.unknown[id] = Unknown(field=name, reason="no value to compare")
            elif (units[id] in wanted) is (predicate.operator is not Operator.NOT_EQUAL):
                found.holds.add(id)
            else:
                found.fails.add(id)
    return found


def _by_two(predicate: Predicate, states: Callable[[str], States], ranked: Ranked) -> Verdicts:
    """Verdict on each document that is asked for both fields. Raises UsageError.

    Where one of them is known to be stated nowhere, it does not hold; one that is not known leaves it open.
    """
    if len(predicate.others) != 1:
        raise UsageError(
            f"The condition on {predicate.field!r} compares with more than one other field.",
            next_step="Compare with another field, or with what lies between the two, and not with both.",
        )
    test = _between(predicate) if predicate.minus else against(predicate)
    other = predicate.others[0]
    of_first, of_second = _by_document(states(predicate.field)), _by_document(states(other))
    first = {each.document: each for each in ranked(predicate.field)}
    second = {each.document: each for each in ranked(other)}
    found = Verdicts()
    for id in of_first.keys() & of_second.keys():
        known = ((predicate.field, of_first[id]), (other, of_second[id]))
        if any(state == NOT_ASKED for _, state in known):
            continue
        if any(state == MISSING for _, state in known):
            found.fails.add(id)
            continue
        open_ = next(((name, state) for name, state in known if state != PRESENT), None)
        if open_ is None and (id not in first or id not in second):
            open_ = (predicate.field if id not in first else other, "no value to compare")
        if open_ is not None:
            found.unknown[id] = Unknown(field=open_[0], reason=open_[1])
            continue
        verdict = test(first[id], second[id])
        if isinstance(verdict, str):
            found.unknown[id] = Unknown(field=predicate.field, reason=verdict)
        else:
            (found.holds if verdict else found.fails).add(id)
    return found


def _by_document(states: States) -> dict[str, str]:
    return {id: state for state, ids in states.items() for id in ids}


def against(predicate: Predicate) -> Callable[[RankedValue, RankedValue], bool | str]:
    """One value against the other; amounts only where both are in one unit."""
    sign = _sign(predicate)

    def test(first: RankedValue, second: RankedValue) -> bool | str:
        if first.type in TEXTS and second.type in TEXTS:
            return sign(first.key, second.key)
        if first.type is not second.type or first.amount is None or second.amount is None:
            return "of another kind than the other field"
        if first.unit != second.unit:
            return f"in {first.unit or 'no unit'}, not in {second.unit or 'no unit'}"
        return sign(first.amount, second.amount)

    return test


def _between(predicate: Predicate) -> Callable[[RankedValue, RankedValue], bool | str]:
    """The time from the second date to the first, the last day included: a calendar year is one year."""
    lengths = [_length(predicate, value) for value in predicate.values]
    is_range = predicate.operator is Operator.BETWEEN
    if len(lengths) != (2 if is_range else 1):
        raise UsageError(
            f"The condition on {predicate.field!r} needs another number of lengths of time.",
            next_step="Write one, such as 18 months, or two for a range.",
        )
    sign = operator.eq if is_range else _sign(predicate)

    def test(first: RankedValue, second: RankedValue) -> bool | str:
        if FieldType.DATE not in (first.type, second.type) or first.type is not second.type:
            return "no date"
        if first.amount is None or second.amount is None:
            return "no date to compare"
        try:
            ends = [add_months(date.fromordinal(second.amount), *each).toordinal() for each in lengths]
        except (ValueError, OverflowError):
            return "beyond the calendar"
        day = first.amount + 1
        return ends[0] <= day <= ends[1] if is_range else sign(day, ends[0])

    return test


def _length(predicate: Predicate, value: TypedValue | str) -> tuple[int, int]:
    typed = read_value(value, FieldType.DURATION) if isinstance(value, str) else value
    length = months_and_days(typed) if typed is not None else None
    if length is None:
        raise UsageError(
            f"{value!r} is no length of time that {predicate.field!r} could be compared with.",
            next_step="Write it as 18 months, or 60 days.",
        )
    return length


def _sign(predicate: Predicate) -> Callable[[Any, Any], bool]:
    sign = COMPARISONS.get(predicate.operator)
    if sign is None:
        raise UsageError(
            f"{predicate.operator.value!r} does not compare two fields.",
            next_step="Use one of = != > >= < <=.",
        )
    return sign


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
