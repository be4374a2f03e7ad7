"""How much a result holds, for figures and lists."""

from __future__ import annotations

from collections.abc import Collection

from core.domain.results import Comparison, Documents, FoundValue, Groups, Passages, Result, Rows
from core.plan.ir.nodes import Node, spec_of


def looked_at(node: Node, found: Result, inputs: Collection[Result]) -> int:
    """About how many documents or rows a node had to look at, as estimates reckon it."""
    looks_at = spec_of(node).looks_at
    if looks_at == "nothing":
        return 0
    if looks_at == "scope":
        return len(found.scope) if isinstance(found, Documents) else size_of(found)[1]
    return sum(size_of(each)[1] for each in inputs)


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
