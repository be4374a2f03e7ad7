"""Follow-ups as whole questions: with another name, or what was asked back.

A follow-up of a plan is an edit of it (`core.plan.conversation`). Behind an answer from text there is none:
where the question can be made whole exactly, it is; else it is searched for with what earlier turns add.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from core.agent.conversation.clarification import ENDS, named_choice
from core.domain.conversation import Turn
from core.plan.language.pieces import (
    DayRange,
    DocumentSet,
    FieldSenses,
    Filler,
    Noun,
    Parties,
    Piece,
    Values,
)
from core.plan.language.reading.read import ParsedQuestion

Reader = Callable[[str], ParsedQuestion]
"""Reads a question over the catalogue of the person who asks."""

_ABOUT = re.compile(
    r"^(?:(?:and|but|so|ok|also|then)[, ]+)?(?:(?:what|how) about|and|for|(?:and )?what of|same for) "
    r"(?:(?:the|for|in|with) )*(?P<name>.+?)[?.!]*$",
    re.IGNORECASE,
)
_NAMED = (Parties, DocumentSet, DayRange, Values, FieldSenses)


def rephrased(question: str, history: Sequence[Turn], read: Reader) -> str:
    """The whole question that a follow-up stands for; "" where it is one itself, or cannot be made one."""
    if not history:
        return ""
    last = history[-1]
    chosen = named_choice(question, last)
    if chosen is not None:
        return chosen[0].question
    earlier = (last.answer.question if last.answer is not None else last.question).strip(ENDS)
    about = _ABOUT.match(question.strip())
    return _with_another(earlier, about["name"], read) if about is not None else ""


def _with_another(earlier: str, name: str, read: Reader) -> str:
    """The earlier question with a name of the same kind in place of its own; "" where it has none."""
    new = [piece for piece in read(name).pieces if not isinstance(piece.meaning, Filler)]
    if len(new) != 1 and not (new and all(isinstance(each.meaning, (DocumentSet, Noun)) for each in new)):
        return ""
    kind = type(new[0].meaning)
    if kind not in _NAMED:
        return ""
    reading = read(earlier)
    same = [piece for piece in reading.pieces if type(piece.meaning) is kind]
    if not same and kind in (Parties, DocumentSet):
        same = [piece for piece in reading.pieces if isinstance(piece.meaning, (Parties, DocumentSet))]
    if len(same) != 1:
        return ""
    return f"{_replaced(reading, same[0], name)}?"


def _replaced(reading: ParsedQuestion, piece: Piece, name: str) -> str:
    start, end = reading.tokens[piece.first].start, reading.tokens[piece.end - 1].end
    owns = piece.text.endswith(("'s", "’s"))
    return f"{reading.question[:start]}{name}{chr(39) + 's' if owns else ''}{reading.question[end:]}"
