"""Answers that are numbers: a count, a sum, an extreme, or one for each group."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal

from core.answer.computed.draft import ComputedDraft, DraftLine, computed_value
from core.answer.computed.lists import (
    MOST_LINES,
    about,
    known_share,
    ledger_of,
    left_out_sentences,
    line_of,
    table_of,
    unknown_sentences,
)
from core.answer.computed.source import AnswerFacts
from core.answer.computed.templates import EXTREMES, FUNCTIONS, NONE_STATED
from core.answer.computed.wording import counted, listed, of_one
from core.answer.value import show_value
from core.domain.answer import Column, Table
from core.domain.results import Group, Groups
from core.domain.value_text import period
from core.text.titles import phrase

PERIODS = ("month", "quarter", "year", "day")


def compose_groups(
    found: Groups,
    facts: AnswerFacts,
    noun: str,
    field: str,
    shown: Sequence[str] = (),
    *,
    is_lack: bool = False,
    said: str = "",
    about_them: str = "",
) -> ComputedDraft:
    """Result of an aggregate: one value with what it was made of, or a table of groups.

    field: what its documents were asked for, for the ledger; shown: the fields that `facts` has, told of
    each document; is_lack: whether they were asked for lacking it; said: what they fulfil (`lack notice`).
    """
    asked = about([name for name in field.split(", ") if name != "documents"], facts)
    apart = left_out_sentences(found.documents, facts.title)
    gaps = (
        *unknown_sentences(found.documents, noun, asked, facts.field_title),
        *apart,
        *_left_aside(found, facts),
    )
    single = found.groups[0] if len(found.groups) == 1 and not found.group_by else None
    return ComputedDraft(
        lead=DraftLine(_lead(found, single, facts, noun, said, about_them)),
        lines=_made_of(shown, single, facts) if single else _of_groups(found),
        value=computed_value(single.value, single.unit, _kind(found))
        if single is not None and single.value is not None
        else None,
        table=_addends(shown, single, facts) if single else _table(found, facts),
        ledger=ledger_of(found.documents, field, is_lack=is_lack, title=facts.field_title),
        gaps=gaps,
        left_out=max(0, (len(single.documents) if single else len(found.groups)) - MOST_LINES),
        confidence=round(facts.confidence * known_share(found.documents), 4),
    )


def share_of(draft: ComputedDraft, found: Groups, noun: str, said: str, about_them: str) -> ComputedDraft:
    """The draft of a count as the share of those documents of which it can be decided, in percent."""
    count = sum(group.rows for group in found.groups)
    known = len(found.documents.present) + len(found.documents.absent)
    if not known:
        return replace(draft, value=None)
    part = round(Decimal(100 * count) / known, 1)
    text = f"{part.normalize():f}" if part else "0"
    that = said if count != 1 else of_one(said)
    lead = f"{count:,} of {counted(known, noun)}{about_them} {that or 'are meant'}: {text} %."
    apart = len(found.documents.scope) - known
    if apart:
        lead += f" Of {apart:,} more it is not certain."
    return replace(draft, lead=DraftLine(lead), value=computed_value(text, "%", "number"))


def _kind(found: Groups) -> str:
    return "number" if found.function in ("count", "distinct") else found.value_type


def _shown(group: Group, found: Groups) -> str:
    if group.value is None:
        return "none"
    return show_value(computed_value(group.value, group.unit, _kind(found)))


def _lead(found: Groups, single: Group | None, facts: AnswerFacts, noun: str, said: str, about: str) -> str:
    that, function = f" that {said}" if said else "", FUNCTIONS[found.function]
    if single is not None and single.value is not None:
        return _of_one_value(found, single, facts, noun, said, about)
    title = phrase(facts.field_title(found.field)) if found.field else ""
    what = f"The {function.of_field} {title}" if title else f"The number of {noun}"
    if not found.groups or single is not None:
        all_of_them = counted(len(found.documents.scope), noun)
        if said and not found.excluded and not found.documents.present:
            return f"None of {all_of_them}{about} {of_one(said)}."
        return f"{what} cannot be given: none of {all_of_them} states a value."
    by = listed([_by(name, facts) for name in found.group_by])
    groups = counted(len(found.groups), "groups")
    if found.function == "count" and by:
        rows = sum(group.rows for group in found.groups)
        return f"{counted(rows, noun)}{_that(said, rows)}, in {groups} by {by}."
    if found.group_by == (f"{found.field}.unit",) and len(found.groups) <= MOST_LINES:
        values = listed([_shown(group, found) for group in found.groups])
        return f"{what} of {noun}{that}: {values}, which are not added together."
    if by:
        return f"{what} of {noun}{that}, in {groups} by {by}."
    return f"{what} of {noun}{that}, in each currency or unit: they are not added together."


def shared_lead(found: Groups, facts: AnswerFacts, noun: str, sides: Sequence[str], *, is_all: bool) -> str:
    """`2 customers have contracts that have A as vendor, and contracts that have B as vendor.`"""
    by = listed([_by(name, facts) for name in found.group_by])
    count = len(found.groups)
    who = f"{count or 'No'} {by if count <= 1 else f'{by}s'} {'have' if count > 1 else 'has'}"
    first, *others = sides
    joined = [f"and {noun if is_all else 'none'} that {each}" for each in others]
    return f"{who} {noun} that {first}, {', '.join(joined)}."


def _that(said: str, count: int) -> str:
    return f" that {of_one(said) if count == 1 else said}" if said else ""


def _of_one_value(found: Groups, single: Group, facts: AnswerFacts, noun: str, said: str, about: str) -> str:
    """The sentence around one value."""
    shown, scope = _shown(single, found), len(found.documents.scope)
    if found.function == "count":
        count = single.rows if not found.field else int(single.value or 0)
        if not said:
            return f"There {'is' if count == 1 else 'are'} {counted(count, noun)}."
        return f"{count:,} of {counted(scope, noun)}{about} {of_one(said) if count == 1 else said}."
    title, function = phrase(facts.field_title(found.field)), FUNCTIONS[found.function]
    made = f"{counted(len(single.documents), noun)}{_that(said, len(single.documents))}"
    if found.function in EXTREMES:
        return f"The {function.of_field} {title} of {made} is {shown}."
    if found.function == "distinct":
        return f"{made[:1].upper()}{made[1:]} state {shown} different values of {title}."
    return f"The {function.of_field} {title} over {made} is {shown}."


def _by(name: str, facts: AnswerFacts) -> str:
    stem, _, aspect = name.partition(".")
    title = phrase(facts.field_title(stem))
    return f"{aspect} of {title}" if aspect in PERIODS else f"currency of {title}" if aspect else title


def _made_of(fields: Sequence[str], single: Group, facts: AnswerFacts) -> tuple[DraftLine, ...]:
    """A line for each document that took part, with what it states and where that stands."""
    chosen = _ordered(single.documents, facts)[:MOST_LINES]
    return tuple(line_of(id, fields, facts) for id in chosen)


def _ordered(documents: Sequence[str], facts: AnswerFacts) -> list[str]:
    return sorted(documents, key=lambda id: (facts.title(id).casefold(), id))


def _of_groups(found: Groups) -> tuple[DraftLine, ...]:
    return tuple(
        DraftLine(_group_line(group, found), label=_key(group)) for group in found.groups[:MOST_LINES]
    )


def _group_line(group: Group, found: Groups) -> str:
    if found.function == "count":
        return _shown(group, found)
    return f"{_shown(group, found)} from {counted(group.rows, 'values')}"


def _key(group: Group) -> str:
    return " · ".join(period(part) or NONE_STATED for part in group.key) or group.unit or "all"


def _addends(fields: Sequence[str], single: Group, facts: AnswerFacts) -> Table | None:
    """The documents that a value was computed of, with what each states."""
    return table_of(_ordered(single.documents, facts), fields, facts) if single.documents else None


def _table(found: Groups, facts: AnswerFacts) -> Table:
    columns = [_group_column(name, facts) for name in found.group_by]
    columns.append(Column(name=FUNCTIONS[found.function].column, type=_kind(found)))
    table = groups_table(columns, found, [(group.value, group.unit) for group in found.groups], "Values")
    return table.model_copy(update={"members": tuple(group.documents for group in found.groups)})


def groups_table(
    columns: Sequence[Column], found: Groups, values: Sequence[tuple[str | None, str | None]], made_of: str
) -> Table:
    """A row for each group, with its key, its value, the unit where any has one, and how many it is made of.

    columns: of keys and value. values: with their units, a group each. made_of: head of how many that are.
    """
    has_units, is_count = any(unit for _, unit in values), found.function == "count"
    units = [Column(name="Unit", type="text")] if has_units else []
    counts = [] if is_count else [Column(name=made_of, type="number")]
    rows = []
    for group, (amount, unit) in zip(found.groups, values, strict=True):
        rest = (*((unit,) if has_units else ()), *(() if is_count else (group.rows,)))
        rows.append((*(part or NONE_STATED for part in group.key), amount, *rest))
    return Table(columns=(*columns, *units, *counts), rows=tuple(rows))


def _group_column(name: str, facts: AnswerFacts) -> Column:
    """A period is a column of its own type, so that it is shown and ordered as one."""
    stem, _, aspect = name.partition(".")
    title = facts.field_title(stem)
    if aspect in PERIODS:
        return Column(name=f"{title} ({aspect})", type=aspect)
    return Column(name=f"{title} ({aspect})" if aspect else title, type="text")


def _left_aside(found: Groups, facts: AnswerFacts) -> tuple[str, ...]:
    return tuple(
        f"{counted(rows, 'values')} could not take part: "
        f"{phrase(facts.field_title(field)) if field else 'the document'} is {reason}."
        for field, reason, rows in found.excluded
        if reason not in ("missing", "uncertain", "unreadable")
    )
