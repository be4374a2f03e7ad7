"""What was chosen in a conversation for words with several meanings: they mean the same later."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from core.domain.answer import Choice, Kind, Route, Status, Understood
from core.domain.conversation import Turn
from core.plan.clarify import Clarify
from core.plan.ir.nodes import Plan

Way = Literal["", "text", "whatever", "afresh"]
"""text: search the text of everything. whatever: do so where something would have to be asked back.
afresh: as if nothing had been chosen in the conversation.
"""

ENDS = "?.! "  # of a question, which choices do not have
MOST = 4  # choices that one question may need


@dataclass(frozen=True, slots=True)
class Reading:
    """A question in the words that were chosen, and what was understood for that."""

    question: str
    understood: Understood


def named_choice(question: str, last: Turn) -> tuple[Choice, Understood | None] | None:
    """The choice of the last answer's question back that was typed, and what that says of its words."""
    answer = last.answer
    if answer is None or answer.status is not Status.CLARIFY or answer.clarification is None:
        return None
    said, phrase = question.strip(ENDS).casefold(), answer.clarification.phrase
    options = answer.clarification.options
    exact = [each for each in options if each.label.casefold() == said]
    near = exact or [each for each in options if said and said in each.label.casefold()]
    if len(near) != 1:
        return None
    return near[0], Understood(phrase=phrase, meaning=near[0].label) if phrase else None


def chosen_before(history: Sequence[Turn]) -> dict[str, Understood]:
    """What was understood in the earlier turns, by the words that it is about; the latest counts."""
    return {
        each.phrase.casefold(): each
        for turn in history
        if turn.answer is not None
        for each in turn.answer.understood
        if each.phrase
    }


def stands_alone(plan: Plan | Clarify) -> bool:
    """Whether a question without pointers is whole although it is short: it asks for a set or a figure of
    documents by their kind, or its words need a choice before they mean anything.
    """
    if isinstance(plan, Clarify):
        return plan.type in ("several_meanings", "overload")
    return plan.route is Route.STRUCTURED and plan.kind is not Kind.LOOKUP and not plan.uncovered


def read_as_before(clarify: Clarify, known: dict[str, Understood]) -> Reading | None:
    """The question as the same words were meant before; None where nothing was chosen for them."""
    found = known.get(clarify.phrase.casefold()) if clarify.phrase else None
    if found is None:
        return None
    offered = next((o for o in clarify.options if o.label.casefold() == found.meaning.casefold()), None)
    if offered is not None:
        return Reading(offered.question, found)
    whole_words = re.compile(rf"(?<!\w){re.escape(clarify.phrase)}(?!\w)", re.IGNORECASE)
    said = whole_words.sub(lambda _match: found.meaning, clarify.question, count=1)
    return None if said == clarify.question else Reading(said, found)
