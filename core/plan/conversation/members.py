"""Turns that keep, or leave out, documents of the set in hand that they call by name or by place."""

from __future__ import annotations

import re
from collections.abc import Iterator

from core.plan.conversation.alteration import with_base
from core.plan.conversation.edit import Edit, FollowUpPlan
from core.plan.conversation.setting import TurnSetting
from core.plan.conversation.subject import named_documents
from core.plan.conversation.turn import Move, PointerKind, phrases, read_turn
from core.plan.language.pieces import (
    Aspect,
    DayRange,
    DocumentSet,
    FieldSenses,
    Filler,
    Noun,
    Parties,
    Quantity,
    Values,
)

_AND = re.compile(r"\s*(?:,|;|&|\+)\s*(?:and\s+|or\s+|plus\s+)?|\s+(?:and|or|plus)\s+", re.IGNORECASE)
_ARTICLE = re.compile(r"^(?:the|that|this|those|these|both|with|from|for|of)\s+", re.IGNORECASE)
_DESCRIBING = (FieldSenses, Values, DayRange, Quantity, Aspect)


def choose_members(at: TurnSetting) -> FollowUpPlan | None:
    """The set with, or without, members that a turn names; None where it does not name members alone."""
    documents, moves = at.in_hand.documents, at.turn.moves
    if len(documents) < 2 or at.base is None or at.anchor is None or at.base.of != "documents":
        return None
    if moves & {Move.WHY, Move.AMONG, Move.RETURNING, Move.INSTEAD, Move.EITHER} or at.is_check or at.counts:
        return None
    if Move.EXCLUDING in moves:
        gone = set(members(at, at.turn.rest))
        left = tuple(id for id in documents if id not in gone)
        return _of(at, left) if gone and left else None
    text = at.turn.text
    found = members(at, text)
    is_choice = Move.NARROWING in moves and bool(at.turn.of(PointerKind.NAMED, PointerKind.NTH))
    is_several = len(found) > 1 and len(_AND.split(text)) > 1
    if is_several or (found and is_choice):
        return _of(at, tuple(id for id in documents if id in set(found)))
    return None


def _of(at: TurnSetting, documents: tuple[str, ...]) -> FollowUpPlan | None:
    if at.anchor is None or at.base is None:
        return None
    scope = at.base.scope.model_copy(update={"documents": documents})
    return FollowUpPlan(with_base(at.anchor, at.base.model_copy(update={"scope": scope})), Edit.ADD)


def members(at: TurnSetting, text: str) -> tuple[str, ...]:
    """The documents in hand that a text names; () where a part of it names none of them, or says more."""
    parts = [each for each in _AND.split(text) if each.strip()]
    found = [_called(at, each) for each in parts] if len(parts) > 1 else []
    if not found or not all(found):
        return _called(at, text)
    shared = set(found[0]).intersection(*found[1:])  # two sides of one document
    return tuple(dict.fromkeys(id for some in found for id in some if not shared or id in shared))


def _called(at: TurnSetting, text: str) -> tuple[str, ...]:
    """The documents in hand that one name, or one place, means."""
    documents = at.in_hand.documents
    turn = read_turn(text, at.noun)
    places = turn.of(PointerKind.NTH)
    if places and not turn.blanked.strip(" .,;:!?"):
        nth = [each.nth if each.nth < 0 else each.nth - 1 for each in places]
        return tuple(documents[each] for each in nth if -len(documents) <= each < len(documents))
    words = list(_names(text))
    name = " ".join(words)
    if len(words) > 2 and not _is_name(at, name) and not _has_value(at, name):
        name = " ".join(words[:-1])  # "the Blue Sonos franchise"
    if not _is_name(at, name):
        return ()
    inside = set(documents)
    found = named_documents(name, at.catalogue, documents, at.schema)
    return tuple(each.id for each in found if each.id in inside)


def _names(text: str) -> Iterator[str]:
    """The words of a text that may be part of a name: without articles and the nouns behind them."""
    bare = _ARTICLE.sub("", text.strip())
    words = [word.removesuffix("'s").removesuffix("’s") for word in bare.split()]
    while words and words[-1].casefold().strip(".,;:!?") in _HEADS:
        words.pop()
    yield from words


_HEADS = frozenset((*phrases("thing"), *phrases("things"), "one", "ones"))


def _has_value(at: TurnSetting, name: str) -> bool:
    return any(isinstance(piece.meaning, Values) for piece in at.read(name).pieces)


def _is_name(at: TurnSetting, name: str) -> bool:
    """True where words name somebody, and describe nothing: "Delaware" and "exclusive" are no names."""
    meanings = [p.meaning for p in at.read(name).pieces if not isinstance(p.meaning, Filler)]
    if any(isinstance(each, Parties | DocumentSet) for each in meanings):
        return not any(isinstance(each, Noun) and each.is_plural for each in meanings)
    return bool(meanings) and not any(isinstance(each, (*_DESCRIBING, Noun)) for each in meanings)
