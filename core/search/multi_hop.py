"""Questions that no passage answers alone: search, follow the titles found, search there, rank pairs.

Without a model. The first hop is the fused search. The next looks into the documents whose titles its best
passages mention. All passages are then ranked in pairs. A third hop follows the
titles of what the second one found, unless the best pair covers the question already.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from core.domain.answer import Degradation
from core.domain.ids import DocumentId, PassageId
from core.domain.passage import StoredPassage
from core.domain.search import MAX_HOPS, SearchQuery
from core.search.query import QuestionAnalysis
from core.search.rank import RankedPassage
from core.search.search import PassageFinder, Retrieval
from core.store.database.visibility import Visibility
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


def pair_passage(
    stored: StoredPassage, score: float, links: Iterable[DocumentId], weights: Mapping[str, float]
) -> PairPassage:
    """A passage as pairs see it. links: the documents that its text names, itself or others."""
    document = stored.passage.document
    terms = terms_of(stored.title, stored.passage.text, weights)
    return PairPassage(stored.id, document, score, terms, frozenset(links) - {document})


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


FRONTS = 5  # passages of the first hop whose links are followed
FURTHER_FRONTS = 2  # of each later hop: passages that are linked with those
EXTENDED = 10  # linked pairs that a third passage may go with
MOST_LINKS = 50  # documents that one hop looks into
MOST_PAIRED = 50  # passages of one hop that pairs are made of
PAIRED = 20  # passages that come from pairs; behind them the first hop's order
CONFIDENT = 0.85
HOP_DEADLINE_S = 2.0
DEADLINE_S = 8.0


@dataclass(frozen=True, slots=True)
class HopStep:
    """One hop: what it looked into (() for everything), how much it found, how much is covered after it.

    confidence: share of the question's idf that the best passages found so far cover, 0 to 1.
    """

    links: tuple[DocumentId, ...]
    found: int
    confidence: float
    latency_ms: float


@dataclass(frozen=True, slots=True)
class HopSearch:
    """Result of the hops: candidates with the best chains first, how it went, and why it ended."""

    retrieval: Retrieval
    steps: tuple[HopStep, ...]
    chains: tuple[Chain, ...] = ()
    ended: str = ""


@dataclass(slots=True)
class _Trail:
    """Knowledge while hops go on; `pool` in the order in which passages were found."""

    first: Retrieval
    query: SearchQuery
    visibility: Visibility
    pool: dict[PassageId, RankedPassage] = field(default_factory=dict)
    pieces: dict[PassageId, PairPassage] = field(default_factory=dict)
    fronts: list[PassageId] = field(default_factory=list)
    followed: set[DocumentId] = field(default_factory=set)
    chains: list[Chain] = field(default_factory=list)
    next_fronts: list[PassageId] = field(default_factory=list)
    degradations: tuple[Degradation, ...] = ()


class MultiHop:
    """Searches in hops. Thread-safe."""

    def __init__(self, finder: PassageFinder, *, tick: Callable[[], float] = time.monotonic) -> None:
        self._finder = finder
        self._tick = tick

    def search(self, query: SearchQuery, visibility: Visibility) -> HopSearch:
        """Passages for a question; the first hop is always made. Raises IndexUnavailableError.

        Time is looked at between hops: a hop that took too long is the last one, and a degradation says so.
        """
        started = self._tick()
        first = self._finder.retrieve(query, visibility)
        trail = _Trail(first, query, visibility, degradations=first.degradations)
        self._take(trail, first.candidates)
        trail.fronts = [candidate.stored.id for candidate in first.candidates[:FRONTS]]
        steps = [HopStep((), len(first.candidates), self._confidence(trail), self._spent_ms(started))]
        ended = "" if first.candidates else "Nothing was found to go on from."
        while not ended:
            ended = self._why_enough(trail, steps, started)
            if ended:
                break
            began = self._tick()
            links = self._links(trail)
            if not links:
                ended = "Nothing that was found names a further document."
                break
            found = self._follow(trail, links)
            steps.append(HopStep(links, found, self._confidence(trail), self._spent_ms(began)))
        return HopSearch(self._told(trail, len(steps) > 1), tuple(steps), tuple(trail.chains[:PAIRED]), ended)

    def _why_enough(self, trail: _Trail, steps: Sequence[HopStep], started: float) -> str:
        """Reason why no further hop is made; "" where one is."""
        if len(steps) > 1 and steps[-1].confidence >= CONFIDENT:
            return f"What was found covers {steps[-1].confidence:.0%} of the question."
        if len(steps) >= MAX_HOPS:
            return f"{MAX_HOPS} hops were made."
        spent = self._tick() - started
        if steps[-1].latency_ms > 1000 * HOP_DEADLINE_S or spent > DEADLINE_S:
            late = f"Hop {len(steps)} took {steps[-1].latency_ms / 1000:.1f} s, so no further one was made."
            trail.degradations += (Degradation(code="E005", message=late),)
            return late
        return ""

    def _links(self, trail: _Trail) -> tuple[DocumentId, ...]:
        """The documents named by the fronts that were not looked into yet."""
        named = (
            id
            for front in (*trail.fronts, *trail.next_fronts)
            for id in sorted(trail.pieces[front].links)
            if id not in trail.followed and id != trail.pieces[front].document
        )
        return tuple(dict.fromkeys(named))[:MOST_LINKS]

    def _follow(self, trail: _Trail, links: tuple[DocumentId, ...]) -> int:
        """Search the linked documents, rank all in pairs, and go on from the best that are new."""
        within = replace(trail.query, documents=links, resolve=False)
        report = self._finder.retrieve(within, trail.visibility)
        trail.degradations += tuple(each for each in report.degradations if each not in trail.degradations)
        trail.followed.update(links)
        self._take(trail, report.candidates)
        weights = term_weights(trail.first.analysis)
        pairs = rank_pairs([trail.pieces[id] for id in trail.fronts], trail.pieces.values(), weights)
        further = extend_pairs([pair for pair in pairs if pair.is_linked][:EXTENDED], trail.pieces, weights)
        trail.chains = sorted((*pairs, *further), key=lambda chain: -chain.score)
        new = (id for pair in pairs if pair.is_linked for id in pair.passages if id not in trail.fronts)
        trail.next_fronts = list(dict.fromkeys(new))[:FURTHER_FRONTS]
        return len(report.candidates)

    def _take(self, trail: _Trail, candidates: Iterable[RankedPassage]) -> None:
        new = [each for each in candidates if each.stored.id not in trail.pool][:MOST_PAIRED]
        texts = [candidate.stored.passage.text for candidate in new]
        named = self._finder.mentioned(texts, trail.visibility, trail.query.buckets)
        weights = term_weights(trail.first.analysis)
        for candidate, links in zip(new, named, strict=True):
            stored = candidate.stored
            trail.pool[stored.id] = candidate
            within = [id for id in links if not trail.query.documents or id in trail.query.documents]
            trail.pieces[stored.id] = pair_passage(stored, candidate.score, within, weights)

    def _confidence(self, trail: _Trail) -> float:
        """Coverage of the best chain; before there are any, that of the best passage."""
        if trail.chains:
            return round(trail.chains[0].coverage, 4)
        weights = term_weights(trail.first.analysis)
        best = next(iter(trail.pieces.values()), None)
        return round(sum(weights[term] for term in best.terms), 4) if best is not None else 0.0

    def _told(self, trail: _Trail, has_hopped: bool) -> Retrieval:
        """The first retrieval with the passages of the best chains in front; scores fall with rank."""
        if not has_hopped:
            return replace(trail.first, degradations=trail.degradations)
        found_first = [each.stored.id for each in trail.first.candidates]
        found = {each.stored.id: each for each in trail.first.candidates} | trail.pool
        chosen = in_order((), (*in_order(trail.chains)[:PAIRED], *found_first))
        return replace(
            trail.first,
            candidates=tuple(falling([found[id] for id in chosen])),
            degradations=trail.degradations,
        )

    def _spent_ms(self, since: float) -> float:
        return round((self._tick() - since) * 1000, 3)


def falling(candidates: Sequence[RankedPassage]) -> list[RankedPassage]:
    """The candidates in this order with their own scores put in falling order: lists are told by score."""
    scores = sorted((each.score for each in candidates), reverse=True)
    return [_scored(each, score) for each, score in zip(candidates, scores, strict=True)]


def _scored(candidate: RankedPassage, score: float) -> RankedPassage:
    if candidate.score == score:
        return candidate
    parts = replace(candidate.parts, named=score - candidate.parts.keyword - candidate.parts.meaning)
    return replace(candidate, score=score, parts=parts)
