"""Merges rankings: a keyword list with a vector list, and those of several wordings of one query."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from core.domain.ids import PassageId

# Engines round scores before they compare them, so that equal passages tie whatever order the machine added
# their parts in: float32 BM25 differs in the last bit from segment to segment, BLAS from row to row.
KEYWORD_DIGITS = 4
COSINE_DIGITS = 6


@dataclass(frozen=True, slots=True)
class ScoredPassage:
    """A passage in one list, with that list's raw score."""

    passage: PassageId
    score: float


@dataclass(frozen=True, slots=True)
class Fused:
    """A passage in the merged ranking; keyword and cosine are raw, None where a list lacked it."""

    passage: PassageId
    score: float
    keyword: float | None
    cosine: float | None


def fuse(keyword: Sequence[ScoredPassage], vector: Sequence[ScoredPassage], alpha: float) -> list[Fused]:
    """Merge two lists of one query by relative score, best first; ties by passage id.

    alpha: weight of the vector list, 0 to 1; 1 - alpha weighs the keyword list. Each list is scaled to
    0..1 over itself; where all its scores are equal, each is 1. A passage that a list lacks gets
    nothing from it. An empty list leaves the other's order.
    Source: relative score fusion as Weaviate 1.39 does it, measured on a real server.
    """
    keyword_parts, vector_parts = _relative(keyword, 1.0 - alpha), _relative(vector, alpha)
    keyword_raw = {hit.passage: hit.score for hit in keyword}
    vector_raw = {hit.passage: hit.score for hit in vector}
    merged = [
        Fused(
            passage,
            keyword_parts.get(passage, 0.0) + vector_parts.get(passage, 0.0),
            keyword_raw.get(passage),
            vector_raw.get(passage),
        )
        for passage in keyword_raw | vector_raw
    ]
    return sorted(merged, key=lambda hit: (-hit.score, hit.passage))


def fuse_wordings(
    own: Mapping[PassageId, float], others: Sequence[Mapping[PassageId, float]], weight: float
) -> dict[PassageId, float]:
    """Score of every passage over several wordings of one query, in no order.

    own: scores for the words that were asked, on one scale with the others, 0 to 1. weight: of the other
    wordings, 0 to 1. A passage is as good as its best wording says, so what was found by the words that were
    asked never falls.
    Source: Fox and Shaw 1994, CombMAX, with a weight.
    """
    found = dict(own)
    for scores in others:
        for passage, score in scores.items():
            found[passage] = max(found.get(passage, 0.0), weight * score)
    return found


def _relative(hits: Sequence[ScoredPassage], weight: float) -> dict[PassageId, float]:
    """Each passage's share of `weight`, by where its score lies between the lowest and the highest."""
    if not hits:
        return {}
    low, high = min(hit.score for hit in hits), max(hit.score for hit in hits)
    if high <= low:
        return {hit.passage: weight for hit in hits}
    return {hit.passage: weight * ((hit.score - low) / (high - low)) for hit in hits}
