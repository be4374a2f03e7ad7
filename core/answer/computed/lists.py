"""Answers that are documents: which ones, in which order, and what they state."""

from __future__ import annotations

from collections.abc import Sequence

from core.answer.computed.draft import ComputedDraft, Line
from core.answer.computed.ledger import (
    asked_fields,
    is_lack,
    ledger_of,
    left_out_sentences,
    of_other_units,
    unknown_sentences,
)
from core.answer.computed.source import Facts
from core.answer.computed.values import cell_value
from core.answer.computed.wording import counted, listed, of_one, phrase
from core.domain.answer import Column, Table, Value
from core.domain.fields import FieldType
from core.domain.results import Documents
from core.evidence.base import Span
from core.plan.ir.nodes import SelectionNode

MOST_LINES = 25
"""Documents that are told one by one, each with its citations; the table always has them all."""


def compose_documents(
    node: SelectionNode, found: Documents, facts: Facts, noun: str, said: str = "", about_them: str = ""
) -> ComputedDraft:
    """The documents that were found. said: what they fulfil, of many (`lack notice`)."""
    chosen = found.order or tuple(sorted(found.present, key=lambda id: (facts.title(id).casefold(), id)))
    shown = shown_fields(node)
    lines = [line_of(id, shown, facts) for id in chosen[:MOST_LINES]]
    lacks = is_lack(node)
    field = ", ".join(asked_fields(node))
    value = _the_value(chosen, node, facts)
    return ComputedDraft(
        lead=Line(
            _value_lead(chosen[0], node, facts)
            if value
            else _lead(node, found, len(chosen), noun, said, about_them)
        ),
        lines=tuple(lines),
        value=value,
        table=table_of(chosen, shown, facts),
        ledger=ledger_of(found, field, is_lack=lacks, title=facts.field_title),
        gaps=(
            *unknown_sentences(found, noun, about(asked_fields(node), facts), facts.field_title),
            *left_out_sentences(found, facts.title),
        ),
        left_out=max(0, len(chosen) - MOST_LINES),
        confidence=_confidence(found, facts),
    )


def shown_fields(node: SelectionNode) -> tuple[str, ...]:
    """The fields that an answer shows of each document: what was asked for, and what chose and ordered it."""
    ordered = (node.order_by,) if node.order_by else ()
    return tuple(dict.fromkeys((*node.fields, *ordered, *asked_fields(node))))


def line_of(document: str, fields: Sequence[str], facts: Facts) -> Line:
    """A document with what it states in some fields, and where."""
    parts: list[str] = []
    spans: list[Span] = []
    for name in fields:
        spans += facts.spans(document, name)
        text = facts.text(document, name)
        if text is not None and facts.field_type(name) is not FieldType.BOOLEAN:
            parts.append(f"{facts.field_title(name)}: {text}")
    return Line("; ".join(parts), tuple(dict.fromkeys(spans)), label=facts.title(document))


def about(fields: Sequence[str], facts: Facts) -> str:
    """The titles of fields in a sentence."""
    return listed([phrase(facts.field_title(name)) for name in fields if name])


def _value_lead(document: str, node: SelectionNode, facts: Facts) -> str:
    """Of one document and one field: `The expiration date of “Software License” is 30 Jun 2025.`"""
    field = _asked(node)[0]
    title, text = phrase(facts.field_title(field)), facts.text(document, field)
    if facts.field_type(field) is FieldType.BOOLEAN:
        if facts.is_absent(document, field):
            return f"No: “{facts.title(document)}” has no {title}."
        return f"Yes: “{facts.title(document)}” has {title}."
    return f"The {title} of “{facts.title(document)}” is {text}."


def _lead(node: SelectionNode, found: Documents, count: int, noun: str, said: str, about: str) -> str:
    scope = len(found.scope)
    if not said and node.limit and node.order_by and not count:
        return f"None of {counted(scope, noun)} is known to state what they are put in order by."
    if not said and node.limit and node.order_by:
        return f"{counted(count, noun)} of {scope:,}, in order."
    if not said:
        return f"There {'is' if count == 1 else 'are'} {counted(count, noun)}."
    if count == 0:
        return _none(found, counted(scope, noun), noun, said, about)
    return f"{count:,} of {counted(scope, noun)}{about} {of_one(said) if count == 1 else said}."


def _none(found: Documents, all_of_them: str, noun: str, said: str, about: str) -> str:
    """That there is none, as far as that is known."""
    if not (found.uncertain or found.unreadable) or said.startswith("are "):
        return f"None of {all_of_them}{about} {of_one(said)}."
    units = [
        f"{counted(len(ids), noun)} {'states' if len(ids) == 1 else 'state'} it in {unit}"
        for (_, unit), ids in of_other_units(found).items()
    ]
    why = f": {listed(units)}, which is not compared" if units else ""
    return f"None of {all_of_them}{about} is known to {said}{why}."


def _the_value(chosen: Sequence[str], node: SelectionNode, facts: Facts) -> Value | None:
    """The one value that was asked for: of one document and one field."""
    asked = _asked(node)
    if len(chosen) != 1 or len(asked) != 1:
        return None
    if facts.is_absent(chosen[0], asked[0]) and facts.field_type(asked[0]) is FieldType.BOOLEAN:
        return Value(type="boolean", value="false")
    values = facts.values(chosen[0], asked[0])
    return cell_value(values[0]) if len(values) == 1 else None


def _asked(node: SelectionNode) -> tuple[str, ...]:
    """The fields whose values are asked for; of an order only where nothing else is."""
    others = tuple(name for name in node.fields if name != node.order_by or node.limit != 1)
    return others or ((node.order_by,) if node.order_by and node.limit == 1 else ())


def table_of(chosen: Sequence[str], fields: Sequence[str], facts: Facts) -> Table:
    """The documents with what they state; a field that none of them states (they lack it) has no column."""
    stated = [name for name in fields if any(facts.text(id, name) for id in chosen)]
    columns = (
        Column(name="Document", type="text"),
        *(Column(name=facts.field_title(name), type=facts.field_type(name).value) for name in stated),
    )
    rows = tuple((facts.title(id), *(facts.text(id, name) for name in stated)) for id in chosen)
    return Table(columns=columns, rows=rows, documents=tuple(chosen))


def _confidence(found: Documents, facts: Facts) -> float:
    """How sure the cells are, times how much of the scope is known."""
    known = len(found.present) + len(found.absent)
    share = known / len(found.scope) if found.scope else 1.0
    return round(facts.confidence * share, 4)
