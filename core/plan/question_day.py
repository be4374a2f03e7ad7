"""The day that a question takes for today: "as of 31 March 2025", "assume that today is 1 June"."""

from __future__ import annotations

import re
from datetime import date

from core.values.dates import find_dates

_OPENING = re.compile(
    r"\b(?:as (?:of|at|on)|counting from|counted from|seen from"
    r"|(?:assum(?:e|ing)|suppos(?:e|ing)|imagine|if|say)(?: that)? (?:today|it) (?:is|was|were|be)"
    r"|today is) $",
    re.IGNORECASE,
)
_LONGEST = 40  # characters of an opening
_CLOSING = " \t),.;:–—-"


def question_day(question: str, today: date) -> tuple[str, date]:
    """The question without the words that set its day, and that day; both as they were where none does."""
    for start, end, value in find_dates(question):
        if value.amount is None or value.special:
            continue
        opened = _OPENING.search(question[max(0, start - _LONGEST) : start])
        if opened is None:
            continue
        before = question[: start - len(opened[0])].rstrip(" ,;(-–—")
        rest = f"{before} {question[end:].lstrip(_CLOSING)}".strip()
        if any(char.isalnum() for char in rest):
            return rest, date.fromordinal(value.amount or 1)
    return question, today
