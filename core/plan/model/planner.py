"""The planning model: a question sorted, divided and planned in one call, every part of it checked."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from core.domain.llm.use import ModelOutcome, ModelRole
from core.errors import LlmError, PlanError
from core.llm.base import ModelCalls
from core.llm.prompts import fence, load_prompt
from core.plan.catalogue import Catalogue
from core.plan.guards.lost_words import with_lost_words
from core.plan.ir.nodes import Plan
from core.plan.ir.validate import check
from core.plan.model.catalogue_text import catalogue_text
from core.plan.model.conversion import plan_from
from core.plan.model.coverage import unmet, unsaid
from core.plan.model.reading import QuestionSorting, reading_of
from core.plan.model.reply import PlannedStep, PlanReply

CATALOGUE_TOKENS = 2_000
_MOST_BUCKETS = 20


def read_question(
    question: str, catalogue: Catalogue, calls: ModelCalls, buckets: tuple[str, ...], today: date
) -> QuestionSorting:
    """The planning model's reading. Raises LlmError where it plans and gives no plan that could run.

    Its plan is None where it has no steps, as where text answers the question.
    A plan that the language or the validation refuses goes back once, with what is wrong with it.
    """
    known = tuple(buckets) or tuple(sorted({each.bucket for each in catalogue.documents}))
    told = catalogue_text(catalogue, question, CATALOGUE_TOKENS)
    words = {
        "question": fence("question", question),
        "catalogue": fence("catalogue", told.text),
        "today": today.isoformat(),
        "buckets": fence("buckets", ", ".join(known[:_MOST_BUCKETS])),
    }
    reply = calls.structured(load_prompt("plan", ModelRole.PLAN, **words, problem=""), PlanReply)
    asked = _Asked(question, catalogue, buckets, known, told.documents, today)
    try:
        return _checked(reply, asked)
    except PlanError as error:
        problem = f"Your last plan cannot run: {error.explanation}"
    again = load_prompt("plan", ModelRole.PLAN, **words, problem=fence("problem", problem))
    reply = calls.structured(again, PlanReply)
    try:
        return _checked(reply, asked)
    except PlanError as error:
        raise LlmError(
            f"The planning model made no plan that can run: {error.message}",
            outcome=ModelOutcome.INVALID,
            next_step="Ask in other words.",
        ) from error


@dataclass(frozen=True, slots=True)
class _Asked:
    """A question with what it was told beside. buckets: () for all; known: those that may be named."""

    question: str
    catalogue: Catalogue
    buckets: tuple[str, ...]
    known: tuple[str, ...]
    documents: dict[str, str]
    today: date


def _checked(reply: PlanReply, asked: _Asked) -> QuestionSorting:
    """The reading with its plan as far as that passes every check. Raises PlanError where it has to plan."""
    question, catalogue = asked.question, asked.catalogue
    reading = reading_of(reply, question, None, catalogue, asked.known)
    if not reply.steps or reading.is_general:
        return reading
    try:
        plan = _plan(reply, asked, reading.buckets or asked.buckets)
    except PlanError:
        if reply.decision == "plan":
            raise
        return reading  # steps for a fallback, which nobody has to have
    return reading_of(reply, question, plan, catalogue, asked.known)


def _plan(reply: PlanReply, asked: _Asked, buckets: tuple[str, ...]) -> Plan:
    question, catalogue = asked.question, asked.catalogue
    plan = plan_from(_of_kind(reply, catalogue), question, buckets, asked.documents, asked.today)
    check(plan, catalogue)
    missing = (*unsaid(question, plan, catalogue), *unmet(reply.constraints, question, plan, catalogue))
    uncovered = tuple(dict.fromkeys((*plan.uncovered, *missing)))
    guarded = with_lost_words(question, plan.model_copy(update={"uncovered": uncovered}), catalogue)
    assert isinstance(guarded, Plan)  # a plan stays one
    return guarded


def _of_kind(reply: PlanReply, catalogue: Catalogue) -> PlanReply:
    """The reply with its kind of document in selections of documents that name neither kind nor input."""
    if catalogue.schema(reply.document_kind) is None:
        return reply

    def is_open(step: PlannedStep) -> bool:
        return step.do == "select" and not (step.kind or step.documents or step.inputs)

    steps = [
        step.model_copy(update={"kind": reply.document_kind}) if is_open(step) else step
        for step in reply.steps
    ]
    return reply.model_copy(update={"steps": steps})
