"""The search inspector: the same retrieval, with each list by itself and every part of the scores."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
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
from core.records.database.visibility import Visibility
from core.retrieval.query import QuestionAnalysis
from core.retrieval.rank import BM25_SATURATION, RankedPassage, ScoreParts
from core.retrieval.search import EngineCandidates, Retriever
from core.retrieval.sentences import best_part
from core.retrieval.stages import RetrievalContext, StageTimer, Tier


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
        lists = _Lists.of(single[Mode.KEYWORD], single[Mode.SEMANTIC], _placed(found))
        top_k = reading.query.top_k
        return EngineInspection(
            name=at_hand.name,
            terms=_terms(found.tiers),
            keyword=lists.shown(lists.keyword, top_k, lambda entry: entry.keyword),
            meaning=lists.shown(lists.meaning, top_k, lambda entry: entry.cosine),
            fused=lists.shown(lists.fused, top_k, lambda entry: entry.score),
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


@dataclass(frozen=True, slots=True)
class _Lists:
    """The three lists of one engine, with each passage's place and scores in all of them."""

    keyword: Sequence[_Placed]
    meaning: Sequence[_Placed]
    fused: Sequence[_Placed]
    ranks: tuple[Mapping[PassageId, int], Mapping[PassageId, int], Mapping[PassageId, int]]
    keyword_raw: Mapping[PassageId, float | None]
    cosines: Mapping[PassageId, float | None]
    parts: Mapping[PassageId, ScoreParts]

    @classmethod
    def of(cls, keyword: Sequence[_Placed], meaning: Sequence[_Placed], fused: Sequence[_Placed]) -> _Lists:
        """The lists, each passage's scores gathered from wherever they are known."""
        ranks = [
            {each.passage: n for n, each in enumerate(part, start=1)} for part in (keyword, meaning, fused)
        ]
        everything = [each.candidate for each in (*keyword, *meaning, *fused)]
        return cls(
            keyword,
            meaning,
            fused,
            (ranks[0], ranks[1], ranks[2]),
            {each.stored.id: each.keyword for each in everything if each.keyword is not None},
            {each.stored.id: each.cosine for each in everything if each.cosine is not None},
            {each.passage: each.candidate.parts for each in fused},
        )

    def shown(
        self, part: Sequence[_Placed], top_k: int, score: Callable[[RankedPassage], float | None]
    ) -> InspectedList:
        """The first top_k of one of the lists."""
        first = part[: max(top_k, 0)]
        entries = (
            self._entry(n, each, score(each.candidate) or 0.0) for n, each in enumerate(first, start=1)
        )
        return InspectedList(tuple(entries), len(part))

    def _entry(self, rank_no: int, placed: _Placed, score: float) -> InspectedPassage:
        stored, shown = placed.candidate.stored, best_part(placed.candidate, placed.analysis)
        parts = self.parts.get(stored.id)
        keyword, meaning, fused = (ranks.get(stored.id) for ranks in self.ranks)
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
            keyword=self.keyword_raw.get(stored.id),
            cosine=self.cosines.get(stored.id),
            sentence_cosine=placed.candidate.sentence_cosine,
            keyword_rank=keyword,
            meaning_rank=meaning,
            fused_rank=fused,
            keyword_part=parts.keyword if parts else None,
            meaning_part=parts.meaning if parts else None,
            named_part=parts.named if parts else None,
            full_match=BM25_SATURATION * placed.analysis.idf_sum,
        )


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
