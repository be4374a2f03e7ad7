"""Questions back of a turn, with options that go on from what is in hand as the turn does."""

from __future__ import annotations

import re
from collections.abc import Callable

from core.plan.clarify import Clarify, Option
from core.plan.ir.nodes import Plan


def in_other_words(question: str, phrase: str, other: str) -> str:
    """A question with other words in place of a phrase, once; as it is where the phrase does not stand in it.

    Of whole words alone: the "it" of "bite" is none.
    """
    place = re.compile(rf"(?<!\w){re.escape(phrase)}(?!\w)", re.IGNORECASE)
    return place.sub(lambda _found: other, question, count=1) if phrase else question


def ask_in_turn(clarify: Clarify, question: str, restrict: Callable[[Plan], Plan | None]) -> Clarify:
    """The question back of a whole question that a turn stands for, as one of the turn itself.

    Options say the turn in other words; their plans are restricted to what is in hand, as far as they can be:
    a plan that is chosen runs as it is.
    """

    def option(each: Option) -> Option:
        if each.plan is not None:
            return each.model_copy(update={"plan": restrict(each.plan) or each.plan, "question": question})
        said = in_other_words(question, clarify.phrase, each.label)
        return each.model_copy(update={"question": said if said != question else each.question})

    options = tuple(option(each) for each in clarify.options)
    return clarify.model_copy(update={"question": question, "options": options})
