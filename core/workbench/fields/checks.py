"""Checks of a field by people: how often what was decided, or guessed, is what a person found."""

from __future__ import annotations

from collections.abc import Iterable

from core.domain.certainty.guess import guesses_of
from core.domain.certainty.share import CheckedShare
from core.domain.facts import FieldQuality
from core.domain.fields import Cell, CellStatus, Finding, TypedValue
from core.domain.matrix import FieldCounts

_DECIDED = (CellStatus.PRESENT, CellStatus.ABSENT)


def quality_of(field: str, counts: FieldCounts, reviewed: Iterable[Cell]) -> FieldQuality:
    """Quality of one field. reviewed: its cells that a person decided and that stand."""
    decided = guessed = right = right_guesses = 0
    for cell in reviewed:
        said, found = cell.extracted, cell.finding
        if said is None or found.status not in _DECIDED:
            continue
        if said.status in _DECIDED:
            decided += 1
            right += is_same(said, found)
        elif guesses := guesses_of(said):
            guessed += 1
            right_guesses += _is_guessed(guesses[0].value, found)
    statuses = counts.statuses
    return FieldQuality(
        field,
        counts.total,
        sum(statuses.get(status, 0) for status in _DECIDED),
        counts.guessed,
        statuses.get(CellStatus.UNREADABLE, 0),
        counts.pending,
        CheckedShare(right, decided),
        CheckedShare(right_guesses, guessed),
    )


def is_same(first: Finding, second: Finding) -> bool:
    """True where two findings say the same: the same status, and the same values in any order."""
    if first.status is not second.status:
        return False
    return {_key(each) for each in first.values} == {_key(each) for each in second.values}


def _is_guessed(value: TypedValue, found: Finding) -> bool:
    """True where a person found what was guessed: that value, or of a clause guessed missing nothing."""
    if found.status is CellStatus.ABSENT:
        return value.text == "false" and value.amount == 0
    return _key(value) in {_key(each) for each in found.values}


def _key(value: TypedValue) -> tuple[str, str, str]:
    return (" ".join((value.normal or value.text).split()).casefold(), value.unit, value.special.value)
