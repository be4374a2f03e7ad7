"""Follow-ups: a turn of a conversation as an edit of the last reading, over the result set in hand.

The trained reader tells how a turn goes on (`RELATIONS`) and what its words mean; the last reading is what is
edited. Where the set cannot be said by conditions, the turn goes on from the set itself.
"""

from __future__ import annotations

from collections.abc import Callable

from core.domain.answer import Route
from core.plan.catalogue import Catalogue
from core.plan.check.coverage import IDLE
from core.plan.conversation_state import ConversationState
from core.plan.following.asking import ask, ask_member, count, explain, reorder
from core.plan.following.changes import complement, exchange, narrow, undo, widen
from core.plan.following.turn import Followed, TurnInHand, turn_in_hand
from core.plan.kinds import kind_names
from core.plan.reader.reading import RELATIONS, QuestionReading
from core.plan.reading import Operation, Reading
from core.plan.reading_edits import FIGURES, edited
from core.plan.reading_words import in_words
from core.text.analyse import content_terms
from core.text.asking import points_at_several

LEAST_RELATED = 0.5
"""Probability of all relations but "new" from which on a turn goes on from the set in hand."""

_BARELY_RELATED = 0.2  # the same, of a turn that names no kind and no document
_SURELY_RELATED = 0.75  # the same, of a turn that says everything that a question needs
_OF_WORDS_ALONE = ("undo", "rest", "ordinal", "explain", "count")  # relations that words are spent on
_CHANGES = ("narrow", "replace", "widen")  # of the set that is spoken of
_NEEDS_FIELDS = ("narrow", "replace", "ask", "order")
_EDITS: dict[str, Callable[[TurnInHand], Followed | None]] = {
    "narrow": narrow,
    "replace": exchange,
    "widen": widen,
    "ask": ask,
    "order": reorder,
    "count": count,
    "undo": undo,
    "ordinal": ask_member,
    "rest": complement,
    "explain": explain,
}


def follow(
    read: QuestionReading, turn: Reading, state: ConversationState, catalogue: Catalogue
) -> Followed | None:
    """The whole reading of a turn; None where it stands alone, or nothing was said that it could go on from.

    read: the turn as the reader read it, `in_context`; turn: the same as a reading. What has to be asked back
    is the doubt of the reading. Never raises for what a person may type.
    """
    at = turn_in_hand(read, turn, state, catalogue)
    relation = relation_of(read, turn, catalogue)
    if at is None or relation == "new" or turn.operation is Operation.HELP or not _may_follow(at, relation):
        return None
    if relation == "rest" and turn.conditions:
        relation = "replace"  # "and those without insurance"
    if relation == "ask" and turn.of_role("document") and not (turn.asked or turn.conditions):
        relation = "replace"
    try:
        found = _EDITS[relation](at)
    except ValueError:  # more steps or conditions than a reading holds
        return None
    return _finished(found, at, relation) if found is not None else None


def _may_follow(at: TurnInHand, relation: str) -> bool:
    """True where a turn says what its relation needs, and no text has to tell it."""
    turn = at.turn
    is_of_text = turn.operation is Operation.TEXT and relation in _NEEDS_FIELDS
    last = at.state.last_plan
    is_of_hits = last is not None and last.route is not Route.STRUCTURED  # which are no set
    if is_of_hits and relation in _CHANGES and not points_at_several(turn.question):
        return False
    if at.last.is_of_text and (relation not in ("ask", "replace") or is_of_text):
        return False
    if is_of_text and not (turn.conditions or turn.names):
        return False
    says = turn.conditions or turn.names or turn.within or at.says_work or turn.operation in FIGURES
    return bool(says) or relation not in ("narrow", "replace")


def relation_of(read: QuestionReading, turn: Reading, catalogue: Catalogue) -> str:
    """How a turn goes on; one that speaks of "those" is never new, however much it says.

    One that names no kind and no document of its own ("only New York's") is new only where that is sure.
    """
    is_bare = not turn.names and not kind_names(catalogue).find(turn.question)
    is_related = goes_on(read, turn, _BARELY_RELATED if is_bare else LEAST_RELATED)
    if not read.relations or not (is_related or points_at_several(turn.question)):
        return "new"
    return max(RELATIONS[1:], key=lambda each: dict(read.relations).get(each, 0.0))


def goes_on(read: QuestionReading, turn: Reading, least: float = LEAST_RELATED) -> bool:
    """True where a question is read as one that goes on from another. least: so probable."""
    is_whole = bool(turn.names) and bool(turn.conditions or turn.asked or turn.order or turn.groups)
    least = _SURELY_RELATED if is_whole else least
    return bool(read.relations) and 1.0 - dict(read.relations).get("new", 0.0) >= least


def _finished(found: Followed, at: TurnInHand, relation: str) -> Followed:
    """The reading, worded as a whole question; words of the turn that nothing took stay uncovered."""
    reading, turn = found.reading, at.turn
    is_back = relation == "widen" and len(reading.conditions) < len(at.base.conditions)
    is_of_figure = relation == "order" and (reading.operation is Operation.GROUP or turn.order is None)
    is_spent = relation in _OF_WORDS_ALONE or is_back or is_of_figure
    whole = edited(
        reading,
        question=turn.question,
        by=turn.by,
        uncovered=() if is_spent else tuple(filter(has_content, turn.uncovered)),
        aside=turn.aside,
        probability=turn.probability,
        wordings=(),
    )
    if whole.doubt is None:
        whole = edited(whole, question=in_words(whole, at.catalogue))
    return Followed(whole, found.keeps_set)


def has_content(words: str) -> bool:
    """True where some of these words ask for something by themselves."""
    return any(content_terms(each) and each.casefold() not in IDLE for each in words.split())
