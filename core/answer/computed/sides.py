"""Answers that put sides next to one another, say what they come to, or which of them is more."""

from __future__ import annotations

from core.answer.computed.draft import ComputedDraft, DraftLine, computed_value
from core.answer.computed.lists import MOST_LINES, about, known_share, ledger_of, unknown_sentences
from core.answer.computed.source import AnswerFacts
from core.answer.computed.templates import FUNCTIONS
from core.answer.computed.wording import counted, listed
from core.answer.value import show_value
from core.domain.answer import Column, Table, Value
from core.domain.fields import FieldType
from core.domain.results import ComparedRow, Comparison, Documents, SideTotal, Unknown
from core.plan.ir.nodes import SidesNode
from core.search.evidence.base import Span
from core.text.titles import phrase

_EMPTY = 0.5  # of the confidence, for each side of which nothing is known


def compose_comparison(node: SidesNode, found: Comparison, facts: AnswerFacts, noun: str) -> ComputedDraft:
    """A line for each document of each side that states something, and all of them as a table."""
    if found.totals:
        return compose_totals(node, found, facts, noun)
    stating = [row for row in found.rows if any(value is not None for value in row.values)]
    lines = []
    for row in stating[:MOST_LINES]:
        parts = [
            f"{facts.field_title(name)}: {facts.text(row.document, name) or text}"
            for name, text in zip(found.fields, row.values, strict=True)
            if text is not None
        ]
        spans = [span for name in found.fields for span in facts.spans(row.document, name)]
        lines.append(
            DraftLine(
                "; ".join(parts),
                tuple(dict.fromkeys(spans)),
                label=f"{row.side}, {facts.title(row.document)}",
            )
        )
    titles = listed([*(facts.field_title(name) for name in found.fields[:1]), *_rest(found, facts)])
    sides = listed([f"{label} ({counted(_stating(found, label), noun)})" for label in found.labels])
    documents = _of_sides(found, facts)
    empty = [label for label in found.labels if not _known(found, label, documents)]
    return ComputedDraft(
        lead=DraftLine(f"{titles} of {sides}, side by side."),
        lines=tuple(lines),
        table=_table(found, facts),
        ledger=ledger_of(documents, ", ".join(found.fields), title=facts.field_title),
        gaps=(
            *(f"Nothing was found for {label}." for label in empty),
            *unknown_sentences(documents, noun, about(found.fields, facts)),
        ),
        left_out=max(0, len(stating) - MOST_LINES),
        confidence=round(facts.confidence * known_share(documents) * _EMPTY ** len(empty), 4),
    )


def _known(found: Comparison, label: str, documents: Documents) -> bool:
    """True of a side of which some document states what is compared, or is known not to."""
    known = documents.present | documents.absent
    return any(row.side == label and row.document in known for row in found.rows)


def _of_sides(found: Comparison, facts: AnswerFacts) -> Documents:
    """The documents that are compared, or may be: present ones state something, absent ones nothing.

    What belongs to no side is out of scope: the sides are what the question is about.
    """
    of_sides = found.documents.present
    stating = frozenset(row.document for row in found.rows if any(value is not None for value in row.values))
    silent = frozenset(
        id for id in of_sides - stating if all(facts.is_absent(id, name) for name in found.fields)
    )
    blind = frozenset(
        id
        for id in of_sides - stating - silent
        if all(facts.is_unreadable(id, name) for name in found.fields)
    )
    unsure = of_sides - stating - silent - blind
    reasons = {id: Unknown(field=found.fields[0], reason="uncertain") for id in unsure}
    reasons |= {id: Unknown(field=found.fields[0], reason="unreadable") for id in blind}
    unknown = {id: why for id, why in found.documents.unknown.items() if id not in of_sides}
    return Documents(
        present=of_sides & stating,
        absent=silent,
        uncertain=found.documents.uncertain | unsure,
        unreadable=found.documents.unreadable | blind,
        unknown={**unknown, **reasons},
        is_exhaustive=found.documents.is_exhaustive,
    )


def _words(row: ComparedRow, found: Comparison, facts: AnswerFacts) -> list[str | None]:
    pairs = zip(found.fields, row.values, strict=True)
    return [value and (facts.text(row.document, name) or value) for name, value in pairs]


def _rest(found: Comparison, facts: AnswerFacts) -> list[str]:
    return [phrase(facts.field_title(name)) for name in found.fields[1:]]


def _stating(found: Comparison, label: str) -> int:
    return sum(row.side == label and any(value is not None for value in row.values) for row in found.rows)


