"""The one checker: judges any plan against its question, whoever read it, and says what may become of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from core.plan.catalogue import Catalogue
from core.plan.check.asked_work import wrong_work
from core.plan.check.context import CheckContext, CheckProblem, Problems, Severity
from core.plan.check.coverage import is_idle, lost_inside, lost_words, uncalled_fields, unstated_values
from core.plan.check.figures import invented_values, lost_figures
from core.plan.check.polarity import (
    carried_negation,
    contradictions,
    lost_negation,
    turned_comparison,
    unsaid_conditions,
    unsaid_negation,
)
from core.plan.check.which_one import is_called_so, single
from core.plan.clarify import Clarify, Option
from core.plan.ir.nodes import ComputationNode, Note, Plan
from core.plan.ir.validate import validate
from core.plan.reading import Reading

__all__ = ["CheckProblem", "PlanVerdict", "Severity", "asked_back", "check"]

LEAST_PROBABLE = 0.35
"""Probability from which on a reading of the trained reader may stand as the answer."""

LEAST_OFFERED = 0.1
"""The same, to be offered beside an answer from the text."""

DOUBTFUL = 0.6
"""Confidence above which no note of a plan is that leaves words out, or is doubted."""

_UNSURE = "It is not sure enough that the question is read rightly."


@dataclass(frozen=True, slots=True)
class PlanVerdict:
    """Judgement of a plan. plan: with the words that it leaves out; None where it is refused.

    problems: the gravest first. answers: it may stand as the answer; is_offered: it is worth offering beside
    an answer from the text.
    """

    plan: Plan | None
    problems: tuple[CheckProblem, ...]
    answers: bool = False
    is_offered: bool = False


def check(
    plan: Plan, reading: Reading, catalogue: Catalogue, earlier: tuple[Reading, ...] = ()
) -> PlanVerdict:
    """The judgement of a plan that was compiled of a reading, over what the asker may see.

    earlier: readings of the turns before, whose parts the question need not say again.
    """
    broken = tuple(
        CheckProblem("cannot_run", each.message, each.next_step) for each in validate(plan, catalogue)
    )
    if broken:
        return PlanVerdict(None, broken)
    context = CheckContext(plan, reading, catalogue, earlier)
    order = list(Severity)
    found = dict.fromkeys(problem for each in _CHECKS for problem in each(context))
    problems = tuple(sorted(found, key=lambda each: order.index(each.severity)))
    if any(each.severity is Severity.REFUSES for each in problems):
        return PlanVerdict(None, problems)
    judged = _judged(context, problems)
    is_trained = reading.by == "trained"
    is_probable = not is_trained or reading.probability >= LEAST_PROBABLE or is_called_so(context)
    is_figure = context.is_of_tables and isinstance(plan.node(plan.answer_node or ""), ComputationNode)
    least = LEAST_PROBABLE if is_figure else LEAST_OFFERED
    return PlanVerdict(
        judged,
        problems,
        answers=is_probable and not (is_trained and judged.uncovered),
        is_offered=not is_trained or reading.probability >= least,
    )


_CHECKS: tuple[Callable[[CheckContext], Problems], ...] = (
    lost_negation,
    turned_comparison,
    contradictions,
    invented_values,
    unsaid_conditions,
    wrong_work,
    lost_words,
    lost_figures,
    lost_inside,
    unstated_values,
    uncalled_fields,
    unsaid_negation,
    carried_negation,
)


def asked_back(reading: Reading) -> Clarify | None:
    """The question back that a reader wants asked; None where all is clear."""
    if reading.doubt is None:
        return None
    options = tuple(Option(label=each, question=each) for each in reading.doubt.options)
    return Clarify(
        type="several_meanings" if options else "vague",
        question=reading.question,
        reason=reading.doubt.reason,
        phrase=reading.doubt.words,
        options=options,
    )


def _judged(context: CheckContext, problems: tuple[CheckProblem, ...]) -> Plan:
    """The plan with the words that it leaves out, and no surer than its problems allow."""
    left = (each.words for each in problems if each.severity is Severity.LEAVES_OUT)
    known = (each for each in context.plan.uncovered if not is_idle(each, context))
    uncovered: list[str] = []
    for words in dict.fromkeys((*left, *known)):
        if words and not any(f" {words} ".casefold() in f" {each} ".casefold() for each in uncovered):
            uncovered.append(words)
    notes = context.plan.notes
    is_trained, sure = context.reading.by == "trained", context.reading.probability
    if problems:
        most = LEAST_PROBABLE if is_trained else DOUBTFUL
        notes = tuple(n.model_copy(update={"confidence": min(n.confidence, most)}) for n in notes)
    if is_trained and sure < LEAST_PROBABLE:
        notes = (*notes, Note(phrase="", reading=_UNSURE, confidence=sure))
    one = context.plan.single or single(context)
    return context.plan.model_copy(update={"uncovered": tuple(uncovered), "notes": notes, "single": one})
