"""Answers that are numbers: a count, a sum, an extreme, or one for each group."""

from __future__ import annotations

from collections.abc import Sequence

from core.answer.computed.draft import ComputedDraft, Line
from core.answer.computed.ledger import ledger_of, singular, unknown_sentences
from core.answer.computed.lists import MOST_LINES
from core.answer.computed.source import Facts
from core.answer.computed.values import computed_value
from core.answer.value import show_value
from core.domain.answer import Column, Table
from core.domain.results import Group, Groups
from core.plan.ir import Aggregate

_NAMES = {
    "count": "number",
    "sum": "sum",
    "min": "smallest",
    "max": "greatest",
    "avg": "average",
    "median": "median",
    "distinct": "number of different values",
}
_EXTREMES = ("min", "max")


def compose_groups(
    node: Aggregate, found: Groups, facts: Facts, noun: str, field: str, *, is_lack: bool = False
) -> ComputedDraft:
    """What an aggregate came to: one value with what it was made of, or a table of groups.

    field: what its documents were asked for, for the ledger; is_lack: whether for lacking it.
    """
    gaps = (*unknown_sentences(found.documents, noun), *_left_aside(found, facts))
    known = len(found.documents.present) + len(found.documents.absent)
    scope = len(found.documents.scope)
    single = found.groups[0] if len(found.groups) == 1 and not found.group_by else None
    return ComputedDraft(
        lead=Line(_lead(found, single, facts, noun)),
        lines=_made_of(node, found, single, facts) if single else _of_groups(found, facts),
        value=computed_value(single.value, single.unit, _kind(found))
        if single is not None and single.value is not None
        else None,
        table=_addends(single, node, facts) if single else _table(found, facts),
        ledger=ledger_of(found.documents, field, is_lack=is_lack),
        gaps=gaps,
        left_out=max(0, (len(single.documents) if single else len(found.groups)) - MOST_LINES),
        confidence=round(facts.confidence * (known / scope if scope else 1.0), 4),
    )


def _kind(found: Groups) -> str:
    return "number" if found.function in ("count", "distinct") else found.value_type


def _name(found: Groups, facts: Facts, noun: str) -> str:
    what = _NAMES[found.function]
    if found.function == "count" or not found.field:
        return f"The number of {noun}"
    if found.function == "distinct":
        return f"The {what} of {facts.field_title(found.field)}"
    if found.function in _EXTREMES:
        return f"The {what} {facts.field_title(found.field)}"
    return f"The {what} of {facts.field_title(found.field)}"


def _shown(group: Group, found: Groups) -> str:
    if group.value is None:
        return "none"
    return show_value(computed_value(group.value, group.unit, _kind(found)))


def _lead(found: Groups, single: Group | None, facts: Facts, noun: str) -> str:
    name = _name(found, facts, noun)
    if single is not None and single.value is not None:
        if found.function == "count":
            return f"{name} is {_shown(single, found)}."
        made = f"{len(single.documents):,} {noun if len(single.documents) != 1 else singular(noun)}"
        return f"{name} over {made} is {_shown(single, found)}."
    if not found.groups or single is not None:
        return f"{name} cannot be given: no value takes part."
    by = " and ".join(facts.field_title(field.partition(".")[0]) for field in found.group_by)
    if by:
        return f"{name} for each {by}: {len(found.groups):,} groups."
    return f"{name}, in each currency or unit."


def _made_of(node: Aggregate, found: Groups, single: Group, facts: Facts) -> tuple[Line, ...]:
    """A line for each document that took part, with its value and where it stands."""
    if not node.field:
        return tuple(Line("", label=facts.title(id)) for id in single.documents[:MOST_LINES])
    lines = []
    for id in _ordered(single.documents, facts)[:MOST_LINES]:
        text = facts.text(id, node.field)
        spans = facts.spans(id, node.field)
        lines.append(Line(text or "", spans, label=facts.title(id)))
    return tuple(lines)


def _ordered(documents: Sequence[str], facts: Facts) -> list[str]:
    return sorted(documents, key=lambda id: (facts.title(id).casefold(), id))


def _of_groups(found: Groups, facts: Facts) -> tuple[Line, ...]:
    return tuple(
        Line(f"{_shown(group, found)} ({group.rows:,})", label=_key(group, facts))
        for group in found.groups[:MOST_LINES]
    )


def _key(group: Group, facts: Facts) -> str:
    return " · ".join(part or "none stated" for part in group.key) or group.unit or "all"


def _addends(single: Group | None, node: Aggregate, facts: Facts) -> Table | None:
    """The documents that a value was computed of, with what each states."""
    if single is None or not single.documents:
        return None
    fields = [node.field] if node.field else []
    columns = (
        Column(name="Document", type="text"),
        *(Column(name=facts.field_title(name), type=facts.field_type(name).value) for name in fields),
    )
    chosen = _ordered(single.documents, facts)
    rows = tuple((facts.title(id), *(facts.text(id, name) for name in fields)) for id in chosen)
    return Table(columns=columns, rows=rows, documents=tuple(chosen))


def _table(found: Groups, facts: Facts) -> Table:
    has_units = any(group.unit for group in found.groups)
    columns = [Column(name=facts.field_title(name.partition(".")[0]), type="text") for name in found.group_by]
    columns.append(Column(name=_NAMES[found.function].capitalize(), type=_kind(found)))
    if has_units:
        columns.append(Column(name="Unit", type="text"))
    columns.append(Column(name="Values", type="number"))
    rows = []
    for group in found.groups:
        unit = (group.unit,) if has_units else ()
        rows.append((*(part or "none stated" for part in group.key), group.value, *unit, group.rows))
    return Table(columns=tuple(columns), rows=tuple(rows))


def _left_aside(found: Groups, facts: Facts) -> tuple[str, ...]:
    return tuple(
        f"{rows:,} could not take part: {facts.field_title(field) if field else 'the document'} is {reason}."
        for field, reason, rows in found.excluded
        if reason not in ("missing", "uncertain", "unreadable")
    )
