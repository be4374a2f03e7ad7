"""Scores of rankings: characters found, and discounted gain."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Place:
    """Characters [start, end) of the text of a source, as it is stored."""

    source: str
    start: int
    end: int


def precision(found: Sequence[Place], gold: Sequence[Place]) -> float:
    """Share of the characters found that are gold; overlapping finds count each time. 0 for nothing found."""
    total = sum(place.end - place.start for place in found)
    return sum(_covered(place, gold) for place in found) / total if total else 0.0


def recall(found: Sequence[Place], gold: Sequence[Place]) -> float:
    """Share of the gold characters that were found, each counted once."""
    wanted = list(_union(gold))
    total = sum(place.end - place.start for place in wanted)
    return sum(_covered(place, found) for place in wanted) / total if total else 0.0


def ndcg(ranked: Sequence[str], gains: Mapping[str, float], depth: int = 10) -> float:
    """Normalised discounted cumulative gain at `depth`, with the gains as they are."""
    ideal = sorted(gains.values(), reverse=True)
    best = _discounted(ideal[:depth])
    return _discounted([gains.get(item, 0.0) for item in ranked[:depth]]) / best if best else 0.0


def _discounted(gains: Iterable[float]) -> float:
    return sum(gain / math.log2(place + 2) for place, gain in enumerate(gains))


def _covered(place: Place, others: Sequence[Place]) -> int:
    """How many characters of `place` stand in any of the others."""
    same = (other for other in others if other.source == place.source)
    return sum(max(0, min(place.end, other.end) - max(place.start, other.start)) for other in _union(same))


def _union(places: Iterable[Place]) -> Iterable[Place]:
    """The places merged where they overlap."""
    merged: list[Place] = []
    for place in sorted(places, key=lambda place: (place.source, place.start)):
        last = merged[-1] if merged else None
        if last is not None and last.source == place.source and place.start <= last.end:
            merged[-1] = Place(last.source, last.start, max(last.end, place.end))
        else:
            merged.append(place)
    return merged
