"""Sides of a comparison: which spans are held beside each other, and which hold of all of them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from core.domain.fields import AMOUNTS, ORDERED, FieldType
from core.plan.reader.reading import SpanRole
from core.plan.reader.span_choice import ChosenSpan
from core.plan.reader.span_parts import SpanParts
from core.plan.reading import Function, Operation, Outcome, ReadField, Step
from core.text.nouns import is_plural

_OUTCOMES = {
    each.value: each for each in Outcome if each not in (Outcome.INTERSECT, Outcome.UNION, Outcome.WITHOUT)
}
_MOST_SIDES = 6


@dataclass(frozen=True, slots=True)
class Sides:
    """Spans that are held beside each other, one a side, and those that hold of all sides."""

    own: tuple[ChosenSpan, ...]
    shared: tuple[ChosenSpan, ...]


def sides_of(parts: SpanParts) -> Sides | None:
    """The sides of a comparison: documents, else values of one field, organisations, kinds, conditions.

    None where fewer than two are said.
    """
    choice = parts.choice
    every = choice.of(SpanRole.DOCUMENT, SpanRole.PARTY, SpanRole.KIND, SpanRole.VALUE, SpanRole.CONDITION)
    by_field: dict[str, list[ChosenSpan]] = defaultdict(list)
    for each in choice.of(SpanRole.VALUE):
        by_field[each.key].append(each)
    conditions = choice.of(SpanRole.CONDITION)
    amounts = [each for each in parts.asked_entries if each.type in AMOUNTS]
    if choice.is_rows and len(amounts) > 1 and not any(len(each) > 1 for each in by_field.values()):
        return None  # columns beside each other
    mixed = choice.of(SpanRole.VALUE, SpanRole.CONDITION)
    candidates: list[Sequence[ChosenSpan]] = [
        choice.of(SpanRole.DOCUMENT),
        *sorted(by_field.values(), key=len, reverse=True),
        choice.of(SpanRole.PARTY),
        conditions,
        choice.of(SpanRole.KIND),
        mixed[-2:],
    ]
    own = next((each for each in candidates if len(each) > 1), None)
    if own is None:
        return None
    own = tuple(own[:_MOST_SIDES])
    return Sides(own, tuple(each for each in every if each not in own))


def outcome_of(function: str) -> Outcome:
    """What is told of the sides, by the network's function of the question."""
    return Outcome.VALUES if function == Function.SHARE else _OUTCOMES.get(function, Outcome.VALUES)


def side_steps(parts: SpanParts, sides: Sides, first: int) -> list[Step]:
    """A step for each side: a figure of all that it and the shared spans say.

    first: the number from which on steps are called.
    """
    asked = parts.asked()
    function = _figure(parts, asked)
    is_listed = function is Function.SUM and sides.own[0].role is SpanRole.PARTY and not _adds_up(parts)
    operation = Operation.COUNT if function is Function.COUNT else Operation.COMPUTE
    operation = Operation.LIST if is_listed else operation
    is_share = parts.read.function == Function.SHARE
    made: list[Step] = []
    for number, side in enumerate(sides.own, first):
        spans = sorted((side, *sides.shared), key=lambda each: each.span.start)
        conditions = [each for each in spans if each.role in (SpanRole.VALUE, SpanRole.CONDITION)]
        made.append(
            Step(
                id=f"s{number}",
                operation=operation,
                kind=parts.choice.kind,
                is_rows=parts.choice.is_rows,
                tables=parts.tables,
                names=parts.names(spans),
                conditions=parts.conditions(conditions),
                asked=asked if function is not Function.COUNT and not is_listed else (),
                function=Function.SHARE if is_share else Function.NONE if is_listed else function,
            )
        )
    return made


def _adds_up(parts: SpanParts) -> bool:
    """True where amounts of a side are summed up, and no single ones are asked for: "compare the caps"."""
    is_listed = not parts.choice.is_rows and parts.read.function in ("", Outcome.VALUES)
    words = (word for each in parts.choice.of(SpanRole.ASKED) for word in parts.text(each).split())
    return not is_listed or not any(is_plural(word.casefold()) for word in words)


def _figure(parts: SpanParts, asked: Sequence[ReadField]) -> Function:
    """What each side comes to: the sum of what is asked for, else how many there are.

    Of lengths, weights and days, which nobody adds, the most, the least or the average.
    """
    said = parts.read.function
    if said in (Function.SUM, Function.AVG, Function.MEDIAN, Function.MIN, Function.MAX) and asked:
        return Function(said)
    entry = next(iter(parts.asked_entries), None)
    if said == Function.COUNT or entry is None or entry.type not in ORDERED:
        return Function.COUNT
    if entry.type is FieldType.MONEY or (parts.choice.is_rows and entry.type in AMOUNTS):
        return Function.SUM
    if said in (Outcome.LEAST, Outcome.LESS):
        return Function.MIN
    is_most = said in (Outcome.GREATEST, Outcome.MORE) or entry.type is FieldType.DATE
    return Function.MAX if is_most else Function.AVG
