"""References of a document to the agreement over it: which words name it, by title and date."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass
from enum import StrEnum

from core.domain.fields import Fit
from core.text.words import word_list
from core.values.canonical import family_key
from core.values.dates import find_dates
from core.values.names import same_party


class Kinship(StrEnum):
    """What a document is to the one that it belongs to."""

    AMENDS = "amends"
    UNDER = "under"


@dataclass(frozen=True, slots=True)
class ParentReference:
    """Words `start:end` of a text that name another document. `title`: as `family_key` gives it; "" for none.

    `day`: ISO date, "" for none.
    """

    kinship: Kinship
    start: int
    end: int
    title: str = ""
    day: str = ""


_OPENING_CHARS = 6_000  # the first pages: later references are mostly to exhibits and laws
_DATE_CHARS = 90
_BEFORE_CHARS = 20
_THIS = re.compile(r"(?i)\bthis\s+(?:\w+\s+)?$")  # "This Second Amendment to X, dated D": its own day
_TITLE = (
    r"(?P<title>(?:[A-Z][\w&'’/-]{0,30}\s{1,4}(?:(?:and|of|for)\s{1,4})?){0,8}?"
    r"(?:Agreement|Contract|AGREEMENT|CONTRACT))\b"
)
_CHANGES, _RESTATED = word_list("naming", "amendments"), "restated"


def _any_of(*names: str) -> str:
    words = sorted(word_list("naming", *names), key=len, reverse=True)
    return "|".join(r"\s{1,4}".join(map(re.escape, each.split("_"))) for each in words)


_AMENDS = re.compile(
    rf"(?i:\b(?:{_any_of('amendments')})(?:\s{{1,4}}(?:no\.?|number|#)?\s{{0,3}}\d{{1,3}})?"
    rf"\s{{1,4}}(?:to|of)\s{{1,4}}(?:(?:the|that|certain)\s{{1,4}}){{0,3}}){_TITLE}"
)
_UNDER = re.compile(
    rf"(?i:\b(?:{_any_of('standing')})"
    rf"\s{{1,4}}(?:(?:the|that|certain|terms|of|and|conditions)\s{{1,4}}){{0,8}}){_TITLE}"
)
_SUBORDINATE = re.compile(rf"(?i)\b(?:{_any_of('subordinates')})\b")
_BARE = frozenset(["", "agreement", "contract"])  # said of any
_DATED = re.compile(r"(?i)^(?:(?!\bthis\b)[^.;]){0,60}?\b(?:dated|effective|entered\s+into|made)\b")


def find_references(text: str, kind: str = "") -> tuple[ParentReference, ...]:
    """What the opening of a text says that it amends or stands under, in the order of the text.

    kind: what the document is ("Amendment No. 2 to Supply Agreement"). Amendments change and order forms
    stand under what they name; other documents that name one do neither, nor does one that is stated anew.
    () for an empty text, and for a language whose words are not known.
    """
    opening = text[:_OPENING_CHARS]
    found: list[ParentReference] = []
    own = re.split(r"(?i)\s(?:to|under)\s", kind, maxsplit=1)[0]
    words = frozenset(re.findall(r"\w+", own.casefold()))
    if words & _CHANGES and _RESTATED not in words:
        found = [_titled(Kinship.AMENDS, match, opening) for match in _AMENDS.finditer(opening)]
    if _SUBORDINATE.search(own) or _SUBORDINATE.match(opening.lstrip()):
        found += [_titled(Kinship.UNDER, match, opening) for match in _UNDER.finditer(opening)]
    found = [each for each in found if each.title not in _BARE]
    return tuple(sorted(_dated_first(_once(found)), key=lambda each: each.start))


def _once(references: list[ParentReference]) -> list[ParentReference]:
    kept: dict[tuple[str, str, str], ParentReference] = {}
    for each in references:
        kept.setdefault((each.kinship, each.title, each.day), each)
    return list(kept.values())


def _dated_first(references: list[ParentReference]) -> list[ParentReference]:
    """Without those that name no day where others of the same title do: a heading says less than the text."""
    dated = {(each.kinship, each.title) for each in references if each.day}
    return [each for each in references if each.day or (each.kinship, each.title) not in dated]


def _titled(kinship: Kinship, match: re.Match[str], text: str) -> ParentReference:
    behind = text[match.end() : match.end() + _DATE_CHARS]
    is_own = behind.lstrip().startswith(",") and _THIS.search(text[: match.start()][-_BEFORE_CHARS:])
    dated = None if is_own else _DATED.match(behind)
    dates = find_dates(behind[dated.end() :]) if dated else []
    if dated and dates:
        _, length, day = dates[0]
        end = match.end() + dated.end() + length
        return ParentReference(kinship, match.start(), end, family_key(match["title"]), day.text)
    return ParentReference(kinship, match.start(), match.end(), family_key(match["title"]))


@dataclass(frozen=True, slots=True)
class PossibleParent:
    """A document that may be over another. Titles by `family_key`, ISO days."""

    id: str
    titles: frozenset[str] = frozenset()
    parties: tuple[str, ...] = ()
    days: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Kin:
    """The document over another and how sure that is; fit: None where there is none, or several are alike."""

    id: str = ""
    fit: Fit | None = None


def choose(reference: ParentReference, own: PossibleParent, candidates: Collection[PossibleParent]) -> Kin:
    """The document that a reference names. candidates: of one bucket, and only those that the viewer may see.

    `STATED` needs one document alone that has the title, two parties and the day. One that has the title
    and a party, and no other day, is `LIKELY`. Of several alike none is given.
    """
    others = [each for each in candidates if each.id != own.id]
    shared = {each.id: _shared(own.parties, each.parties) for each in others}
    titled = [each for each in others if reference.title and reference.title in each.titles]
    fitting = [each for each in titled if shared[each.id] and _may_be_of(reference.day, each.days)]
    sure = [each for each in fitting if shared[each.id] > 1 and reference.day in each.days]
    return _only(sure, Fit.STATED) if sure else _only(fitting, Fit.LIKELY)


def _only(fitting: list[PossibleParent], fit: Fit) -> Kin:
    return Kin(fitting[0].id, fit) if len(fitting) == 1 else Kin()


def _may_be_of(day: str, days: frozenset[str]) -> bool:
    return not day or not days or day in days


def _shared(own: tuple[str, ...], others: tuple[str, ...]) -> int:
    """Parties of both: one that stands twice in one of them counts once."""
    mine = sum(any(same_party(one, other) for other in others) for one in own)
    theirs = sum(any(same_party(one, other) for one in own) for other in others)
    return min(mine, theirs)
