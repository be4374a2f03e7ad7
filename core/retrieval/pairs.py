"""Passages that answer together: ranked in pairs, by what both say and whether one names the other."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from core.domain.ids import DocumentId, PassageId
from core.retrieval.query import QuestionAnalysis
from core.text.analyse import analyse

# Round numbers, near the middle of what did as well on both halves of HotpotQA's 100 visible questions: all
# gold within 8 was .94 to .96 for coverage .25 to .5 and links .125 to .5, against .76 for the fused list.
COVERAGE_WEIGHT = 0.5
LINK_WEIGHT = 0.25


@dataclass(frozen=True, slots=True)
class PairPassage:
    """A passage as pairs see it. terms: of its title and text; links: the documents that its text names."""

    id: PassageId
    document: DocumentId
    score: float
    terms: frozenset[str]
    links: frozenset[DocumentId] = frozenset()


@dataclass(frozen=True, slots=True)
class Chain:
    """Two or three passages and how well they answer together.

    coverage: share of the question's idf that stands in any of them, 0 to 1. is_linked: each names the next
    one's document, or is named by it.
    """

    passages: tuple[PassageId, ...]
    score: float
    coverage: float
    is_linked: bool


def term_weights(analysis: QuestionAnalysis) -> dict[str, float]:
    """Weights of a question's terms in coverage; they sum to 1, or there are none."""
    total = analysis.idf_sum
    return {term: weight * analysis.idf[term] / total for term, weight in analysis.terms} if total > 0 else {}


def terms_of(title: str, text: str, weights: Mapping[str, float]) -> frozenset[str]:
    """The terms of a question that a passage has in its title or text."""
    return frozenset(weights.keys() & set(analyse(f"{title}\n{text}")))


def rank_pairs(
    fronts: Sequence[PairPassage], pieces: Iterable[PairPassage], weights: Mapping[str, float]
) -> list[Chain]:
    """Every front with every other piece, best first; ties in the order given.

    Score: both passages' own, half of what they cover together, a quarter where one names the other.
    """
    others = list(pieces)
    pairs = [
        _chain((front, other), weights, is_linked=_are_linked(front, other))
        for front in fronts
        for other in others
        if other.id != front.id
    ]
    return sorted(pairs, key=lambda pair: -pair.score)


def extend_pairs(
    pairs: Iterable[Chain], pieces: Mapping[PassageId, PairPassage], weights: Mapping[str, float]
) -> list[Chain]:
    """Linked pairs with a third passage that their second one is linked with, best first."""
    chains = []
    for pair in pairs:
        first, second = (pieces[id] for id in pair.passages)
        if pair.is_linked:
            chains += [
                _chain((first, second, third), weights, is_linked=True)
                for third in pieces.values()
                if third.id not in pair.passages and third.document in second.links
            ]
    return sorted(chains, key=lambda chain: -chain.score)


def in_order(chains: Iterable[Chain], rest: Iterable[PassageId] = ()) -> list[PassageId]:
    """The passages of the chains, the best chain's first, and then the rest; each once."""
    chained = (id for chain in chains for id in chain.passages)
    return list(dict.fromkeys((*chained, *rest)))


def _are_linked(one: PairPassage, other: PairPassage) -> bool:
    return other.document in one.links or one.document in other.links


def _chain(pieces: Sequence[PairPassage], weights: Mapping[str, float], *, is_linked: bool) -> Chain:
    """A chain of three counts as two do: by the mean of what its passages score."""
    coverage = sum(weights[term] for term in frozenset().union(*(piece.terms for piece in pieces)))
    own = 2 * sum(piece.score for piece in pieces) / len(pieces)
    score = own + COVERAGE_WEIGHT * coverage + LINK_WEIGHT * is_linked
    return Chain(tuple(piece.id for piece in pieces), round(score, 6), coverage, is_linked)
