"""Lines of a quote that answer: of a table or a list that was taken whole, the few that say it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from core.evidence.base import Evidence, Span
from core.text.analyse import analyse

_LEAST_LINES = 3
_MOST_LINES = 4
_WRAPPED = 0.2  # of the lines begin with a small letter: from there on they are prose that was wrapped
_KEPT = 0.8  # of what the quote shares with the question, by rarity, that its lines have to have


def shortest_lines(span: Span, evidence: Evidence, states: Callable[[str], bool]) -> Span:
    """A quote cut to the fewest of its lines that share as much with the question; prose stays as it is.

    states: that words state a value of the kind that is asked for; lines that do go before others.
    """
    lines = _lines(span.quote)
    wrapped = sum(span.quote[start].islower() for start, _ in lines[1:])
    if len(lines) < _LEAST_LINES or wrapped > _WRAPPED * len(lines):
        return span
    weights = {term: weight * evidence.analysis.idf[term] for term, weight in evidence.analysis.terms}
    held = [weights.keys() & set(analyse(span.quote[start:end])) for start, end in lines]
    least = _KEPT * sum(weights[term] for term in frozenset().union(*held))
    telling: list[tuple[int, int, int]] = []
    for first in range(len(lines)):
        for last in range(first, min(len(lines), first + _MOST_LINES)):
            start, end = lines[first][0], lines[last][1]
            shared = frozenset().union(*held[first : last + 1])
            if shared and sum(weights[term] for term in shared) >= least:
                telling.append((end - start, start, end))
    stating = [each for each in telling if states(span.quote[each[1] : each[2]])]
    if not telling:
        return span
    _, start, end = min(stating or telling)
    return replace(span, start=span.start + start, end=span.start + end, quote=span.quote[start:end])


def _lines(quote: str) -> list[tuple[int, int]]:
    """The lines of a quote that are not empty, without white space around them."""
    found = []
    start = 0
    for line in quote.splitlines(keepends=True):
        bare = line.strip()
        if bare:
            at = start + line.index(bare)
            found.append((at, at + len(bare)))
        start += len(line)
    return found
