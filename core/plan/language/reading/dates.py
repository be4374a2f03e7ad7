"""Periods that a question names, as the grammar has them, and words that say that something is over."""

from __future__ import annotations

import re
from datetime import date

from core.domain.fields import Special
from core.plan.language.pieces import DayRange
from core.values import calendar_periods, periods
from core.values.dates import MONTH, find_dates

Found = tuple[int, int, DayRange]

_WRITTEN = re.compile(
    rf"(?<![\w./-])(?:\d{{1,2}}[/.-]\d{{1,2}}[/.-](?:19|20)\d\d|(?:19|20)\d\d-\d{{1,2}}-\d{{1,2}}"
    rf"|{MONTH}\s+\d{{1,2}}(?:st|nd|rd|th)?,?\s+(?:19|20)\d\d|\d{{1,2}}(?:st|nd|rd|th)?\s+{MONTH}\s+(?:19|20)\d\d)"
    r"(?![\w/-])",
    re.IGNORECASE,
)


def find_periods(text: str, today: date) -> list[Found]:
    """Every period in `text` with the words that belong to it ("before", "by the end of"), in order."""
    return [(each.start, each.end, _as_piece(each.period)) for each in periods.find_periods(text, today)]


def quarter(year: int, number: int) -> DayRange:
    """A quarter of a calendar year."""
    return _as_piece(calendar_periods.quarter(year, number))


def _as_piece(period: calendar_periods.Period) -> DayRange:
    return DayRange(period.first, period.last, period.is_relative, period.length)


_OVER = re.compile(
    r"\b(?:(?P<plain>expired|lapsed|elapsed|ended|timed\s+out|gone\s+out\s+of\s+(?:force|date))"
    r"|run\s+(?:out|off)|come\s+to\s+an\s+end)(?:\s+(?:already|by\s+now|now|today|since))*$",
    re.IGNORECASE,
)
_PERFECT = re.compile(r"\b(?:have|has|had|having|already)\b|['’]ve\b", re.IGNORECASE)
_CLAUSE = 24  # characters before words in which "have" belongs to them


def says_over(text: str, question: str) -> bool:
    """True of words that say that something is over: "expired", "have run out"; not of "which run out".

    What "can be ended" is not over.
    """
    found = _OVER.search(text)
    if found is None or is_permitted(text, question):
        return False
    at = max(0, question.find(text))
    return bool(
        found["plain"] or _PERFECT.search(text) or _PERFECT.search(question[max(0, at - _CLAUSE) : at])
    )


_PERMITTED = re.compile(  # right before a verb: "may at any time be", "allow us to", "can either party"
    r"\b(?:(?:can|could|may|might|must|should|able\s+to|free\s+to|allowed\s+to|permitted\s+to|possible\s+to)"
    r"(?:\s+\w+){0,4}?\s+(?:be|get)(?:\s+\w+ly)?"
    r"|(?:allow|permit|entitle|enable)(?:s|d|ed|ing)?(?:\s+\w+){1,3}?\s+to|lets?(?:\s+\w+){1,2}"
    r"|(?:able|free|allowed|permitted|entitled|right|possible)\s+to"
    r"|(?:can|could|may|might)\s+(?:we|i|you|they|one|either|(?:(?:the|our|any|each|either|a)\s+)?"
    r"(?:part(?:y|ies)|sides?|customers?|clients?|vendors?|suppliers?|providers?|distributors?|buyers?|sellers?"
    r"|tenants?|landlords?|licensees?|licensors?|compan(?:y|ies))))"
    r"(?:\s+\w+ly)?\s+$",
    re.IGNORECASE,
)
_PASSIVE_PERMITTED = re.compile(
    r"\b(?:can|could|may|might|must|should|to)\s+(?:not\s+)?(?:be|get)\s+\w+", re.IGNORECASE
)


def is_permitted(text: str, question: str) -> bool:
    """True of a verb that somebody is free to do: "can be ended", "allow us to end", not "have ended"."""
    at = question.find(text)
    before = question[:at] if at >= 0 else ""
    return bool(_PASSIVE_PERMITTED.search(text) or _PERMITTED.search(before))


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
