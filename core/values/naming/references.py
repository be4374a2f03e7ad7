"""References of a document to the agreement over it: which words name it, by title, date and number."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum

from core.values.canonical import family_key
from core.values.dates import find_dates


class Kinship(StrEnum):
    """What a document is to the one that it belongs to."""

    AMENDS = "amends"
    UNDER = "under"
    BILLS = "bills"


@dataclass(frozen=True, slots=True)
class ParentReference:
    """Words `start:end` of a text that name another document. `title`: as `family_key` gives it; "" for none.

    `day`: ISO date, "" for none. `number`: as `number_key` gives it, "" for none.
    """

    kinship: Kinship
    start: int
    end: int
    title: str = ""
    day: str = ""
    number: str = ""


_OPENING_CHARS = 6_000  # the first pages: later references are mostly to exhibits and laws
_DATE_CHARS = 90
_TITLE = (
    r"(?P<title>(?:[A-Z][\w&'’/-]{0,30}[ \t\n]{1,3}(?:(?:and|of|for)[ \t\n]{1,3})?){0,8}"
    r"(?:Agreement|Contract|AGREEMENT|CONTRACT))\b"
)
_AMENDS = re.compile(
    rf"(?i:\b(?:amendment|addendum|supplement)(?:\s{{1,4}}(?:no\.?|number|#)?\s{{0,3}}\d{{1,3}})?"
    rf"\s{{1,4}}(?:to|of)\s{{1,4}}(?:(?:the|that|certain)\s{{1,4}}){{0,3}}){_TITLE}"
)
_UNDER = re.compile(
    rf"(?i:\b(?:pursuant\s{{1,4}}to|under|governed\s{{1,4}}by|subject\s{{1,4}}to|incorporated\s{{1,4}}into)"
    rf"\s{{1,4}}(?:(?:the|that|certain|terms|of|and|conditions)\s{{1,4}}){{0,8}}){_TITLE}"
)
_CHILD_HEAD = re.compile(
    r"(?i)\b(?:statement\s+of\s+work|order\s+form|work\s+order|purchase\s+order|schedule|addendum)\b"
)
_CHANGE_HEAD = re.compile(r"(?i)\b(?:amendment|addendum|supplement)\b")
_HEAD_CHARS = 300
_BARE = frozenset(["", "agreement", "contract"])  # said of any
_DATED = re.compile(r"(?i)^[^.;]{0,60}?\b(?:dated|effective|entered\s+into|made)\b")
_NUMBER = re.compile(
    r"(?i)\b(?:contract|agreement|purchase\s+order|p\.?\s?o\.?)[ \t]{1,3}"
    r"(?:no\.?|number|nr\.?|#|ref(?:erence)?\.?)[ \t]{0,3}:?[ \t]{0,4}"
    r"(?P<number>[A-Za-z0-9][A-Za-z0-9/_.-]{2,30})"
)


def number_key(number: str) -> str:
    """A number without punctuation and case: equal for two ways to write it; "" where no digit is in it."""
    key = re.sub(r"[^a-z0-9]", "", number.casefold())
    return key if any(char.isdigit() for char in key) else ""


def find_references(text: str, *, is_invoice: bool = False) -> tuple[ParentReference, ...]:
    """What the opening of a text says that it amends, stands under or bills, in the order of the text.

    Amendments change and order forms stand under what they name; other documents that name one do neither.
    () for an empty text, and for a language whose words are not known.
    """
    opening = text[:_OPENING_CHARS]
    found: list[ParentReference] = []
    if is_invoice:
        found = [
            ParentReference(Kinship.BILLS, *match.span(), number=key)
            for match in _NUMBER.finditer(opening)
            if (key := number_key(match["number"]))
        ]
    else:
        if _CHANGE_HEAD.search(opening[:_HEAD_CHARS]):
            found = [_titled(Kinship.AMENDS, match, opening) for match in _AMENDS.finditer(opening)]
        if _CHILD_HEAD.search(opening[:_HEAD_CHARS]):
            found += [_titled(Kinship.UNDER, match, opening) for match in _UNDER.finditer(opening)]
        found = [each for each in found if each.title not in _BARE]
    return tuple(sorted(_once(found), key=lambda each: each.start))


def _once(references: list[ParentReference]) -> list[ParentReference]:
    kept: dict[tuple[str, str, str, str], ParentReference] = {}
    for each in references:
        kept.setdefault((each.kinship, each.title, each.day, each.number), each)
    return list(kept.values())


def _titled(kinship: Kinship, match: re.Match[str], text: str) -> ParentReference:
    behind = text[match.end() : match.end() + _DATE_CHARS]
    dated = _DATED.match(behind)
    dates = find_dates(behind[dated.end() :]) if dated else []
    if dated and dates:
        _, length, day = dates[0]
        end = match.end() + dated.end() + length
        return ParentReference(kinship, match.start(), end, family_key(match["title"]), day.text)
    return ParentReference(kinship, match.start(), match.end(), family_key(match["title"]))
