"""Codes of models and papers, as "B-200": what is said of B-120 answers no question about it."""

from __future__ import annotations

import re
from collections.abc import Sequence

from core.retrieval.sentences import ScoredSentence

# "AS-600", "RT20931", "P-7", but neither Q4 nor FY2024: a model or a number of somebody's, as written.
# One digit alone makes a code of capitals that a hyphen joins it to.
_CODE = re.compile(
    r"\b(?:(?i:(?!fy)[a-z]{1,5}[-\u2010\u2011/]?\d{2,}[a-z]?)|[A-Z]{1,5}[-\u2010\u2011]\d[A-Za-z]?)\b"
)
_JOINTS = re.compile(r"[\s\-\u2010\u2011/]")
_PARTS = re.compile(r"[a-z]+|\d+")
_SERIES = re.compile(r"[a-z]+")


def codes_of(text: str) -> list[str]:
    """The codes of a text, as written."""
    return _CODE.findall(text)


def compact(text: str) -> str:
    """A text without what codes are written with or without: `B-200` and `b 200` are `b200`."""
    return _JOINTS.sub("", text.casefold())


def has_code(code: str, text: str) -> bool:
    """True where a text has the code, however joined: `V-31` in "valve V 31", not in "rev 31" or "3.1"."""
    parts = _PARTS.findall(code.casefold())
    joined = r"[\s\-\u2010\u2011/]?".join(map(re.escape, parts))
    return re.search(rf"(?<![^\W_]){joined}(?![^\W_]|[.,]\d)", text.casefold()) is not None


def of_these_codes(question: str, sentences: Sequence[ScoredSentence]) -> list[ScoredSentence]:
    """The sentences without those of documents that are called by another code of the same letters.

    One stays where it, or what its document is called by, has a code that the question has.
    """
    asked = {compact(code) for code in codes_of(question)}
    series = {match[0] for code in asked if (match := _SERIES.match(code))}
    return [each for each in sentences if not asked or _may_be_of(each, asked, series)]


def _may_be_of(sentence: ScoredSentence, asked: set[str], series: set[str]) -> bool:
    stored = sentence.candidate.stored
    called = {compact(code) for code in codes_of(f"{stored.title} {stored.source}")}
    said = {compact(code) for code in codes_of(sentence.text)}
    if asked & (called | said):
        return True
    return not any((match := _SERIES.match(code)) and match[0] in series for code in called | said)
