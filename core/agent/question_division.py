"""Division of a text into the questions that it asks, at the ends of its sentences."""

from __future__ import annotations

from collections.abc import Callable

from core.plan.reading import Operation, Reading
from core.text.analyse import text_terms

MOST_QUESTIONS = 4
_LEAST_TERMS = 1
_ENDS = "?;"
_ASKS = (Operation.TEXT, Operation.HELP)


def divided(text: str, read: Callable[[str], Reading]) -> tuple[str, ...]:
    """The questions of a text, in order; () where it is one, or a part of it asks nothing by itself.

    Parted behind question marks and at semicolons. A part that only carries another ("I have two questions:")
    asks nothing, and so leaves the text as it is.
    """
    parts = _parts(text)
    if not 2 <= len(parts) <= MOST_QUESTIONS or any(len(text_terms(each)) < _LEAST_TERMS for each in parts):
        return ()
    return tuple(parts) if all(_asks(each, read) for each in parts) else ()


def _parts(text: str) -> list[str]:
    parts, start = [], 0
    for at, sign in enumerate(text):
        is_end = sign in _ENDS and (at + 1 == len(text) or text[at + 1].isspace())
        if is_end:
            parts.append(text[start : at + 1].rstrip(";").strip())
            start = at + 1
    parts.append(text[start:].strip())
    return [each for each in parts if each.strip(" ?.!;")]


def _asks(part: str, read: Callable[[str], Reading]) -> bool:
    """True of a part that ends as a question does, or asks for something that is no text."""
    return part.endswith("?") or read(part).operation not in _ASKS
