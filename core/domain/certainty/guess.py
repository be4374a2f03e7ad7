"""Best guesses: values that an undecided cell may have, each with its probability."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from core.domain.fields import Candidate, CellStatus, FieldType, Finding, Special, TypedValue

TIE = 0.005
"""Probabilities that differ by less than this read alike: two whole percentages show the same."""

_HEAD = "head"  # the method of clauses, whose candidates are places without values
_YES = TypedValue(FieldType.BOOLEAN, "true", 1)
_NO = TypedValue(FieldType.BOOLEAN, "false", 0)


@dataclass(frozen=True, slots=True)
class GuessedValue:
    """A value that an undecided cell may have.

    candidate: number, from 0, of the candidate that states it; None for "no", which nothing states.
    """

    value: TypedValue
    probability: float
    candidate: int | None = None


def guesses_of(finding: Finding) -> tuple[GuessedValue, ...]:
    """The values that an uncertain finding may amount to, the likeliest first; () where it names none.

    A clause is there or it is not. Of other fields each value counts once, with its share where candidates
    state several; places without a value and dates with two readings name none.
    """
    if finding.status is not CellStatus.UNCERTAIN or not finding.candidates:
        return ()
    first = finding.candidates[0]
    if _is_clause(first):
        sure = min(1.0, max(0.0, first.confidence))
        found = [GuessedValue(_YES, sure, 0), GuessedValue(_NO, 1.0 - sure)]
    else:
        found = _valued(finding.candidates)
    return tuple(sorted(found, key=lambda each: -each.probability))


def tied(guesses: Sequence[GuessedValue]) -> tuple[GuessedValue, ...]:
    """The guesses that are as likely as the best one; () where that stands alone."""
    level = [each for each in guesses if guesses[0].probability - each.probability < TIE]
    return tuple(level) if len(level) > 1 else ()


def _is_clause(candidate: Candidate) -> bool:
    if candidate.value is None:
        return candidate.method == _HEAD
    return candidate.value.type is FieldType.BOOLEAN


def _valued(candidates: Sequence[Candidate]) -> list[GuessedValue]:
    """Each value once, with the surest of its candidates; all together at most 1."""
    surest: dict[tuple[str, str, str], GuessedValue] = {}
    for number, each in enumerate(candidates):
        value = each.value
        if value is None or value.special is Special.AMBIGUOUS:
            continue
        key = (_key(value), value.unit, value.special.value)
        known = surest.get(key)
        if known is None or each.confidence > known.probability:
            place = number if known is None else known.candidate
            surest[key] = GuessedValue(value if known is None else known.value, each.confidence, place)
    total = max(1.0, sum(each.probability for each in surest.values()))
    return [GuessedValue(each.value, each.probability / total, each.candidate) for each in surest.values()]


def _key(value: TypedValue) -> str:
    return " ".join((value.normal or value.text).split()).casefold()
