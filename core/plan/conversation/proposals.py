"""The trained reader's word on a turn: a plan for a form of it, and the fields that its words mean.

In a conversation a turn is an edit of what was asked before, so that a reading which would not do for a first
question is likely enough.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from core.domain.answer import Route
from core.domain.predicate import Operator
from core.plan.ir.nodes import Note, Plan, SelectionNode, flattened
from core.plan.reader.proposal import Proposal
from core.plan.reader.reading import SURE_OF_FIELD, Operation, QuestionReading, SpanRole

Proposer = Callable[[str], Proposal | None]
LEAST = 0.35
"""Probability of a reading from which on its plan is taken where there is no other."""
LIKELY = 0.3
"""Sureness of a span from which on one document is asked for its field."""
READ_AS_FOLLOW_UP = "Read by the trained reader as going on"
_SURE_OF_POLARITY = 0.6  # probability of a reading from which on it knows better what is lacking
_MOST_FORMS = 3


@runtime_checkable
class ProposingPlanner(Protocol):
    """A planner that has a trained reader beside its rules."""

    def proposal(self, question: str, buckets: tuple[str, ...] = ()) -> Proposal | None:
        """The reader's plan of a question by itself; None where there is no reader."""
        ...


@dataclass(frozen=True, slots=True)
class FieldMention:
    """A field that words of a turn mean, with the part that they play. text: these words."""

    name: str
    role: SpanRole
    is_negated: bool
    probability: float
    text: str = ""


def likeliest_plan(questions: Iterable[str], propose: Proposer) -> tuple[str, Plan] | None:
    """The likeliest whole plan of some forms of a turn, with its form; None where none is likely enough."""
    best: tuple[float, str, Plan] | None = None
    for question in list(questions)[:_MOST_FORMS]:
        found = propose(question)
        if found is None:
            return None
        plan, probability = found.plan, found.reading.probability
        if plan is None or plan.route is not Route.STRUCTURED or probability < LEAST:
            continue
        if not all(_is_covered(phrase, found.reading) for phrase in plan.uncovered):
            continue
        if best is None or probability > best[0]:
            best = probability, question, plan
    if best is None:
        return None
    probability, question, plan = best
    note = Note(phrase="", reading=READ_AS_FOLLOW_UP, confidence=round(probability, 4))
    return question, plan.model_copy(update={"uncovered": (), "notes": (*plan.notes, note)})


def contrary_plan(question: str, plan: Plan, propose: Proposer) -> Plan | None:
    """The reader's plan where it is sure that a clause is there, or lacks, and a plan has the opposite."""
    found = propose(question)
    if found is None or found.plan is None or not found.is_whole:
        return None
    if found.reading.probability < _SURE_OF_POLARITY:
        return None
    said = _polarities(plan)
    for span in found.reading.of(SpanRole.CONDITION):
        is_sure = span.sureness >= SURE_OF_FIELD
        if is_sure and said.get(span.links[0].field, span.is_negated) != span.is_negated:
            note = Note(phrase="", reading=READ_AS_FOLLOW_UP, confidence=round(found.reading.probability, 4))
            return found.plan.model_copy(update={"notes": (*found.plan.notes, note)})
    return None


def _polarities(plan: Plan) -> dict[str, bool]:
    """True for the clauses that a plan wants to be missing, False for those that it wants to be there."""
    found: dict[str, bool] = {}
    for node in plan.nodes:
        for each in flattened(node.conditions) if isinstance(node, SelectionNode) else ():
            if each.op is Operator.MISSING:
                found[each.field] = True
            elif each.value == "true" or each.op is Operator.IS:
                found[each.field] = False
    return found


def _is_covered(phrase: str, reading: QuestionReading) -> bool:
    """True where words that a plan left out stand in a span of which the reader is sure."""
    return any(
        span.sureness >= SURE_OF_FIELD and phrase.casefold() in reading.text(span).casefold()
        for span in reading.spans
    )


def field_mentions(
    reading: QuestionReading,
    schema: str,
    roles: Sequence[SpanRole],
    least: float = LIKELY,
    among: Collection[str] = (),
) -> tuple[FieldMention, ...]:
    """The fields of a schema that spans of these parts mean, in order, each once. among: () for all."""
    found: dict[str, FieldMention] = {}
    for span in reading.of(*roles):
        fitting = (
            each for each in span.links if each.schema == schema and (not among or each.field in among)
        )
        link = next(fitting, None)
        probability = span.probability * link.probability if link is not None else 0.0
        if link is None or probability < least:
            continue
        made = FieldMention(link.field, span.role, span.is_negated, probability, reading.text(span))
        found.setdefault(link.field, made)
    return tuple(found.values())


def asks_for_value(reading: QuestionReading) -> bool:
    """True where the reader takes a text for a question after what is stated, rather than for a test."""
    likely = dict(reading.operations)
    looks_up = likely.get(Operation.LOOKUP, 0.0) + likely.get(Operation.LIST, 0.0)
    return looks_up >= likely.get(Operation.CHECK, 0.0) + likely.get(Operation.EXISTS, 0.0)
