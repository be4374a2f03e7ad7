"""Figures, days and names: those of the question that the plan lost, and those that it invented."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import date, timedelta
from decimal import Decimal

from core.domain.fields import TEXTS, FieldType
from core.domain.predicate import Operator
from core.plan.catalogue import ColumnEntry, FieldEntry
from core.plan.check.context import (
    ASKED,
    CheckContext,
    CheckProblem,
    Problems,
    ReadPiece,
    SaidNumber,
    Severity,
    left_out,
    numbers_in,
    vocabulary,
)
from core.plan.reading import ReadCondition, ReadName, ReadOrder
from core.text.analyse import text_terms
from core.text.words import word_list
from core.values.canonical import read_value
from core.values.comparisons import amounts_in
from core.values.dates import month_number
from core.values.periods import find_periods
from core.values.places import canonical_place, find_places

_QUOTED = re.compile(r"[\"“]([^\"”“]{2,80})[\"”]")
_RELATIVE = word_list("checks", "relative")
_RATIOS = {*map(Decimal, (7, 12, 24, 30, 52, 60, 365)), *(Decimal(10) ** n for n in range(1, 7))}
_UNITED = (FieldType.NUMBER, FieldType.DURATION)
_ANY_DAY = date(2000, 1, 1)


def is_said(figure: SaidNumber, context: CheckContext) -> bool:
    """True where a number of the question is in the plan, in another unit perhaps, or counts nothing."""
    if figure.values & context.planned or figure.values == {Decimal(1)}:
        return True
    if any((context.values | context.called).intersection(context.words[n].terms) for n in figure.at):
        return True
    own = {context.folded[at] for at in figure.at}
    scattered = (each for each in context.pieces if not each.at and own <= {*each.words.casefold().split()})
    at_it = (piece for at in figure.at for piece in context.inside(at))
    return any(_takes(piece, figure, context) for piece in (*at_it, *scattered))


def _takes(piece: ReadPiece, figure: SaidNumber, context: CheckContext) -> bool:
    part = piece.part
    if not isinstance(part, ReadCondition) or not part.values or part.values[0].startswith("$"):
        return True
    kind = context.type_of(part.field.name)
    return (
        kind is FieldType.DATE
        or (kind in _UNITED and _is_converted(figure.values, numbers_in(part.values)))
        or any(_is_amount_said(value, piece, kind) for value in part.values)
    )


def _is_amount_said(value: str, piece: ReadPiece, kind: FieldType | None) -> bool:
    """True of an amount that the words of a condition come to: "half a million"."""
    said = amounts_in(piece.words, kind, "") if kind in (FieldType.MONEY, FieldType.NUMBER) else ()
    return bool(numbers_in((value,)) & numbers_in(said))


def _is_converted(some: Iterable[Decimal], others: Iterable[Decimal]) -> bool:
    return any(max(a, b) / min(a, b) in _RATIOS for a in some for b in others if a and b)


def lost_figures(context: CheckContext) -> Problems:
    """Numbers and quoted words of the question that the plan does not say."""
    for figure in context.figures:
        if not is_said(figure, context):
            words = [context.words[at] for at in figure.at]
            yield left_out("lost_figure", context.reading.question[words[0].start : words[-1].end])
    named = text_terms(" ".join(p.words for p in context.pieces if isinstance(p.part, ReadName)))
    said = context.values | context.called | context.kinds | named
    quoted = (match[1] for match in _QUOTED.finditer(context.reading.question))
    yield from (left_out("lost_name", each) for each in quoted if not text_terms(each) <= said)


def invented_values(context: CheckContext) -> Problems:
    """Values of conditions that the question does not say, limits of orders, conditions put in by hand."""
    for piece, part in context.conditions:
        kind = context.type_of(part.field.name)
        if kind is None or part.field.part == "unit" or part.op is Operator.MATCHES:
            continue
        for value in (each for each in part.values if not each.startswith("$")):
            severity = _invention(value, part, piece, kind, context)
            if severity is not None:
                said = f"The question says nothing of “{value}”."
                step = "Use only values that the question says, or leave the condition out."
                yield CheckProblem("invented_value", said, step, piece.words, severity)
    asked = context.asked
    for order in (piece.part for piece in context.pieces if isinstance(piece.part, ReadOrder)):
        ends = {Decimal(order.skip + 1), Decimal(order.skip + order.limit)}
        is_counted = order.limit < 2 or Decimal(order.limit) in asked or (order.skip and ends <= asked)
        is_skipped = order.skip < 2 or {Decimal(order.skip), Decimal(order.skip + 1)} & asked
        if not (is_counted or ASKED["some"].intersection(context.folded)) or not is_skipped:
            said = f"The question asks for no {order.limit or order.skip:,} of an order."
            yield CheckProblem("invented_limit", said, "Use the number that it says, or none.", order.words)


def _invention(
    value: str, part: ReadCondition, piece: ReadPiece, kind: FieldType, context: CheckContext
) -> Severity | None:
    """How much it matters that the question does not say a value; None where it does."""
    if kind is FieldType.DATE:
        return None if _is_day_said(value, piece, context) else Severity.REFUSES
    if kind not in TEXTS and kind is not FieldType.PARTY:
        numbers, asked = numbers_in((value,)), context.asked
        is_known = not numbers or numbers & asked or (kind in _UNITED and _is_converted(numbers, asked))
        is_known = is_known or _is_amount_said(value, piece, kind)
        is_known = is_known or (context.reading.by == "model" and numbers == {Decimal(0)})  # "is behind"
        return None if is_known else Severity.REFUSES
    wanted = text_terms(value.replace("_", " "))
    place = canonical_place(value) or value
    if not wanted or wanted & context.terms or _is_likened(value, context):
        return None
    if any(each.name == place for each in find_places(context.reading.question)):
        return None
    if any(canonical_place(each) == place for each in piece.words.split()):  # "swiss law"
        return None
    entry = context.field(part.field.name)
    is_named = isinstance(entry, ColumnEntry) and vocabulary(entry) & text_terms(piece.words)
    if is_named and isinstance(entry, ColumnEntry) and entry.affirmed:
        return None  # "is it paid", of a column "Paid?"
    cells = entry.texts if isinstance(entry, ColumnEntry) and context.reading.by == "model" else ()
    if piece.at and any(value.casefold() in each.casefold() for each in cells):
        return Severity.DOUBTS  # "Y" of those who said yes
    options = entry.options if isinstance(entry, FieldEntry) else ()
    others = (each for each in options if each != value.casefold())
    is_other = any(text_terms(each.replace("_", " ")) <= text_terms(piece.words) for each in others)
    is_option = value.casefold().replace(" ", "_") in options and piece.at and not is_other
    return Severity.DOUBTS if is_option else Severity.REFUSES


def _is_day_said(value: str, piece: ReadPiece, context: CheckContext) -> bool:
    """True where a day or a period may be what the question says; one relative to today may be any."""
    if not value[:4].isdigit():
        return True
    known = read_value(context.plan.today, FieldType.DATE)
    today = date.fromisoformat(known.text) if known is not None and not known.special else _ANY_DAY
    said = {word.text.lstrip("0") for word in context.words}
    year, month, day = (*(each.lstrip("0") for each in value.split("-")), "", "", "")[:3]
    named = {str(month_number(word.text) or "") for word in context.words}
    if day and {year, day} <= said and month in named:
        return True  # "between 1 and 15 September 2023"
    for text in (piece.words, context.reading.question):
        found = find_periods(text, today, is_dated=True)
        if found:
            periods = [period for each in found for period in (each.period, each.base)]
            ends = [day for each in periods for day in (each.first, each.last) if day is not None]
            near = {(d + timedelta(days=n)).isoformat() for d in ends for n in (-1, 0, 1)}
            wanted = value[:4] if "q" in value.casefold() else value
            is_relative = any(each.period.is_relative for each in found)
            return is_relative or any(each.startswith(wanted) for each in near)
    return any(word.folded in _RELATIVE or month_number(word.text) for word in context.words)


def _is_likened(value: str, context: CheckContext) -> bool:
    """True where the question has a word that begins alike, or the first letters of the value's words."""
    parts = [each for each in value.casefold().replace("-", " ").split() if each.isalpha()]
    initials = "".join(each[0] for each in parts if each not in ("of", "and", "the"))
    alike = any(len(each) > 4 and word[:4] == each[:4] for each in parts for word in context.folded)
    return alike or (len(initials) > 1 and initials in context.folded)
