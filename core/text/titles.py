"""Titles of fields inside sentences: as nouns, with the article and the verb that fit them."""

from __future__ import annotations

import re

from core.text.words import table

_NOUNS: dict[str, str] = table(__file__, "titles")["nouns"]
"""Titles that are verbs, participles or prepositions, as a column may be headed, and their nouns."""

_BAN = re.compile(r"no (?:(?P<act>\w+ing) of (?P<rest>\S.*)|\S.*)")
_UNCOUNTED = re.compile(r"equipment|insurance|information|data|advice|software")
_COUNTED = re.compile(
    r"right|ban|exception|beneficiary|commitment|restriction|licen[sc]e|grant|limitation|cap|covenant|clause"
)
_VOWEL = re.compile(
    r"[aeioAEIO]|[uU]n(?!i)|[uU](?![ns]i|se|k|r[ao])|hour|honest|heir|[FHLMNRSX](?=[A-Z]{1,4}\b)"
)


def phrase(title: str) -> str:
    """A title in the middle of a sentence: `Liability cap` -> `liability cap`, `SLA credits` as it is.

    One that is no noun is turned into one: `Amends` -> `amended agreement`, `No soliciting of employees` ->
    `ban on soliciting employees`.
    """
    known = _NOUNS.get(" ".join(title.split()).casefold())
    if known is not None:
        return known
    is_word = title[1:2].islower() or title[1:2] == " " or re.match(r"[A-Z]-[a-z]", title)
    said = title[:1].lower() + title[1:] if is_word else title
    ban = _BAN.fullmatch(said)
    if ban is None:
        return said
    if ban["act"]:
        return f"ban on {ban['act']} {ban['rest']}"
    return f"ban on {said[3:]}"


def is_plural(title: str) -> bool:
    """True of a title that names several things: `Parties`, `Maintenance intervals`."""
    head = _head(title)
    return head.endswith("s") and not head.endswith(("ss", "us", "is")) and head not in ("address", "gas")


def with_article(title: str) -> str:
    """A title as one thing of its kind: `an annual fee`; plurals and what is not counted stand bare."""
    said = phrase(title)
    if is_plural(said) or _UNCOUNTED.fullmatch(_head(said)):
        return said
    return f"{'an' if _VOWEL.match(said) else 'a'} {said}"


def as_clause(title: str) -> str:
    """A clause as a document has one: `a cap on liability`, but `force majeure` and `audit rights`."""
    said = phrase(title)
    return with_article(title) if _COUNTED.fullmatch(_head(said)) else said


def be(title: str) -> str:
    """`is` or `are`, as a title needs it."""
    return "are" if is_plural(phrase(title)) else "is"


def _head(title: str) -> str:
    """The noun that a title is about: the last word before `of`, `for`, `to` and the like."""
    before = re.split(r"\s+(?:of|for|to|on|after|in|not|from|or|and)\s+", title.casefold(), maxsplit=1)[0]
    words = re.findall(r"[\w'’-]+", before)
    return words[-1] if words else ""
