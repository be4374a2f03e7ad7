"""Check of a claim's dates: each stands in what the claim rests on, in any notation."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from core.domain.answer import Check
from core.values import find_dates
from core.values.dates import ENGLISH_MONTH, month_number

_HEADED = rf"{ENGLISH_MONTH}|{ENGLISH_MONTH.upper()}"  # heads of tables write MAY 31
_DAY_AND_MONTH = re.compile(
    rf"\b(?:(?P<month>{_HEADED})\.?[ \n](?P<day>\d{{1,2}})(?:st|nd|rd|th)?(?![\d,.]\d|\w)"
    rf"|(?P<day2>\d{{1,2}})(?:st|nd|rd|th)?[ \n](?:of[ ])?(?P<month2>{ENGLISH_MONTH})(?![A-Za-z]))"
)
_MONTH = re.compile(rf"\b(?P<month>{ENGLISH_MONTH})(?![A-Za-z])")
_SHY = ("May", "March", "Mar")
_IN = re.compile(
    r"\b(?:in|of|by|until|through|since|from|and|early|late|mid|to|each|every|during|before|after)[ ]$"
)
_YEAR = re.compile(r"(?<![\d.,])(?:1[89]|20|21)\d\d(?![\d]|[.,]\d)")


@lru_cache(maxsize=512)
def dates(text: str) -> tuple[tuple[str, str], ...]:
    """Dates of a text as written, each with its readings: "2024-10-03", "2024-10", "--10-03", "--10".

    A date of which the order of day and month is not known has both readings, with "/" between.
    """
    found: list[tuple[str, str]] = []
    taken: list[tuple[int, int]] = []
    for start, end, value in find_dates(text, partial=True):
        if value.text:
            found.append((text[start:end], value.text))
            taken.append((start, end))
    for match in _DAY_AND_MONTH.finditer(text):
        if not any(start < match.end() and match.start() < end for start, end in taken):
            month, day = match["month"] or match["month2"], int(match["day"] or match["day2"])
            found.append((match[0], f"--{month_number(month):02d}-{day:02d}"))
            taken.append(match.span())
    for match in _MONTH.finditer(text):
        is_free = not any(start < match.end() and match.start() < end for start, end in taken)
        if is_free and (match[0] not in _SHY or _IN.search(text[max(0, match.start() - 8) : match.start()])):
            found.append((match[0], f"--{month_number(match[0]):02d}"))
    return tuple(found)


@lru_cache(maxsize=512)
def years_of(text: str) -> frozenset[int]:
    """Years that a text names, alone or in a date."""
    years = {int(year) for year in _YEAR.findall(text)}
    return frozenset(
        years
        | {int(each[:4]) for _, reading in dates(text) for each in reading.split("/") if each[:4].isdigit()}
    )


def check_dates(text: str, sources: Sequence[str]) -> Check:
    """Dates of a claim against those of the sources; a month or a year may be said of a whole date."""
    stated = [reading for source in sources for _, each in dates(source) for reading in each.split("/")]
    years = frozenset(year for source in sources for year in years_of(source))
    faults = [
        f"{written!r} is in none of the cited places"
        for written, readings in dates(text)
        if not any(_is_said(one, other, years) for one in readings.split("/") for other in stated)
    ]
    return Check(name="dates", ok=not faults, detail="; ".join(dict.fromkeys(faults)))


def _is_said(one: str, other: str, years: frozenset[int]) -> bool:
    """True where the date `one` is `other`, or a part of it, or `other` with a year that is stated.

    The head of a table may have "Year Ended December 31," in one line and its years in another.
    """
    if one == other or other.startswith(one + "-"):
        return True
    if one.startswith("--"):
        return not other.startswith("--") and f"--{other[5:]}".startswith(one)
    return other.startswith("--") and one[4:] == other[1:] and int(one[:4]) in years
