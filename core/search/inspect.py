"""The search inspector: the same retrieval, with each list by itself and every part of the scores."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from core.domain.ids import PassageId
from core.domain.search import (
    EngineInspection,
    InspectedList,
    InspectedPassage,
    InspectedTerm,
    NamedDocument,
    SearchInspection,
    SearchQuery,
)
from core.errors import IndexUnavailableError
from core.index.base import EngineAtHand, Mode, SearchEngine
from core.search.query import QuestionAnalysis, RetrievalContext, StageTimer, Tier
from core.search.rank import BM25_SATURATION, RankedPassage
from core.search.search import EngineCandidates, Retriever
from core.search.sentences import best_part
from core.store.database.visibility import Visibility


class Inspector:
    """Shows how a search comes about, engine by engine. Thread-safe."""

    def __init__(self, retriever: Retriever, engines: Callable[[], Sequence[EngineAtHand]]) -> None:
        """engines: all that are configured, the one that should answer first."""
        self._retriever = retriever
        self._engines = engines

    def inspect(self, query: SearchQuery, visibility: Visibility) -> SearchInspection:
        """The first query.top_k of every list. An engine that is away gives its reason, and no error.

        Raises UsageError, and EncoderError in a search by meaning alone.
        """
        clock = StageTimer()
        reading = self._retriever.read(query, visibility, clock)
        if reading is None:
            return SearchInspection(query.mode, 0.0, ())
        engines = tuple(self._ask(reading, each) for each in self._engines())
        named = reading.resolution.documents
        titles = self._retriever.titles(named, visibility)
        return SearchInspection(
            mode=reading.mode.value,
            alpha=reading.alpha,
            engines=engines,
            answered_by=next((engine.name for engine in engines if not engine.reason), ""),
            named_documents=tuple(NamedDocument(one, titles.get(one, one)) for one in named),
            degradations=self._retriever.degradations(reading),
            timings_ms=clock.laps,
        )

    def _ask(self, reading: RetrievalContext, at_hand: EngineAtHand) -> EngineInspection:
        engine = at_hand.engine
        if engine is None:
            return EngineInspection(at_hand.name, at_hand.reason)
        clock, laps = StageTimer(), StageTimer()
        try:
            found = self._retriever.find(reading, engine, clock)
            laps.lap("fused")
            single = {mode: self._list(found, engine, mode) for mode in (Mode.KEYWORD, Mode.SEMANTIC)}
            laps.lap("lists")
        except IndexUnavailableError as error:
            return EngineInspection(at_hand.name, error.message)
        lists = (single[Mode.KEYWORD], single[Mode.SEMANTIC], _placed(found))
        keyword, meaning, fused = _shown(lists, reading.query.top_k)
        return EngineInspection(
            name=at_hand.name,
            terms=_terms(found.tiers),
            keyword=keyword,
            meaning=meaning,
            fused=fused,
            timings_ms=laps.laps,
        )

    def _list(self, found: EngineCandidates, engine: SearchEngine, mode: Mode) -> list[_Placed]:
        """One engine list by itself, over the same searches; [] where the search does not draw on it."""
        if found.tiers[0].reading.mode not in (Mode.HYBRID, mode):
            return []
        return [
            _Placed(candidate, tier.analysis)
            for tier in found.tiers
            for candidate in self._retriever.candidates(tier, engine, mode)
        ]


@dataclass(frozen=True, slots=True)
class _Placed:
    """A candidate with the analysis that it was ranked by."""

    candidate: RankedPassage
    analysis: QuestionAnalysis

    @property
    def passage(self) -> PassageId:
        return self.candidate.stored.id


def _shown(lists: Sequence[Sequence[_Placed]], top_k: int) -> Iterator[InspectedList]:
    """The first top_k by keyword, by meaning and fused, each passage with what all lists know of it."""
    ranks = [{each.passage: n for n, each in enumerate(part, start=1)} for part in lists]
    everything = [each.candidate for part in lists for each in part]
    keywords = {each.stored.id: each.keyword for each in everything if each.keyword is not None}
    cosines = {each.stored.id: each.cosine for each in everything if each.cosine is not None}
    parts_of = {each.passage: each.candidate.parts for each in lists[2]}

    def entry(rank_no: int, placed: _Placed, score: float) -> InspectedPassage:
        stored, shown = placed.candidate.stored, best_part(placed.candidate, placed.analysis)
        parts = parts_of.get(stored.id)
        keyword, meaning, fused = (of.get(stored.id) for of in ranks)
        return InspectedPassage(
            rank=rank_no,
            passage=stored.id,
            document=stored.passage.document,
            version=stored.passage.version,
            title=stored.name,
            source=stored.source,
            page=shown.span.page_no,
            start=shown.span.start,
            end=shown.span.end,
            section=stored.passage.section,
            text=shown.text,
            score=score,
            keyword=keywords.get(stored.id),
            cosine=cosines.get(stored.id),
            sentence_cosine=placed.candidate.sentence_cosine,
            keyword_rank=keyword,
            meaning_rank=meaning,
            fused_rank=fused,
            keyword_part=parts.keyword if parts else None,
            meaning_part=parts.meaning if parts else None,
            named_part=parts.named if parts else None,
            full_match=BM25_SATURATION * placed.analysis.idf_sum,
        )

    for part, name in zip(lists, ("keyword", "cosine", "score"), strict=True):
        first = enumerate(part[: max(top_k, 0)], start=1)
        entries = (entry(n, each, getattr(each.candidate, name) or 0.0) for n, each in first)
        yield InspectedList(tuple(entries), len(part))


def _placed(found: EngineCandidates) -> list[_Placed]:
    """The candidates with the analysis of the search that each came by."""
    first, last = found.tiers[0], found.tiers[-1]
    named = first.documents or frozenset()
    return [
        _Placed(each, (first if each.stored.passage.document in named else last).analysis)
        for each in found.candidates
    ]


def _terms(tiers: Sequence[Tier]) -> tuple[InspectedTerm, ...]:
    """All words that were looked for, in the order of the query."""
    own = {term for term, _ in tiers[0].analysis.terms}
    widest = tiers[-1].analysis
    return tuple(
        InspectedTerm(term, weight, widest.idf[term], term not in own) for term, weight in widest.terms
    )
