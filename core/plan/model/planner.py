"""The planning model: a plan that has passed every check a planner's does, or none."""

from __future__ import annotations

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
from core.plan.model.coverage import unsaid
from core.plan.model.reply import PlanReply

CATALOGUE_TOKENS = 2_000


def propose(
    question: str, catalogue: Catalogue, calls: ModelCalls, buckets: tuple[str, ...], today: date
) -> Plan | None:
    """The plan of the planning model. Raises LlmError where it gives none that could run.

    None where it says that text answers the question.
    A plan that the language or the validation refuses goes back once, with what is wrong with it.
    """
    told = catalogue_text(catalogue, question, CATALOGUE_TOKENS)
    words = {
        "question": fence("question", question),
        "catalogue": fence("catalogue", told.text),
        "today": today.isoformat(),
    }
    reply = calls.structured(load_prompt("plan", ModelRole.PLAN, **words, problem=""), PlanReply)
    try:
        return _checked_plan(reply, question, catalogue, buckets, told.documents, today)
    except PlanError as error:
        problem = f"Your last plan cannot run: {error.message} {error.next_step}"
    again = load_prompt("plan", ModelRole.PLAN, **words, problem=fence("problem", problem))
    reply = calls.structured(again, PlanReply)
    try:
        return _checked_plan(reply, question, catalogue, buckets, told.documents, today)
    except PlanError as error:
        raise LlmError(
            f"The planning model made no plan that can run: {error.message}",
            outcome=ModelOutcome.INVALID,
            next_step="Ask in other words.",
        ) from error


def _checked_plan(
    reply: PlanReply,
    question: str,
    catalogue: Catalogue,
    buckets: tuple[str, ...],
    documents: dict[str, str],
    today: date,
) -> Plan | None:
    if reply.decision != "plan" or not reply.steps:
        return None
    plan = plan_from(reply, question, buckets, documents, today)
    check(plan, catalogue)
    missing = [each for each in unsaid(question, plan, catalogue) if each not in plan.uncovered]
    plan = plan.model_copy(update={"uncovered": (*plan.uncovered, *missing)})
    guarded = with_lost_words(question, plan, catalogue)
    assert isinstance(guarded, Plan)  # a plan stays one
    return guarded
