"""All checks of one claim."""

from __future__ import annotations

import re
from collections.abc import Sequence

from core.answer.prose.checks.align import align
from core.answer.prose.checks.base import ClaimReport, ComputedValue
from core.answer.prose.checks.bounds import check_bounds
from core.answer.prose.checks.cells import check_cells
from core.answer.prose.checks.conditions import check_conditions
from core.answer.prose.checks.dates import check_dates
from core.answer.prose.checks.exchanges import check_exchanges
from core.answer.prose.checks.figures import check_figures
from core.answer.prose.checks.letters import check_letters
from core.answer.prose.checks.names import check_names
from core.answer.prose.checks.negation import check_negation
from core.answer.prose.checks.numbers import check_amounts, check_counts, check_numbers, check_signs
from core.answer.prose.checks.opposites import check_opposites
from core.answer.prose.checks.parts import check_parts
from core.answer.prose.checks.ranges import check_ranges
from core.answer.prose.checks.rates import check_rates
from core.answer.prose.checks.roles import check_roles
from core.answer.prose.checks.scopes import check_scopes
from core.answer.prose.checks.support import THRESHOLD, check_support, support_of

_SPACES = str.maketrans(
    {"\u00a0": " ", "\u202f": " ", "\u2007": " ", "\u200b": None, "\ufeff": None, "\u00ad": None}
)

_VERDICT = re.compile(r"^(?:Yes|No)[,;:.\u2014-]\s+")  # answers, and denies nothing of the sentence

_OF_TABLES = {"cells", "counts", "figures", "signs"}
_OF_SENSE = {
    "bounds",
    "conditions",
    "documents",
    "exchanges",
    "negation",
    "opposites",
    "parts",
    "scopes",
    "support",
}
UNSURE = frozenset(_OF_TABLES | _OF_SENSE)
"""Checks that can be wrong about honest words: what fails these alone is for a checking model to decide."""


def _plain(text: str) -> str:
    return text if text.isascii() else text.translate(_SPACES)


def check_claim(
    text: str,
    spans: Sequence[str],
    computed: Sequence[ComputedValue],
    *,
    threshold: float | None = None,
) -> ClaimReport:
    """Hold a claim against the texts that it cites and the values that it shows.

    Checks: numbers, amounts, signs, counts, figures, cells, dates, letters, names, exchanges, negation,
    opposites, roles, parts, rates, ranges, bounds, scopes, conditions, support. That ids resolve is for the
    caller.
    threshold: of support, in [0, 1].
    A claim without words passes; one that rests on nothing fails by its support. Thread-safe.

    >>> check_claim("It ends in 60 months.", ["It ends after 60 days."], ()).failed[0].name
    'numbers'
    """
    values = [f"{value.label} {value.text}".strip() for value in computed]
    text, sources = _VERDICT.sub("", _plain(text)), [_plain(source) for source in (*spans, *values)]
    aligned = align(text, sources)
    support = support_of(aligned)
    checks = (
        check_numbers(text, sources),
        check_amounts(text, sources),
        check_signs(text, sources),
        check_counts(text, sources),
        check_figures(text, sources),
        check_cells(text, sources),
        check_dates(text, sources),
        check_letters(text, sources),
        check_names(text, sources),
        check_exchanges(text, sources),
        check_negation(aligned, text, sources),
        check_opposites(aligned),
        check_roles(aligned),
        check_parts(aligned),
        check_rates(text, sources),
        check_ranges(text, sources),
        check_bounds(text, sources),
        check_scopes(aligned, text, sources),
        check_conditions(aligned),
        check_support(support, THRESHOLD if threshold is None else threshold),
    )
    return ClaimReport(checks, support)
