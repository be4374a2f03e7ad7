"""Packing what retrieval found into the evidence for one answer."""

from __future__ import annotations

import re

from core.evidence.base import Evidence
from core.evidence.codes import of_these_codes
from core.evidence.dedupe import drop_near_duplicates
from core.retrieval.search import Retrieval
from core.retrieval.sentences import ScoredSentence, rank_sentences

MAX_SENTENCES = 40  # later ones never reach an answer of at most 20 claims
MIN_LETTERS = 2
_NUMBERING = re.compile(
    r"^\W*(?:(?:article|section|chapter|part|clause|exhibit|schedule|annex)\s+)?[\dIVXivx]+(?:\.\d+)*[.):]?\s",
    re.IGNORECASE,
)


def pack(retrieval: Retrieval, *, limit: int = MAX_SENTENCES) -> Evidence:
    """The best sentences of a retrieval: no near-duplicates, headings, bare numbers or other models.

    Where nothing but headings was found, they stay: a title page is still the closest thing there is.
    """
    ranked = rank_sentences(retrieval.analysis, retrieval.candidates)
    ranked = of_these_codes(retrieval.analysis.text, ranked)
    readable = [sentence for sentence in ranked if _is_readable(sentence)]
    chosen = readable or [sentence for sentence in ranked if sentence.text.strip()]
    unique = drop_near_duplicates(chosen[: 2 * limit], lambda sentence: sentence.text)
    return Evidence(
        analysis=retrieval.analysis,
        sentences=tuple(unique[:limit]),
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
