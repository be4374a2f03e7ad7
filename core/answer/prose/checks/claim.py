"""All checks of one claim."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from core.answer.prose.checks.dates import check_dates
from core.answer.prose.checks.names import check_names
from core.answer.prose.checks.numbers import check_amounts, check_counts, check_numbers, check_signs
from core.answer.prose.checks.places import check_places
from core.answer.prose.checks.rates import check_rates
from core.answer.prose.checks.support import THRESHOLD, check_support, support_of
from core.answer.prose.checks.tokens import plain_spaces
from core.domain.answer import Check

UNSURE = frozenset({"cells", "counts", "places", "signs", "support"})
"""Checks that can be wrong about honest words: what fails these alone is for a checking model to decide."""


@dataclass(frozen=True, slots=True)
class ComputedValue:
    """A value that code computed, as it stands in prose ("USD 1,250,000").

    label: what it is the value of, in words ("number of contracts under Delaware law"); it supports a claim
    as the words of a span do.
    """

    text: str
    label: str = ""


@dataclass(frozen=True, slots=True)
class ClaimReport:
    """Checks of one claim in a fixed order, and its score of support in [0, 1]."""

    checks: tuple[Check, ...]
    support: float

    @property
    def failed(self) -> tuple[Check, ...]:
        """The checks that failed."""
        return tuple(check for check in self.checks if not check.ok)


def check_claim(
    text: str,
    spans: Sequence[str],
    computed: Sequence[ComputedValue],
    *,
    threshold: float | None = None,
) -> ClaimReport:
    """Hold a claim against the texts that it cites and the values that it shows.

    Checks: numbers, amounts, signs, counts, dates, names, places, rates, support. That ids resolve, and that
    figures stand in their cells (`check_cells`, over whole tables), is for the caller.
    threshold: of support, in [0, 1].
    A claim without words passes; one that rests on nothing fails by its support. Thread-safe.

    >>> check_claim("It ends in 60 months.", ["It ends after 60 days."], ()).failed[0].name
    'numbers'
    """
    values = [f"{value.label} {value.text}".strip() for value in computed]
    text, sources = plain_spaces(text), [plain_spaces(source) for source in (*spans, *values)]
    support = support_of(text, sources)
    checks = (
        check_numbers(text, sources),
        check_amounts(text, sources),
        check_signs(text, sources),
        check_counts(text, sources),
        check_dates(text, sources),
        check_names(text, sources),
        check_places(text, sources),
        check_rates(text, sources),
        check_support(support, THRESHOLD if threshold is None else threshold),
    )
    return ClaimReport(checks, support)
