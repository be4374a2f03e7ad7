"""Relevance of prose: whether it, as a whole or by the sentence, is about the question."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from core.domain.answer import Claim
from core.text.analyse import text_terms

LEAST_COVERED = 0.5  # of the question's terms
_TELLING = re.compile(r"(?<=\s)[A-Z][\w&.'’-]*|\b\w*\d[\w.,/-]*")


def is_about(question: str, claims: Sequence[Claim]) -> bool:
    """True where the claims, with their quotes and titles, say every name and figure of a question.

    And half of its other terms: what only stands near the question is no answer to it.
    """
    said = text_terms(" ".join(_texts(claims)))
    telling = text_terms(" ".join(_TELLING.findall(question)))
    terms = text_terms(question)
    return bool(terms) and telling <= said and len(terms & said) >= LEAST_COVERED * len(terms)


def touches(question: str, claim: Claim) -> bool:
    """True where a claim, or what it cites, has a term of the question, or the question has none."""
    terms = text_terms(question)
    return not terms or not terms.isdisjoint(text_terms(" ".join(_texts([claim]))))


def _texts(claims: Sequence[Claim]) -> Iterable[str]:
    for claim in claims:
        yield claim.text
        for citation in claim.citations:
            yield f"{citation.quote} {citation.title} {citation.source}"
