"""Answers that are documents: which ones, in which order, and what they state."""

from __future__ import annotations

from collections.abc import Sequence

from core.answer.computed.draft import ComputedDraft, Line
from core.answer.computed.ledger import asked_fields, is_lack, ledger_of, singular, unknown_sentences
from core.answer.computed.source import Facts
from core.answer.computed.values import cell_value
from core.domain.answer import Column, Table, Value
from core.domain.fields import FieldType
from core.domain.results import Documents
from core.evidence.base import Span
from core.plan.ir import Select

MOST_LINES = 25
"""Documents that are told one by one, each with its citations; the table always has them all."""


def compose_documents(node: Select, found: Documents, facts: Facts, noun: str) -> ComputedDraft:
    """The documents that were found."""
    chosen = found.order or tuple(sorted(found.present, key=lambda id: (facts.title(id).casefold(), id)))
    shown = shown_fields(node)
    lines = [_line(id, shown, facts) for id in chosen[:MOST_LINES]]
    lacks = is_lack(node)
    field = ", ".join(asked_fields(node))
    value = _the_value(chosen, node, facts)
    return ComputedDraft(
        lead=Line(_lead(node, found, len(chosen), facts, noun)),
        lines=tuple(lines),
        value=value,
        table=_table(chosen, shown, facts),
        ledger=ledger_of(found, field, is_lack=lacks),
        gaps=unknown_sentences(found, noun),
        left_out=max(0, len(chosen) - MOST_LINES),
        confidence=_confidence(found, facts),
    )


def shown_fields(node: Select) -> tuple[str, ...]:
    """The fields that an answer shows of each document: what was asked for, and what chose and ordered it."""
    ordered = (node.order_by,) if node.order_by else ()
    return tuple(dict.fromkeys((*node.fields, *ordered, *asked_fields(node))))


def _line(document: str, fields: Sequence[str], facts: Facts) -> Line:
    parts: list[str] = []
    spans: list[Span] = []
    for name in fields:
        spans += facts.spans(document, name)
        text = facts.text(document, name)
        if text is not None and facts.field_type(name) is not FieldType.BOOLEAN:
            parts.append(f"{facts.field_title(name)}: {text}")
    return Line("; ".join(parts), tuple(dict.fromkeys(spans)), label=facts.title(document))


def _lead(node: Select, found: Documents, count: int, facts: Facts, noun: str) -> str:
    scope = len(found.scope)
    asked = asked_fields(node)
    if not asked:
        return f"There {'is' if count == 1 else 'are'} {_number(count, noun)}."
    if is_lack(node):
        verb = "lacks" if count == 1 else "lack"
        return f"{_sentence_count(count, scope, noun)} {verb} {facts.field_title(asked[0])}."
    verb = "fulfils" if count == 1 else "fulfil"
    return f"{_sentence_count(count, scope, noun)} {verb} every condition."


def _sentence_count(count: int, scope: int, noun: str) -> str:
    if count == 0:
        return f"None of {scope:,} {noun}"
    return f"{count:,} of {scope:,} {noun}"


def _number(count: int, noun: str) -> str:
    return f"{count:,} {singular(noun) if count == 1 else noun}"


def _the_value(chosen: Sequence[str], node: Select, facts: Facts) -> Value | None:
    """The one value that was asked for: of one document and one field."""
    asked = node.fields or ((node.order_by,) if node.order_by and node.limit == 1 else ())
    if len(chosen) != 1 or len(asked) != 1:
        return None
    values = facts.values(chosen[0], asked[0])
    return cell_value(values[0]) if len(values) == 1 else None


def _table(chosen: Sequence[str], fields: Sequence[str], facts: Facts) -> Table:
    columns = (
        Column(name="Document", type="text"),
        *(Column(name=facts.field_title(name), type=facts.field_type(name).value) for name in fields),
    )
    rows = tuple((facts.title(id), *(facts.text(id, name) for name in fields)) for id in chosen)
    return Table(columns=columns, rows=rows, documents=tuple(chosen))


def _confidence(found: Documents, facts: Facts) -> float:
    """How sure the cells are, times how much of the scope is known."""
    known = len(found.present) + len(found.absent)
    share = known / len(found.scope) if found.scope else 1.0
    return round(facts.confidence * share, 4)
