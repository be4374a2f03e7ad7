"""Relevance of prose: whether it, as a whole or by the sentence, is about the question."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from core.domain.answer import Claim
from core.text.analyse import text_terms
from core.text.asking import asked_and_told
from core.values.stated_years import find_years

LEAST_COVERED = 0.5  # of the question's terms
_SHORT = re.compile(r"[A-Z&]{2,6}s?\.?")
_TELLING = re.compile(r"(?<=\s)[A-Z][\w&.'’-]*|\b\w*\d[\w.,/-]*")


def is_about(question: str, claims: Sequence[Claim]) -> bool:
    """True where the claims, with their quotes and titles, say every name and figure of what is asked.

    And half of its other terms: what only stands near the question is no answer to it. Of its periods a year
    has to be said; abbreviations may have other words.
    """
    asked, _ = asked_and_told(question)
    texts = " ".join(_texts(claims))
    said, years = text_terms(texts), find_years(asked)
    for each in years:
        asked = asked[: each.start] + " " * (each.end - each.start) + asked[each.end :]
    named = (word for word in _TELLING.findall(asked) if not _SHORT.fullmatch(word))
    terms = text_terms(asked)
    if any(not any(year in texts for year in each.years) for each in years):
        return False
    is_covered = len(terms & said) >= LEAST_COVERED * len(terms)
    return bool(terms or years) and text_terms(" ".join(named)) <= said and is_covered


def touches(question: str, claim: Claim) -> bool:
    """True where a claim, or what it cites, has a term of the question, or the question has none."""
    terms = text_terms(question)
    return not terms or not terms.isdisjoint(text_terms(" ".join(_texts([claim]))))


def _texts(claims: Sequence[Claim]) -> Iterable[str]:
    for claim in claims:
        yield claim.text
        for citation in claim.citations:
            yield f"{citation.quote} {citation.title} {citation.source}"
