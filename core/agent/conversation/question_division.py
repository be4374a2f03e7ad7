"""Division of a text into the questions that it asks, at the ends of its sentences and in numbered lines."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from core.plan.reading import Operation, Reading
from core.text.analyse import content_terms, text_terms
from core.text.sentences import split_sentences

MOST_QUESTIONS = 6
MOST_CHARS = 2_000
"""Length of a text above which it is no list of questions, and is read as a whole."""

_LEAST_OF_TEXT = 2  # content words that a question for the text needs: "why?" asks nothing by itself
_SURE = 0.7
_ONES = text_terms("ones")  # "which ones?" asks for nothing more
_NUMBERED = re.compile(r"\s{0,8}(?:[-–—•*]|\(?\d{1,2}[.)])\s+(?=\S)")


def divided(
    text: str, read: Callable[[str], Reading], is_answered: Callable[[str], bool] | None = None
) -> tuple[str, ...]:
    """The questions of a text, in order; () where it is one, or a part of it asks nothing by itself.

    Parted at the ends of sentences, at semicolons, and at numbered lines, nowhere else. A later part may lean
    on an earlier one. read: the reading of a part as a question of its own. is_answered: tells whether one
    plan says a whole text, which is no list of questions unless each part is one by itself; None for never.
    """
    if len(text) > MOST_CHARS:
        return ()
    parts = _numbered(text) or list(_sentences(text))
    if not 2 <= len(parts) <= MOST_QUESTIONS or len(dict.fromkeys(map(str.casefold, parts))) < len(parts):
        return ()
    if not all(map(_is_closed, parts)):
        return ()
    is_one = is_answered is not None and is_answered(text)
    whole = [each for each in parts if each.endswith("?") and text_terms(each) - _ONES]
    if is_one and not (len(whole) == len(parts) and all(is_answered(each) for each in whole if is_answered)):
        return ()
    return tuple(parts) if all(_asks(each, read) for each in parts) else ()


def _numbered(text: str) -> list[str]:
    """The lines of a list, without their numbers; [] where not all lines are of one."""
    lines = [line for line in text.splitlines() if line.strip()]
    marks = [_NUMBERED.match(line) for line in lines]
    return [mark.string[mark.end() :].strip() for mark in marks if mark is not None] * all(marks)


def _sentences(text: str) -> Iterator[str]:
    for start, end in split_sentences(text):
        parts = (part.strip().rstrip(";").rstrip() for part in re.split(r"(?<=[?;])(?=\s)", text[start:end]))
        yield from (part for part in parts if part.strip(" ?.!;"))


def _is_closed(part: str) -> bool:
    """True where no quotation or bracket goes on in another part."""
    pairs = (("(", ")"), ("[", "]"), ("“", "”"))
    return part.count('"') % 2 == 0 and all(part.count(one) == part.count(other) for one, other in pairs)


def _asks(part: str, read: Callable[[str], Reading]) -> bool:
    """True of a part that a reader takes for a question: another leaves words over, and is not sure."""
    reading = read(part)
    if reading.operation is Operation.TEXT:
        return part.endswith("?") and len(content_terms(part)) >= _LEAST_OF_TEXT
    is_said = part.endswith("?") or not reading.uncovered or reading.probability >= _SURE
    return is_said and reading.operation is not Operation.HELP
