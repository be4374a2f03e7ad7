"""Packing of what retrieval found into the evidence for one answer: no near-duplicates, no other models."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import TypeVar

from rapidfuzz import fuzz

from core.search.evidence.base import Evidence
from core.search.search import Retrieval
from core.search.sentences import ScoredSentence, rank_sentences

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


T = TypeVar("T")
SIMILARITY = 95.0  # per cent of characters that need no edit


def drop_near_duplicates(items: Sequence[T], text_of: Callable[[T], str]) -> list[T]:
    """The items in their order without any whose text is at least SIMILARITY per cent that of a kept one.

    Case and white space do not count; digits do: texts whose numbers differ are never duplicates, however
    alike they are otherwise. [] gives [].
    """
    kept: list[T] = []
    seen: list[tuple[str, str]] = []
    for item in items:
        text = plain_text(text_of(item))
        if any(are_near_duplicates(text, known) for known in seen):
            continue
        kept.append(item)
        seen.append(text)
    return kept


def plain_text(text: str) -> tuple[str, str]:
    """A text as duplicates are told by: without case and extra white space, and its digits alone."""
    plain = " ".join(text.casefold().split())
    return plain, "".join(char for char in plain if char.isdigit())


def are_near_duplicates(one: tuple[str, str], other: tuple[str, str]) -> bool:
    """True where two plain texts have the same digits and hardly differ in anything else."""
    if one[1] != other[1]:
        return False
    return not (one[0] or other[0]) or fuzz.ratio(one[0], other[0], score_cutoff=SIMILARITY) > 0


MAX_SENTENCES = 40  # later ones never reach an answer of at most 20 claims
MIN_LETTERS = 2
_NUMBERING = re.compile(
    r"^\W*(?:(?:article|section|chapter|part|clause|exhibit|schedule|annex)\s+)?[\dIVXivx]+(?:\.\d+)*[.):]?\s",
    re.IGNORECASE,
)


def pack(retrieval: Retrieval) -> Evidence:
    """The best sentences of a retrieval: no near-duplicates, headings, bare numbers or other models.

    Where nothing but headings was found, they stay: a title page is still the closest thing there is.
    """
    ranked = rank_sentences(retrieval.analysis, retrieval.candidates)
    ranked = of_these_codes(retrieval.analysis.text, ranked)
    readable = [sentence for sentence in ranked if _is_readable(sentence)]
    chosen = readable or [sentence for sentence in ranked if sentence.text.strip()]
    unique = drop_near_duplicates(chosen[: 2 * MAX_SENTENCES], lambda sentence: sentence.text)
    return Evidence(
        analysis=retrieval.analysis,
        sentences=tuple(unique[:MAX_SENTENCES]),
        candidates=retrieval.candidates,
        named_documents=retrieval.named_documents,
        is_ambiguous=retrieval.is_ambiguous,
    )


def _is_readable(sentence: ScoredSentence) -> bool:
    """True where a sentence says something: words, and where it looks like a heading, a figure of its own.

    A specification row ("Maximum voltage 1,100 V DC") looks like a heading; its number tells it apart.
    """
    if sum(char.isalpha() for char in sentence.text) < MIN_LETTERS:
        return False
    return not sentence.is_heading or any(char.isdigit() for char in _NUMBERING.sub("", sentence.text))
