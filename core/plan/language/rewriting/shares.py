"""Questions for a share of documents, read as ones for their number: "what percentage of the leases ..."."""

from __future__ import annotations

import re

from core.plan.text.document_nouns import PAPERS, plural

_WORDS = r"(?:percentage|percent|per\s+cent|pct|proportion|share|fraction|%)"
_PLURALS = "|".join((*map(plural, PAPERS), "documents", "papers", "deals", "files", "them", "those", "these"))
_OF_PAPERS = rf"{_WORDS}(?:-?wise)?\s+of\s+(?=(?:(?!of\b)[\w'’-]+\s+){{0,4}}?(?:{_PLURALS})\b)"
_ASKS = re.compile(
    rf"\b(?:what|which|how\s+(?:many|much|big|large|high|great))\s+(?:(?:is|are|'s)\s+)?(?:the\s+|an?\s+)?{_OF_PAPERS}"
    rf"|^\W*(?:(?:please|and|give\s+me|tell\s+me|show\s+me|calculate|compute|find|state)\s+)*(?:the\s+)?{_OF_PAPERS}",
    re.IGNORECASE,
)
SHARE_WORD = re.compile(_WORDS, re.IGNORECASE)


def asks_for_share(question: str) -> bool:
    """True where a question asks which part of some documents it is: "what percentage of our leases ..."."""
    return bool(_ASKS.search(question))


def as_number(question: str) -> str:
    """The question as one for a number: "what share of the leases" as "how many of the leases"."""
    return _ASKS.sub("how many of ", question, count=1)
