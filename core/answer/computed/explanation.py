"""Answers to "why not this one?": what documents state for each condition, and which of them do not hold."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from core.answer.computed.draft import ComputedDraft, DraftLine
from core.answer.computed.lists import table_of
from core.answer.computed.source import AnswerFacts
from core.answer.computed.wording import listed, of_one, said_of
from core.domain.fields import FieldType
from core.domain.predicate import Operator
from core.domain.results import Documents, Result
from core.plan.ir.nodes import Condition, Plan, SelectionNode, clause_parts, without_aspect
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
    conditions = [
        _Condition(node, plan, found if isinstance(found := results.get(node.id), Documents) else Documents())
        for node in asked
    ]
    lines = [line for id in documents for line in _lines(id, conditions, facts, len(documents))]
    return ComputedDraft(
        lead=DraftLine(" ".join(_lead(id, conditions, facts) for id in documents)),
        lines=tuple(lines),
        table=table_of(documents, shown.fields, facts),
        confidence=round(facts.confidence, 4),
    )


@dataclass(frozen=True, slots=True)
class _Condition:
    """A condition, the first of its node, with what it holds of."""

    node: SelectionNode
    plan: Plan
    documents: Documents

    @property
    def parts(self) -> Sequence[Condition]:
        """Its alternatives."""
        return clause_parts(self.node.conditions[0])

    @property
    def says_kind(self) -> bool:
        """True where it only says of which kind documents are."""
        return all(part.field == KIND for part in self.parts)

    def said(self, facts: AnswerFacts) -> str:
        """The condition in words, without those that its documents are called by."""
        first = self.node.model_copy(update={"conditions": self.node.conditions[:1]})
        return said_of(self.plan, first, facts)


def _lead(document: str, conditions: Sequence[_Condition], facts: AnswerFacts) -> str:
    title = f"“{facts.title(document)}”"
    failing = [each for each in conditions if document in each.documents.absent]
    unknown = [
        each for each in conditions if document in each.documents.uncertain | each.documents.unreadable
    ]
    if failing:
        telling = [each for each in failing if not each.says_kind] or failing
        return f"{title} is not among them: {listed([_reason(document, each, facts) for each in telling])}."
    if unknown:
        said = listed([of_one(each.said(facts)) for each in unknown])
        return f"{title} is not among them for sure: it is not known whether it {said}."
    return f"{title} fulfils all that was asked."


def _lines(
    document: str, conditions: Sequence[_Condition], facts: AnswerFacts, count: int
) -> Iterator[DraftLine]:
    """A line for each condition, with what is stated for it and where."""
    for each in conditions:
        is_present, is_absent = document in each.documents.present, document in each.documents.absent
        if each.says_kind and is_present:
            continue
        fields = dict.fromkeys(without_aspect(part.field) for part in each.parts)
        stated = [f"{facts.field_title(name)}: {_stated(document, name, facts)}" for name in fields]
        spans = tuple(dict.fromkeys(span for name in fields for span in facts.spans(document, name)))
        holds = "holds" if is_present else "does not hold" if is_absent else "not known"
        asks = of_one(each.said(facts))
        label = f"{facts.title(document)}: {asks}" if count > 1 else asks[:1].upper() + asks[1:]
        yield DraftLine(f"{holds}. {'; '.join(stated)}", spans, label=label)


def _reason(document: str, condition: _Condition, facts: AnswerFacts) -> str:
    """Why a condition does not hold of a document: `its governing law is Texas`, `it has no insurance`."""
    part, *others = condition.parts
    if others or part.minus or "." in part.field:
        return f"it does not {condition.said(facts)}"
    title = phrase(facts.field_title(part.field))
    if part.op is Operator.MISSING:
        return f"it has {title}"
    is_presence = part.op is Operator.IS or facts.field_type(part.field) is FieldType.BOOLEAN
    if is_presence and part.op in _PRESENT:
        return f"it has no {title}"
    text = facts.text(document, part.field)
    return f"its {title} {be(title)} {text}" if text else f"it states no {title}"


def _stated(document: str, field: str, facts: AnswerFacts) -> str:
    if facts.is_absent(document, field):
        return "none"
    return facts.text(document, field) or "not known"
