"""Score of support: how far what a claim says is said in the sentences that it rests on."""

from __future__ import annotations

from collections.abc import Sequence

from core.answer.prose.checks.quantities import is_unit
from core.answer.prose.checks.tokens import TokenSentence, token_sentences
from core.domain.answer import Check
from core.values.dates import month_number
from core.values.money import currency_of

THRESHOLD = 0.5
"""Fixed on one half of ragtruth's visible questions."""
_NEAREST = 3  # sentences that say most of a claim's


def support_of(text: str, sources: Sequence[str]) -> float:
    """Share of the terms of a claim's sentences that their nearest sources say together.

    Values are left out: their own checks compare them in any notation. A claim of values alone has 1 where
    there is anything to rest on, one without words in any case.
    """
    pool = [sentence for source in sources for sentence in token_sentences(source)]
    total = told = 0
    claims = [sentence for sentence in token_sentences(text) if sentence.tokens]
    for claim in claims:
        terms = {term for source in _nearest(claim, pool) for term in source.terms}
        telling = [token.term for token in claim.tokens if token.term and not _is_value(token.word)]
        total += len(telling)
        told += sum(term in terms for term in telling)
    return told / total if total else float(bool(pool) or not any(claim.terms for claim in claims))


def _nearest(claim: TokenSentence, pool: Sequence[TokenSentence]) -> list[TokenSentence]:
    """The sentences that share most terms with a claim's, of those the ones that are most as long."""

    def rank(source: TokenSentence) -> tuple[int, int]:
        shared = (claim.terms & source.terms).total()
        return -shared, abs(len(source.tokens) - len(claim.tokens))

    return sorted(pool, key=rank)[:_NEAREST]


def _is_value(word: str) -> bool:
    """True for words that other checks compare: numbers, units, currencies, months."""
    return any(map(str.isdigit, word)) or is_unit(word) or month_number(word) > 0 or bool(currency_of(word))


def check_support(score_01: float, threshold: float) -> Check:
    """Check that fails below the threshold."""
    detail = f"{score_01:.2f} of it is said in the cited places; at least {threshold:.2f} is expected"
    return Check(name="support", ok=score_01 >= threshold, detail="" if score_01 >= threshold else detail)
