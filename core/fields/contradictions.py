"""Statements of one thing held against one another: which differ at one time, and which later one decides."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal

from core.domain.certainty.contradiction import (
    ContradictionState,
    StatingDocument,
    ValueContradiction,
    ValueStatement,
)
from core.domain.fields import NUMBER_SCALE, FieldType, TypedValue
from core.fields.typed import same
from core.values.names import same_party
from core.values.units import convert, unit_name

_MOST_SIDES = 8
_MOST_WORDS = 4  # longer texts are worded by their writers: that they differ says nothing
_ROUNDED = (FieldType.NUMBER, FieldType.MONEY)
_MONTH = 0.02  # a month is 28 to 31 days
_LAST, _NOUGHT = "9999", Decimal(0)


def differ(one: TypedValue, other: TypedValue) -> bool:
    """True where two values cannot both be right: of one type, and neither of them is the other rounded."""
    if one.special or other.special or one.type is not other.type or same(one, other):
        return False
    if one.amount is None or other.amount is None:
        return _texts_differ(one, other)
    if one.type is FieldType.MONEY and one.unit and other.unit and one.unit != other.unit:
        return True
    if one.type is FieldType.NUMBER and one.unit != other.unit:
        converted = convert(other.decimal or _NOUGHT, unit_name(other.unit), unit_name(one.unit))
        if not one.unit or not other.unit or converted is None:
            return False  # another quantity
        other = replace(other, amount=int(converted[0].scaleb(NUMBER_SCALE)), unit=one.unit)
    first, second = one.amount, other.amount or 0
    apart = abs(first - second)
    if one.type is FieldType.DURATION and ("M" in one.text) != ("M" in other.text):
        return apart > _MONTH * max(first, second)
    return apart > (max(_last_digit(one), _last_digit(other)) / 2 if one.type in _ROUNDED else 0)


def judged(thing: str, about: str, title: str, group: Sequence[ValueStatement]) -> ValueContradiction | None:
    """The contradiction among statements of one thing; None where all that hold at one time agree.

    Facts are held against one another first; with guesses it is only possible.
    """
    facts = [each for each in group if each.is_fact]
    found = _of(facts)
    if (found is None or found[1]) and len(facts) < len(group):
        guessed = _of(group)
        if guessed is not None and not guessed[1]:
            return ValueContradiction(thing, about, title, guessed[0], ContradictionState.POSSIBLE)
    if found is None:
        return None
    sides, is_resolved = found
    state = ContradictionState.RESOLVED if is_resolved else ContradictionState.OPEN
    return ValueContradiction(thing, about, title, sides, state)


def _of(group: Sequence[ValueStatement]) -> tuple[tuple[ValueStatement, ...], bool] | None:
    """Sides that differ, and whether the last one decides."""
    ordered = sorted(group, key=lambda each: (_begin(each.document), each.document.name, each.document.id))
    latest = _Latest(ordered)
    current = [each for each in ordered if latest.over(each.document) is None]
    sides = _sides(current)
    if len(sides) > 1:
        return sides, False
    if not sides:
        return None
    last = sides[0]
    older = [
        each
        for each in ordered
        if (by := latest.over(each.document)) is not None
        and not (each.document.until and each.document.until < by.since)
        and differ(each.value, last.value)
    ]
    return ((*_sides(older), last), True) if older else None


class _Latest:
    """The newest document of each schema, and the newest amendment: what takes the place of older ones."""

    def __init__(self, ordered: Sequence[ValueStatement]) -> None:
        self._of = {each.document.schema: each.document for each in ordered}
        self._amendment = next((each.document for each in reversed(ordered) if each.document.amends), None)

    def over(self, document: StatingDocument) -> StatingDocument | None:
        """The document that takes the place of this one; None where it holds."""
        if document.once:
            return None
        for each in (self._amendment, self._of[document.schema]):
            is_dated = bool(document.since) or (each is not None and each.amends and not document.amends)
            if each is not None and is_dated and _begin(each) > _begin(document):
                return each
        return None


def _begin(document: StatingDocument) -> tuple[str, bool]:
    return document.since or (_LAST if document.amends else ""), document.amends


def _sides(group: Sequence[ValueStatement]) -> tuple[ValueStatement, ...]:
    """One statement of each value, in order; facts before guesses that say the same."""
    found: list[ValueStatement] = []
    for each in sorted(group, key=lambda each: not each.is_fact):
        if len(found) < _MOST_SIDES and all(differ(each.value, known.value) for known in found):
            found.append(each)
    return tuple(sorted(found, key=lambda each: _begin(each.document)))


def _texts_differ(one: TypedValue, other: TypedValue) -> bool:
    if one.type is FieldType.PARTY:
        return not same_party(one.text, other.text)
    first, second = (set((each.normal or each.text).casefold().split()) for each in (one, other))
    return max(len(first), len(second)) <= _MOST_WORDS and not (first <= second or second <= first)


def _last_digit(value: TypedValue) -> float:
    """Worth of one in the last digit that is written: 100,000 of "1.2 million"; 0 where none is written."""
    digits = int("".join(each for each in value.original if each.isdecimal())[:18] or 0)
    return abs(value.amount or 0) / digits if digits else 0.0
