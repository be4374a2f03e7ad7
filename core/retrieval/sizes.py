"""How much a result holds, for figures and lists."""

from __future__ import annotations

from core.domain.results import Comparison, Documents, FoundValue, Groups, Passages, Result, Rows


def size_of(result: Result) -> tuple[int, int]:
    """How many rows a result gives, and how many fulfil what was asked (of documents: are present)."""
    if isinstance(result, Documents):
        return len(result.scope), len(result.present)
    if isinstance(result, Rows):
        return len(result.rows), result.total
    if isinstance(result, Passages):
        return len(result.hits), len(result.hits)
    if isinstance(result, Groups):
        return len(result.groups), result.rows
    if isinstance(result, Comparison):
        return len(result.rows), len(result.rows)
    assert isinstance(result, FoundValue)
    return 1, 1
