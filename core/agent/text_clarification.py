"""What is asked back where the text was searched: nothing to look for, nothing found, or several that fit."""

from __future__ import annotations

from collections.abc import Sequence

from core.agent.scope import Scope
from core.domain.answer import Attempt, Choice, Claim, Clarification
from core.plan.clarify import option_for
from core.plan.ir.nodes import Plan
from core.plan.text.text_plan import searches


def vague(reason: str) -> Clarification:
    """A question that names nothing."""
    hints = (
        "Say what you want to know and, if you can, about which document, party or product.",
        "For example: “What is the notice period in the services agreement?”",
        "Ask “What can you do?” to see the kinds of questions that work.",
    )
    return Clarification(type="vague", reason=reason, hints=hints)


def which_rival(question: str, phrase: str, claims: Sequence[Claim]) -> Clarification:
    """One document is meant by `phrase`, and several say different things."""
    cited = {claim.citations[0].document: claim.citations[0].title for claim in claims}
    reason = f"“{phrase}” may be any of {len(cited)} documents, which say different things. Which of them?"
    choices = [option_for(question, phrase, title, 1) for title in cited.values()]
    return Clarification(
        type="vague",
        reason=reason,
        attempts=(Attempt(tool="search", args={"text": question}, hits=len(cited)),),
        hints=tuple(cited.values()),
        phrase=phrase,
        options=tuple(Choice.model_validate(each.model_dump()) for each in choices),
    )


def nothing_in(scope: Scope) -> str:
    """A sentence on a search that found nothing."""
    return "There are no documents yet." if scope.is_empty else f"Nothing was found in {scope.label}."


def nothing_found(plan: Plan, scope: Scope) -> Clarification:
    """What was tried, and what may help."""
    attempts = tuple(
        Attempt(
            tool="search",
            args={"text": node.text, "buckets": list(node.scope.buckets)},
            hits=node.ran.hits if node.ran else 0,
        )
        for node in searches(plan)
    )
    hints: tuple[str, ...] = (
        "Use other words.",
        "Widen the scope to all buckets.",
        "Add the documents that hold the answer.",
    )
    if scope.is_empty:
        hints = ("Add documents on the Documents page, or run: groundwork ingest FOLDER",)
    return Clarification(type="no_low", reason=nothing_in(scope), attempts=attempts, hints=hints)