def _table(found: Comparison, facts: AnswerFacts) -> Table:
    names = (*(facts.field_title(name) for name in found.fields),)
    types = (*(facts.field_type(name) for name in found.fields),)
    columns = (
        Column(name="Side", type="text"),
        Column(name="Document", type="text"),
        *(Column(name=name, type=FieldType(kind).value) for name, kind in zip(names, types, strict=True)),
    )
    stating = [row for row in found.rows if any(value is not None for value in row.values)]
    rows = tuple((row.side, facts.title(row.document), *_words(row, found, facts)) for row in stating)
    return Table(columns=columns, rows=rows, documents=tuple(row.document for row in stating))


_MOST_SPANS = 10  # of one side


def compose_totals(node: SidesNode, found: Comparison, facts: AnswerFacts, noun: str) -> ComputedDraft:
    """A line for each side with what it comes to, and what that says of both."""
    return ComputedDraft(
        lead=DraftLine(_lead(node, found, facts)),
        lines=tuple(_line(total, found, facts, noun) for total in found.totals),
        value=_outcome(found),
        table=_totals_table(node, found, facts),
        ledger=ledger_of(found.documents, ", ".join(found.fields), title=facts.field_title),
        gaps=unknown_sentences(found.documents, noun, about(found.fields, facts)),
        confidence=round(facts.confidence * known_share(found.documents), 4),
    )


def _outcome(found: Comparison) -> Value | None:
    said = found.outcome
    return None if said is None else computed_value(said.text, said.unit, said.kind)


def _value(total: SideTotal, at: int) -> Value | None:
    text = total.values[at]
    return None if text is None else computed_value(text, total.units[at], total.types[at])


def _shown(total: SideTotal, at: int) -> str:
    value = _value(total, at)
    return "none" if value is None else show_value(value)


def _lead(node: SidesNode, found: Comparison, facts: AnswerFacts) -> str:
    what = _title(node, found, facts, 0)
    sides = [f"{total.side} ({_shown(total, 0)})" for total in found.totals]
    value = _outcome(found)
    if value is None:
        return f"{what} of {listed([total.side for total in found.totals])}, side by side."
    if node.outcome in ("greatest", "least"):
        word = "greatest" if node.outcome == "greatest" else "least"
        return f"{value.value} has the {word} {phrase(what)}: {listed(sides)}."
    first, second = sides
    if value.type == "boolean":
        answer = "Yes" if value.value == "true" else "No"
        word = "more" if node.outcome == "more" else "less"
        is_so = "is" if value.value == "true" else "is not"
        return f"{answer}: the {phrase(what)} of {first} {is_so} {word} than that of {second}."
    if node.outcome == "difference":
        return f"The {phrase(what)} of {first} and that of {second} differ by {show_value(value)}."
    is_reverse = value.value.startswith("-")
    shown = show_value(value.model_copy(update={"value": value.value.lstrip("-")}))
    said = "exceeds" if (node.outcome == "excess") is not is_reverse else "falls short of"
    note = "" if not is_reverse else " It is the other way round than the question has it."
    return f"The {phrase(what)} of {first} {said} that of {second} by {shown}.{note}"


def _title(node: SidesNode, found: Comparison, facts: AnswerFacts, at: int) -> str:
    title = facts.field_title(found.fields[at])
    return title if node.function is None else f"{FUNCTIONS[node.function.value].of_sides} {phrase(title)}"


def _line(total: SideTotal, found: Comparison, facts: AnswerFacts, noun: str) -> DraftLine:
    parts = [_shown(total, at) for at in range(len(found.fields))]
    spans: list[Span] = []
    for name in found.fields:
        spans += [span for id in total.documents for span in facts.spans(id, name)]
    made = f" ({counted(len(total.documents), noun)})" if len(total.documents) != 1 else ""
    return DraftLine("; ".join(parts) + made, tuple(dict.fromkeys(spans))[:_MOST_SPANS], label=total.side)


def _totals_table(node: SidesNode, found: Comparison, facts: AnswerFacts) -> Table:
    has_units = any(unit for total in found.totals for unit in total.units)
    columns = [Column(name="Side", type="text")]
    for at, _ in enumerate(found.fields):
        kind = found.totals[0].types[at] if found.totals else "number"
        columns.append(Column(name=_title(node, found, facts, at), type=kind))
        columns += [Column(name="Unit", type="text")] if has_units else []
    columns.append(Column(name="Documents", type="number"))
    rows = []
    for total in found.totals:
        cells: list[str | int | None] = [total.side]
        for at, _ in enumerate(found.fields):
            value = _value(total, at)
            cells.append(None if value is None else value.value)
            cells += [value.unit if value is not None else None] if has_units else []
        rows.append((*cells, len(total.documents)))
    members = tuple(total.documents for total in found.totals)
    return Table(columns=tuple(columns), rows=tuple(rows), members=members)
