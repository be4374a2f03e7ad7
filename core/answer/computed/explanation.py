"""Answers to "why not this one?": what documents state for each condition, and which of them do not hold."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from core.answer.computed.draft import ComputedDraft, DraftLine
from core.answer.computed.lists import table_of
from core.answer.computed.source import AnswerFacts
from core.answer.computed.wording import listed, of_one, said_of
from core.domain.fields import FieldType
from core.domain.predicate import Operator
from core.domain.results import Documents, Result
from core.plan.ir.nodes import Plan, SelectionNode, clause_parts, without_aspect
from core.plan.ir.verbalise import KIND
from core.text.titles import be, phrase

_PRESENT = (Operator.IS, Operator.EQUAL)


def compose_explanation(
    plan: Plan, results: Mapping[str, Result], facts: AnswerFacts, documents: Sequence[str]
) -> ComputedDraft:
    """The documents with the conditions of the plan's first nodes, one each, that hold of them or do not."""
    shown = plan.node(plan.answer_node or "")
    assert isinstance(shown, SelectionNode)  # as such plans are made
    asked = [node for node in plan.nodes if isinstance(node, SelectionNode) and node.id != shown.id]
    leads = [_lead(id, plan, asked, results, facts) for id in documents]
    lines = [line for id in documents for line in _lines(id, plan, asked, results, facts, len(documents))]
    return ComputedDraft(
        lead=DraftLine(" ".join(leads)),
        lines=tuple(lines),
        table=table_of(documents, shown.fields, facts),
        confidence=round(facts.confidence, 4),
    )


def _lead(
    document: str,
    plan: Plan,
    asked: Sequence[SelectionNode],
    results: Mapping[str, Result],
    facts: AnswerFacts,
) -> str:
    title = f"“{facts.title(document)}”"
    failing = [node for node in asked if document in _documents(results, node).absent]
    open_ = [node for node in asked if _is_unknown(document, _documents(results, node))]
    if failing:
        reasons = [_reason(document, node, plan, facts) for node in failing if not _says_kind(node)]
        reasons = reasons or [_reason(document, node, plan, facts) for node in failing]
        return f"{title} is not among them: {listed(reasons)}."
    if open_:
        said = listed([of_one(_asked(plan, node, facts)) for node in open_])
        return f"{title} is not among them for sure: it is not known whether it {said}."
    return f"{title} fulfils all that was asked."


def _lines(
    document: str,
    plan: Plan,
    asked: Sequence[SelectionNode],
    results: Mapping[str, Result],
    facts: AnswerFacts,
    count: int,
) -> list[DraftLine]:
    """A line for each condition, with what is stated for it and where."""
    lines = []
    for node in asked:
        if _says_kind(node) and document in _documents(results, node).present:
            continue
        fields = dict.fromkeys(without_aspect(part.field) for part in clause_parts(node.conditions[0]))
        stated = [f"{facts.field_title(name)}: {_stated(document, name, facts)}" for name in fields]
        spans = tuple(dict.fromkeys(span for name in fields for span in facts.spans(document, name)))
        found = _documents(results, node)
        holds = (
            "holds"
            if document in found.present
            else "does not hold"
            if document in found.absent
            else "not known"
        )
        asks = of_one(_asked(plan, node, facts))
        label = f"{facts.title(document)}: {asks}" if count > 1 else asks[:1].upper() + asks[1:]
        lines.append(DraftLine(f"{holds}. {'; '.join(stated)}", spans, label=label))
    return lines


def _reason(document: str, node: SelectionNode, plan: Plan, facts: AnswerFacts) -> str:
    """Why a condition does not hold of a document: `its governing law is Texas`, `it has no insurance`."""
    parts = clause_parts(node.conditions[0])
    part = parts[0]
    if len(parts) > 1 or part.minus or "." in part.field:
        return f"it does not {_asked(plan, node, facts)}"
    title = phrase(facts.field_title(part.field))
    if part.op is Operator.MISSING:
        return f"it has {title}"
    is_presence = part.op is Operator.IS or facts.field_type(part.field) is FieldType.BOOLEAN
    if is_presence and part.op in _PRESENT:
        return f"it has no {title}"
    text = facts.text(document, part.field)
    return f"its {title} {be(title)} {text}" if text else f"it states no {title}"


def _asked(plan: Plan, node: SelectionNode, facts: AnswerFacts) -> str:
    """The condition of a node in words, without those that its documents are called by."""
    return said_of(plan, node.model_copy(update={"conditions": node.conditions[:1]}), facts)


def _stated(document: str, field: str, facts: AnswerFacts) -> str:
    if facts.is_absent(document, field):
        return "none"
    return facts.text(document, field) or "not known"


def _documents(results: Mapping[str, Result], node: SelectionNode) -> Documents:
    found = results.get(node.id)
    return found if isinstance(found, Documents) else Documents()


def _is_unknown(document: str, found: Documents) -> bool:
    return document in found.uncertain or document in found.unreadable


def _says_kind(node: SelectionNode) -> bool:
    return all(part.field == KIND for part in clause_parts(node.conditions[0]))
