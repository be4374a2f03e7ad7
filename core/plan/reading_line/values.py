"""Values that a person writes into a condition of a reading, read as questions are read."""

from __future__ import annotations

import re
from datetime import date

from core.domain.fields import AMOUNTS, FieldType
from core.domain.predicate import INEQUALITIES, Operator
from core.errors import UsageError
from core.plan.build.conditions import Either as EitherOf
from core.plan.build.conditions import as_condition, clauses, in_period, literal_text
from core.plan.catalogue import Catalogue, FieldEntry
from core.plan.ir.node import Choice, Condition
from core.plan.language.interpretation import lexicon_of
from core.plan.language.pieces import Comparator, DayRange, Negator, Parties, Piece, Quantity
from core.plan.language.reading.read import read
from core.plan.text.classify import clean_question

LONGEST = 500  # characters
_EXAMPLES = {
    FieldType.DATE: "in 2025, or after 3 October 2024",
    FieldType.MONEY: "above USD 100,000",
    FieldType.DURATION: "at least 60 days",
    FieldType.NUMBER: "below 12.5",
    FieldType.PARTY: "the name of an organisation",
}
_ALTERNATIVES = re.compile(r"\s*(?:,|;|\bor\b)\s*", re.IGNORECASE)


def condition_of(
    text: str, entry: FieldEntry, before: Condition, catalogue: Catalogue, today: date
) -> Condition | Choice:
    """The condition on a field that a written value stands for: `in 2025`, `above 100k`, `Texas or Iowa`.

    before: the condition as it was; a bare amount or day is compared as there. Raises UsageError where the
    text is no value of the field.
    """
    said = clean_question(text)[:LONGEST].strip()
    if not said:
        raise UsageError(f"{entry.title} needs a value.", next_step="Write one, or remove the condition.")
    if entry.type is FieldType.PARTY:
        return _of_party(said, entry, catalogue, today)
    if entry.type is FieldType.DATE or entry.type in AMOUNTS:
        return _of_amount(said, entry, before, catalogue, today)
    return _of_text(said, entry, catalogue)


def _of_amount(
    said: str, entry: FieldEntry, before: Condition, catalogue: Catalogue, today: date
) -> Condition | Choice:
    pieces = read(said, lexicon_of(catalogue), today).pieces
    if any(isinstance(piece.meaning, Negator) for piece in pieces):
        raise _unreadable(said, entry)
    op = next((p.meaning.op for p in pieces if isinstance(p.meaning, Comparator)), None)
    if entry.type is FieldType.DATE:
        found = _of_periods([p.meaning for p in pieces if isinstance(p.meaning, DayRange)], entry, op, before)
    else:
        found = _of_quantities(pieces, entry, op, before)
    if found is None:
        raise _unreadable(said, entry)
    return found


def _of_periods(
    periods: list[DayRange], entry: FieldEntry, op: Operator | None, before: Condition
) -> Condition | Choice | None:
    if len(periods) == 2 and op is Operator.BETWEEN:
        first, last = periods[0].first, periods[1].last
        if first is None or last is None or last < first:
            return None
        return Condition(field=entry.name, op=op, value=(first.isoformat(), last.isoformat()))
    is_day = len(periods) == 1 and periods[0].first == periods[0].last
    if op is None and is_day and before.field == entry.name and before.op in INEQUALITIES:
        op = before.op
    found = [condition for each in periods if (condition := in_period(entry.name, each, op)) is not None]
    if not found or len(found) < len(periods):
        return None
    split = clauses(EitherOf(tuple(found)))
    assert split is not None  # a few periods make one clause
    return as_condition(tuple(each for each in split[0] if isinstance(each, Condition)))


def _of_quantities(
    pieces: tuple[Piece, ...], entry: FieldEntry, op: Operator | None, before: Condition
) -> Condition | None:
    amounts = [each.meaning.value for each in pieces if isinstance(each.meaning, Quantity)]
    texts = [text for each in amounts if (text := literal_text(each, entry)) is not None]
    if not texts or len(texts) < len(amounts) or len(texts) > 2:
        return None
    if len(texts) == 2:
        return Condition(field=entry.name, op=Operator.BETWEEN, value=tuple(texts))
    if op is Operator.BETWEEN:
        return None
    kept = before.op if before.field == entry.name and before.op in INEQUALITIES else Operator.EQUAL
    return Condition(field=entry.name, op=op or kept, value=texts[0])


def _of_party(said: str, entry: FieldEntry, catalogue: Catalogue, today: date) -> Condition:
    folded = said.casefold()
    exact = [each for each in catalogue.parties if folded in (each.name.casefold(), each.normal)]
    pieces = () if exact else read(said, lexicon_of(catalogue), today).pieces
    named = [party for each in pieces if isinstance(each.meaning, Parties) for party in each.meaning.parties]
    found = list(dict.fromkeys(each.normal for each in (*exact, *named)))
    if not found:
        raise UsageError(
            f"No organisation here is called “{said}”.", next_step="Write its name as documents do."
        )
    if len(found) == 1:
        return Condition(field=entry.name, op=Operator.EQUAL, value=found[0])
    return Condition(field=entry.name, op=Operator.IN, value=tuple(found[:50]))


def _of_text(said: str, entry: FieldEntry, catalogue: Catalogue) -> Condition:
    """Values that documents state, or options; other words are looked for within what they state."""
    stated = (
        each.text for each in catalogue.values if (each.schema, each.field) == (entry.schema, entry.name)
    )
    known = {each.casefold(): each for each in (*entry.options, *stated)}
    if said.casefold() in known:
        return Condition(field=entry.name, op=Operator.EQUAL, value=known[said.casefold()])
    parts = [part for part in _ALTERNATIVES.split(said) if part]
    if len(parts) > 1 and all(part.casefold() in known for part in parts):
        values = tuple(dict.fromkeys(known[part.casefold()] for part in parts))
        return Condition(field=entry.name, op=Operator.IN, value=values)
    if entry.type is FieldType.ENUM:
        listed = ", ".join(sorted(known.values())[:8])
        raise UsageError(f"{entry.title} is never “{said}”.", next_step=f"Choose one of: {listed}.")
    return Condition(field=entry.name, op=Operator.CONTAINS, value=said.strip('“”"'))


def _unreadable(said: str, entry: FieldEntry) -> UsageError:
    example = _EXAMPLES.get(entry.type, "a value")
    return UsageError(
        f"“{said}” cannot be read as a value of {entry.title.lower()}.", next_step=f"Write it as {example}."
    )
