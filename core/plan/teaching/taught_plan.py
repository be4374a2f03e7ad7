"""The plan of a marked question, or what keeps its marks from making one."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from core.domain.answer import Route
from core.plan.ir.nodes import Plan
from core.plan.ir.validate import validate
from core.plan.language.lexicon.meaning import Known
from core.plan.reader.proposal import Proposal, propose
from core.plan.reader.reading import Operation, SpanRole
from core.plan.teaching.marking import Mark, Marking, reading_of
from core.plan.text.classify import classify
from core.plan.text.text_plan import text_plan


@dataclass(frozen=True, slots=True)
class TaughtPlan:
    """Plan of a marking; None where it makes none, for a problem, with what to do about it.

    unread: the mark, by its number, whose words cannot be read as it says.
    """

    plan: Plan | None
    problem: str = ""
    next_step: str = ""
    unread: int | None = None


def taught_plan(question: str, marking: Marking, known: Known, today: date) -> TaughtPlan:
    """The plan that a marked question comes to over a catalogue; the same every time."""
    if marking.operation is Operation.TEXT:
        plan = text_plan(classify(question), question, known.buckets, today=today.isoformat())
        return TaughtPlan(
            plan if plan.nodes else None, "" if plan.nodes else "This asks nothing of the text."
        )
    if not marking.marks:
        return TaughtPlan(
            None, "No words are marked yet.", "Choose words, then the field that they speak of."
        )
    proposal = _proposed(question, marking, known, today)
    if proposal.plan is not None:
        return _checked(proposal.plan, known)
    if proposal.clarify is not None:
        return TaughtPlan(None, proposal.clarify.reason, "Mark more of the words by which it is known.")
    for number, mark in enumerate(marking.marks):
        rest = marking.without(number)
        if rest.marks and _proposed(question, rest, known, today).plan is not None:
            return _unreadable(question, mark, number, known, marking.schema_name)
    if len(marking.marks) == 1 and marking.marks[0].part.role in _READ:
        return _unreadable(question, marking.marks[0], 0, known, marking.schema_name)
    return TaughtPlan(None, "These marks make no whole reading yet.", _LACKING.get(marking.operation, _MORE))


_MORE = "Mark the words that say which documents are meant."
_LACKING = {
    Operation.LOOKUP: "A value is looked up where words name a document, and others what is asked for.",
    Operation.CHECK: "A yes or no needs the words that name a document, and what it is to have.",
    Operation.COMPUTE: "Mark the words for the amount that is computed as “asked for”.",
    Operation.GROUP: "Mark the words by which the results are grouped.",
    Operation.RANK: "Mark the words that say by what is ordered.",
    Operation.COMPARE: "Mark two documents or organisations, and what is compared of them.",
}
_READ = (SpanRole.VALUE, SpanRole.DOCUMENT, SpanRole.PARTY, SpanRole.KIND)
_AS = {
    SpanRole.DOCUMENT: "as the name of a document",
    SpanRole.PARTY: "as the name of an organisation",
    SpanRole.KIND: "as a kind of document",
    SpanRole.ORDER: "as an order",
}


def _proposed(question: str, marking: Marking, known: Known, today: date) -> Proposal:
    return propose(reading_of(question, marking), known, today)


def _checked(plan: Plan, known: Known) -> TaughtPlan:
    for problem in validate(plan, known.lexicon.catalogue):
        return TaughtPlan(None, problem.message, problem.next_step)
    if plan.route is not Route.STRUCTURED:
        return TaughtPlan(None, "These marks make no whole reading yet.", _MORE)
    return TaughtPlan(plan)


def _unreadable(question: str, mark: Mark, number: int, known: Known, schema: str) -> TaughtPlan:
    words = question[mark.start : mark.end]
    field = known.lexicon.catalogue.field(mark.field, schema) if mark.field else None
    title = field.title.lower() if field is not None else ""
    said = f"as a value of {title}" if mark.part.role is SpanRole.VALUE else _AS.get(mark.part.role, "so")
    step = "Mark the value with them, or choose what else they say."
    if mark.part.role is not SpanRole.VALUE:
        step = "Mark other words, or choose what else they say."
    return TaughtPlan(None, f"“{words}” cannot be read {said} here.", step, number)
