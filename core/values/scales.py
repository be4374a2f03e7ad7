"""Scales that a table states once for all its figures: "(dollars in millions)", "$'000", "2019 €m"."""

from __future__ import annotations

from decimal import Decimal

from core.text.patterns import any_case
from core.values.money import FACTORS

_STATED = any_case(
    r"\bin\s{1,2}(?:[A-Za-z.$\u20ac\u00a3]{1,12}\s){0,2}?(?P<word>thousand|million|billion)(?:s\b|(?=\s{0,2}(?:[),;:]|$)))"
    r"|[$\u20ac\u00a3\u00a5]\s?(?P<short>[km]|mn|bn)\b"
    r"|(?<![\d.,])['\u2019](?P<zeros>000)s?\b"
)


def stated_scales(text: str) -> frozenset[Decimal]:
    """The factors that a text says its figures are in.

    >>> stated_scales("($ in millions, except per share data)")
    frozenset({Decimal('1000000')})
    """
    return frozenset(factor for _, _, factor in find_scales(text))


def find_scales(text: str) -> list[tuple[int, int, Decimal]]:
    """The places where a text states a factor of its figures, in order, with it."""
    found = ((match, match["word"] or match["short"] or match["zeros"]) for match in _STATED.finditer(text))
    return [(*match.span(), Decimal(FACTORS.get(said.casefold(), 1_000))) for match, said in found]
