"""All checks of one claim, and its score of support."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from core.answer.prose.checks.dates import check_dates
from core.answer.prose.checks.names import check_names
from core.answer.prose.checks.numbers import check_numbers
from core.answer.prose.checks.places import check_places
from core.answer.prose.checks.quantities import is_unit
from core.answer.prose.checks.rates import check_rates
from core.answer.prose.checks.tokens import TokenSentence, plain_spaces, token_sentences
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


UNSURE = frozenset({"cells", "counts", "places", "signs", "support"})
"""Checks that can be wrong about honest words: what fails these alone is for a checking model to decide."""


@dataclass(frozen=True, slots=True)
class ClaimReport:
    """Checks of one claim in a fixed order, and its score of support in [0, 1]."""

    checks: tuple[Check, ...]
    support: float

    @property
    def failed(self) -> tuple[Check, ...]:
        """The checks that failed."""
        return tuple(check for check in self.checks if not check.ok)


def check_claim(text: str, sources: Sequence[str], *, threshold: float | None = None) -> ClaimReport:
    """Hold a claim against the texts that it cites, and the values that it shows as texts.

    Checks: numbers, amounts, signs, counts, dates, names, places, rates, support. That ids resolve, and that
    figures stand in their cells (`check_cells`, over whole tables), is for the caller.
    threshold: of support, in [0, 1].
    A claim without words passes; one that rests on nothing fails by its support. Thread-safe.

    >>> check_claim("It ends in 60 months.", ["It ends after 60 days."]).failed[0].name
    'numbers'
    """
    text, sources = plain_spaces(text), [*map(plain_spaces, sources)]
    support = support_of(text, sources)
    checks = (
        *check_numbers(text, sources),
        check_dates(text, sources),
        check_names(text, sources),
        check_places(text, sources),
        check_rates(text, sources),
        check_support(support, THRESHOLD if threshold is None else threshold),
    )
    return ClaimReport(checks, support)
