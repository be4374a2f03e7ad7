"""Frequencies of terms in the embedded index: of all passages, or of those that a reader may see."""

from __future__ import annotations

from collections.abc import Sequence

from core.index.base import Filter, TermFrequencies
from core.index.embedded.generation import View

COUNTED_EXACTLY = 20_000
"""Passages of a term whose access is looked at one by one; words of more are words of the language."""


def frequencies(view: View, terms: Sequence[str], within: Filter | None) -> TermFrequencies:
    """In how many passages each term stands, of how many; within: of those that this filter admits."""
    rows, reader = view.rows, view.reader
    counts = {term: reader.count(term) for term in dict.fromkeys(terms)}
    if within is None:
        return TermFrequencies(rows.alive_count, counts)
    mask = rows.select(within.settled(rows.state.sequence))
    admitted = int(mask.sum())
    share = admitted / max(rows.alive_count, 1)
    seen = {
        term: round(count * share)
        if count > COUNTED_EXACTLY
        else int(mask[reader.rows_of(term, count)].sum())
        for term, count in counts.items()
    }
    return TermFrequencies(admitted, seen)
