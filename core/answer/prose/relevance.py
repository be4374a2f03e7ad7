"""Whether prose is about the question: asked where the quotes alone were too thin for an answer."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from core.domain.answer import Claim
from core.text.analyse import analyse

LEAST_COVERED = 0.5  # of the question's terms
_TELLING = re.compile(r"(?<=\s)[A-Z][\w&.'’-]*|\b\w*\d[\w.,/-]*")


def is_about(question: str, claims: Sequence[Claim]) -> bool:
    """True where the claims, with their quotes and titles, say every name and figure of a question.

    And half of its other terms: what only stands near the question is no answer to it.
    """
    said = set(analyse(" ".join(_texts(claims))))
    telling = {term for word in _TELLING.findall(question) for term in analyse(word)}
    terms = set(analyse(question))
    return bool(terms) and telling <= said and len(terms & said) >= LEAST_COVERED * len(terms)


def _texts(claims: Sequence[Claim]) -> Iterable[str]:
    for claim in claims:
        yield claim.text
        for citation in claim.citations:
            yield f"{citation.quote} {citation.title} {citation.source}"
