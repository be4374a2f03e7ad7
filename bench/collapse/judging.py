"""Is the first answer right, and how much of what answers was found."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from bench.collapse.questions import CollapseQuestion
from bench.collapse.words import holds
from bench.retrieval.scores import Place

DEPTH = 8


def is_right(question: CollapseQuestion, cited: Iterable[Place], words: str) -> bool:
    """True where a place is in one of the gold places, and the answer, where it is known, in the words."""
    return any(overlap(place, gold) for place in cited for gold in question.gold) and holds(
        words, question.answer
    )


def overlap(one: Place, other: Place) -> bool:
    """True of two places with characters in common."""
    return one.source == other.source and one.start < other.end and other.start < one.end


def recall(question: CollapseQuestion, found: Sequence[Place]) -> float:
    """Share of the gold places that are in one of the first DEPTH places found."""
    first = found[:DEPTH]
    return sum(any(overlap(place, gold) for place in first) for gold in question.gold) / len(question.gold)
