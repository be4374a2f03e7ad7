"""Answers that put sides next to one another."""

from __future__ import annotations

from core.answer.computed.draft import ComputedDraft, DraftLine
from core.answer.computed.lists import MOST_LINES, about, ledger_of, unknown_sentences
from core.answer.computed.side_totals import compose_totals
from core.answer.computed.source import AnswerFacts
from core.answer.computed.wording import counted, listed
from core.domain.answer import Column, Table
from core.domain.fields import FieldType
from core.domain.results import ComparedRow, Comparison, Documents, Unknown
from core.plan.ir.nodes import SidesNode
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
    known, scope = len(documents.present) + len(documents.absent), len(documents.scope)
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
        confidence=round(facts.confidence * (known / scope if scope else 1.0) * _EMPTY ** len(empty), 4),
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
