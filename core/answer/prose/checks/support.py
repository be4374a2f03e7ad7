"""Score of support: how far what a claim says is said in the sentences that it rests on."""

from __future__ import annotations

from collections.abc import Sequence

from core.answer.prose.checks.align import AlignedSentence
from core.answer.prose.checks.quantities import is_unit
from core.domain.answer import Check
from core.values.dates import month_number
from core.values.money import currency_of

THRESHOLD = 0.5
"""Fixed on one half of ragtruth's visible questions."""


def support_of(aligned: Sequence[AlignedSentence]) -> float:
    """Share of the claim's terms that its best sources say together; 1 where it has none.

    Values are left out: their own checks compare them in any notation."""
    total = told = 0
    for pair in aligned:
        terms = {term for source in pair.sources for term in source.terms}
        telling = [token.term for token in pair.claim.tokens if token.term and not _is_value(token.word)]
        total += len(telling)
        told += sum(term in terms for term in telling)
    return told / total if total else _said_of_values(aligned)


def _said_of_values(aligned: Sequence[AlignedSentence]) -> float:
    """1 where a claim of values alone, or of no words, has something to rest on or nothing to say."""
    return float(all(pair.sources or not pair.claim.terms for pair in aligned))


def _is_value(word: str) -> bool:
    """True for words that other checks compare: numbers, units, currencies, months."""
    return any(map(str.isdigit, word)) or is_unit(word) or month_number(word) > 0 or bool(currency_of(word))


def check_support(score_01: float, threshold: float) -> Check:
    """Check that fails below the threshold."""
    detail = f"{score_01:.2f} of it is said in the cited places; at least {threshold:.2f} is expected"
    return Check(name="support", ok=score_01 >= threshold, detail="" if score_01 >= threshold else detail)
