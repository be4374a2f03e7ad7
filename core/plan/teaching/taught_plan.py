"""The plan of a marked question, or what keeps its marks from making one."""

from __future__ import annotations

from dataclasses import dataclass

from core.plan.catalogue import Catalogue
from core.plan.clarify import AskBackError
from core.plan.compile.compiler import compile_reading
from core.plan.compile.context import CompileContext, ReadingError
from core.plan.ir.nodes import Plan
from core.plan.ir.validate import validate
from core.plan.reader.reading import Operation, SpanRole
from core.plan.reader.to_reading import reading_of
from core.plan.teaching.marking import Mark, Marking, marked_reading
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


def taught_plan(question: str, marking: Marking, context: CompileContext) -> TaughtPlan:
    """The plan that a marked question comes to over a catalogue; the same every time."""
    if marking.operation is Operation.TEXT:
        plan = text_plan(classify(question), question, context.buckets, today=context.today.isoformat())
        return TaughtPlan(plan) if plan.nodes else TaughtPlan(None, "This asks nothing of the text.")
    if not marking.marks:
        step = "Choose words, then the field that they speak of."
        return TaughtPlan(None, "No words are marked yet.", step)
    roles = {mark.part.role for mark in marking.marks}
    if not roles & _NEEDED.get(marking.operation, roles):
        return _not_whole(marking)
    try:
        plan = _compiled(question, marking, context)
    except AskBackError as needs:
        return TaughtPlan(None, needs.clarify.reason, "Mark more of the words by which it is known.")
    except ReadingError as error:
        for number, mark in enumerate(marking.marks):
            if error.words and error.words in question[mark.start : mark.end]:
                return _unreadable(question, mark, number, context.catalogue, marking.schema_name)
        return _not_whole(marking)
    for problem in validate(plan, context.catalogue):
        return TaughtPlan(None, problem.message, problem.next_step)
    return TaughtPlan(plan)


_MORE = "Mark the words that say which documents are meant."
_LACKING = {
    Operation.LOOKUP: "A value is looked up where words name a document, and others what is asked for.",
    Operation.CHECK: "A yes or no needs the words that name a document, and what it is to have.",
    Operation.COMPUTE: "Mark the words for the amount that is computed as “asked for”.",
    Operation.GROUP: "Mark the words by which the results are grouped.",
    Operation.RANK: "Mark the words that say by what is ordered.",
    Operation.COMPARE: "Mark two documents or organisations, and what is compared of them.",
}
_NEEDED = {
    Operation.COMPUTE: {SpanRole.ASKED},
    Operation.GROUP: {SpanRole.GROUP, SpanRole.ASKED},
    Operation.RANK: {SpanRole.ORDER, SpanRole.ASKED},
}
"""Parts of which one has to be marked."""
_AS = {
    SpanRole.DOCUMENT: "as the name of a document",
    SpanRole.PARTY: "as the name of an organisation",
    SpanRole.KIND: "as a kind of document",
    SpanRole.ORDER: "as an order",
}


def _compiled(question: str, marking: Marking, context: CompileContext) -> Plan:
    """The plan of marks. Raises ReadingError, also where the words of one are no value, and AskBackError."""
    reading = reading_of(marked_reading(question, marking), context.catalogue, context.today)
    read = {each.words for step in reading.all_steps for each in step.conditions}
    read |= {each.words for step in reading.all_steps for each in step.names}  # a kind, said as a value
    for mark in marking.marks:
        words = question[mark.start : mark.end]
        if mark.part.role is SpanRole.VALUE and words not in read:
            raise ReadingError("These words are no value.", words=words)
    return compile_reading(reading.model_copy(update={"by": "person", "probability": 1.0}), context)


def _not_whole(marking: Marking) -> TaughtPlan:
    return TaughtPlan(None, "These marks make no whole reading yet.", _LACKING.get(marking.operation, _MORE))


def _unreadable(question: str, mark: Mark, number: int, catalogue: Catalogue, schema: str) -> TaughtPlan:
    words = question[mark.start : mark.end]
    field = catalogue.field(mark.field, schema) if mark.field else None
    title, is_value = field.title.lower() if field is not None else "", mark.part.role is SpanRole.VALUE
    said = f"as a value of {title}" if is_value else _AS.get(mark.part.role, "so")
    step = f"Mark {'the value with them' if is_value else 'other words'}, or choose what else they say."
    return TaughtPlan(None, f"“{words}” cannot be read {said} here.", step, number)
