"""Values that a person writes into a condition of a reading, read as questions are read."""

from __future__ import annotations

import re
from datetime import date

from core.domain.fields import AMOUNTS, FieldType
from core.domain.predicate import INEQUALITIES, Operator
from core.errors import UsageError
from core.plan.catalogue import Catalogue, FieldEntry
from core.plan.compile.names import parties_named
from core.plan.ir.node import Choice, Condition
from core.plan.reader.condition_values import target_of, values_of
from core.plan.text.classify import clean_question
from core.text.words import word_list
from core.values.comparisons import amounts_in, comparison_in

LONGEST = 500  # characters
_EXAMPLES = {
    FieldType.DATE: "in 2025, or after 3 October 2024",
    FieldType.MONEY: "above USD 100,000",
    FieldType.DURATION: "at least 60 days",
    FieldType.NUMBER: "below 12.5",
    FieldType.PARTY: "the name of an organisation",
}
_NEGATIVE = word_list("checks", "negative")
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
        return _of_party(said, entry, catalogue)
    if entry.type is FieldType.DATE or entry.type in AMOUNTS:
        return _of_amount(said, entry, before, catalogue, today)
    return _of_text(said, entry, catalogue)


def _of_amount(
    said: str, entry: FieldEntry, before: Condition, catalogue: Catalogue, today: date
) -> Condition | Choice:
    found = values_of(said, "", target_of(entry, catalogue), catalogue, today)
    if not found or _NEGATIVE.intersection(said.casefold().split()):
        raise _unreadable(said, entry)
    if entry.type is not FieldType.DATE:
        count = len(amounts_in(said, entry.type, entry.unit))
        if count > 2 or (count == 1 and comparison_in(said) is Operator.BETWEEN):
            raise _unreadable(said, entry)
    several = [(each.op, each.values[0] if len(each.values) == 1 else each.values) for each in found]
    parts = tuple(Condition(field=entry.name, op=op, value=value) for op, value in several)
    is_bare = len(parts) == 1 and parts[0].op is Operator.EQUAL
    if is_bare and before.field == entry.name and before.op in INEQUALITIES:
        return parts[0].model_copy(update={"op": before.op})
    return parts[0] if len(parts) == 1 else Choice(any_of=parts)


def _of_party(said: str, entry: FieldEntry, catalogue: Catalogue) -> Condition:
    whole = parties_named(said, catalogue)
    named = (whole,) if whole else [parties_named(each, catalogue) for each in _ALTERNATIVES.split(said)]
    found = list(dict.fromkeys(each.normal for one in named for each in one))
    if not found:
        raise UsageError(
            f"No organisation here is called “{said}”.", next_step="Write its name as documents do."
        )
    if len(found) == 1:
        return Condition(field=entry.name, op=Operator.EQUAL, value=found[0])
    return Condition(field=entry.name, op=Operator.IN, value=tuple(found[:50]))


def _of_text(said: str, entry: FieldEntry, catalogue: Catalogue) -> Condition:
    """Values that documents state, or options; other words are looked for within what they state."""
    key = (entry.schema, entry.name)
    stated = (each.text for each in catalogue.values if (each.schema, each.field) == key)
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
