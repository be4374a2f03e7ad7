"""What is asked back about a plan: a missing word, a hop that is ambiguous, a list that is too long."""

from __future__ import annotations

from core.agent.request import Asked, Cutoffs, answer_to
from core.answer.export import address
from core.answer.markdown import escape
from core.domain.answer import Answer, Attempt, Choice, Clarification, Degradation, Route, Status
from core.domain.results import Documents, Result, Stopped
from core.plan.clarify import ABSENCES, Clarify, option_for
from core.plan.ir.nodes import Hop, Plan
from core.plan.text.text_plan import searches
from core.retrieval.executor import PlanFinished

_TYPES = {"no_match": "no_low", "absent": "no_low", "unreadable": "no_low", "overload": "overload"}


def ask_back(clarify: Clarify, asked: Asked, unread: str = "") -> Answer:
    """The answer to a question that needs another word, or that names what is not there.

    unread: a sentence on documents that could not be read, which may hold what seems absent.
    """
    is_absence = clarify.type in ABSENCES
    clarification = Clarification.model_validate(
        {
            "type": _TYPES.get(clarify.type, "vague"),
            "reason": clarify.reason,
            "attempts": clarify.attempts,
            "hints": tuple(option.label for option in clarify.options),
            "phrase": clarify.phrase,
            "options": tuple(Choice.model_validate(option.model_dump()) for option in clarify.options),
            "export": address(asked.trace_id) if clarify.type == "overload" and asked.is_kept else None,
        }
    )
    text = f"No answer: {clarify.reason} {unread}".strip() if is_absence else clarify.reason
    return answer_to(
        asked,
        None,
        status=Status.ABSTAINED if is_absence else Status.CLARIFY,
        text=escape(text),
        gaps=(clarify.phrase,) if is_absence and clarify.phrase else (),
        clarification=clarification,
    )


def hop_of(plan: Plan, id: str) -> Hop | None:
    """The hop of that id; None where it is another node."""
    return next((node for node in plan.nodes if node.id == id and isinstance(node, Hop)), None)


def stopped(plan: Plan, why: Stopped | None, asked: Asked) -> Answer | None:
    """A question back where a node needs a word; an answer that says what is wrong where it failed."""
    if why is None:
        return None
    if why.is_question:
        hop = hop_of(plan, why.node)
        phrase = hop.phrase if hop is not None else ""
        options = tuple(_choice(asked.question, phrase, each) for each in why.options)
        reason = why.reason
        if phrase and options:
            reason = f"“{phrase}” may be any of {len(options)}: {', '.join(why.options)}. Which do you mean?"
        clarification = Clarification(
            type="vague" if options else "no_low",
            reason=reason,
            phrase=phrase,
            attempts=_attempts(plan),
            hints=why.options or ((why.next_step,) if why.next_step else ()),
            options=options,
        )
        return answer_to(asked, plan, status=Status.CLARIFY, text=escape(reason), clarification=clarification)
    if Route.HYBRID in plan.fallbacks:
        return None
    text = escape(f"{why.reason} {why.next_step}".strip())
    code = str(why.detail.get("code", "E004"))
    return answer_to(
        asked,
        plan,
        status=Status.FAILED,
        text=text,
        degradations=(Degradation(code=code, message=f"{why.reason} {why.next_step}".strip()),),
    )


def _choice(question: str, phrase: str, value: str) -> Choice:
    """The question with a value in place of what it stands for, or behind it."""
    if phrase and phrase.casefold() in question.casefold():
        return Choice(label=value, question=option_for(question, phrase, value).question)
    return Choice(label=value, question=f"{question} ({value})")


def _attempts(plan: Plan) -> tuple[Attempt, ...]:
    texts = {node.id: node.text for node in searches(plan)}
    return tuple(
        Attempt(
            tool=node.type,
            args={"text": texts[node.id]} if node.id in texts else {"purpose": node.purpose},
            hits=node.ran.hits if node.ran else 0,
        )
        for node in plan.nodes
    )


def too_many(done: PlanFinished, given: Result, cutoffs: Cutoffs, asked: Asked) -> Clarification | None:
    """Ways to narrow a list of more documents than anybody reads; the list itself is whole."""
    count = len(given.present) if isinstance(given, Documents) else 0
    if count <= cutoffs.max_hits:
        return None
    return Clarification(
        type="overload",
        reason=f"{count:,} documents fulfil this. The table holds all of them.",
        attempts=_attempts(done.plan),
        hints=("Add a condition.", "Ask how many there are in each group.", "Choose one bucket."),
        export=address(asked.trace_id) if asked.is_kept else None,
    )
