"""Dates that a text writes and that no calendar has, or that can be read as two days."""

from __future__ import annotations

import re

from core.domain.fields import Special
from core.values.dates import MONTH, find_dates

_WRITTEN = re.compile(
    rf"(?<![\w./-])(?:\d{{1,2}}[/.-]\d{{1,2}}[/.-](?:19|20)\d\d|(?:19|20)\d\d-\d{{1,2}}-\d{{1,2}}"
    rf"|{MONTH}\s+\d{{1,2}}(?:st|nd|rd|th)?,?\s+(?:19|20)\d\d|\d{{1,2}}(?:st|nd|rd|th)?\s+{MONTH}\s+(?:19|20)\d\d)"
    r"(?![\w/-])",
    re.IGNORECASE,
)


def impossible_date(text: str) -> str:
    """The first date that is written as one and that no calendar has ("31/02/2020"); "" for none."""
    known = [(start, end) for start, end, _ in find_dates(text)]
    for match in _WRITTEN.finditer(text):
        if not any(start < match.end() and end > match.start() for start, end in known):
            return match[0]
    return ""


def ambiguous_date(text: str) -> tuple[str, tuple[str, ...]] | None:
    """The first date with two readings as it is written, and the readings; None where there is none."""
    for start, end, value in find_dates(text):
        if value.special is Special.AMBIGUOUS:
            return text[start:end], tuple(value.text.split("/"))
    return None
