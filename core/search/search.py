"""Retrieval: a question in, the passages that may answer it out."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Protocol

import numpy as np

from core.config.models import Settings
from core.domain.answer import Degradation
from core.domain.ids import DocumentId, PassageId
from core.domain.passage import Vector
from core.domain.search import SearchHit, SearchQuery, SearchReport
from core.encode.base import Encoder
from core.errors import EncoderError
from core.index.base import EngineHit, Mode, SearchEngine
from core.index.fuse import fuse_wordings
from core.search.catalogue import NameCatalogue
from core.search.query import (
    DEFAULT_ALPHA,
    QuestionAnalysis,
    RetrievalContext,
    StageTimer,
    Tier,
    access_filter,
    clean_query,
    encode_question,
    mode_of,
)
from core.search.rank import RankedPassage, figures_gain, leading, places_of, score_hits
from core.search.reorder import Reordering, with_score
from core.search.resolve import Resolution
from core.search.sentences import best_part
from core.store.database.visibility import Visibility
from core.store.store import Records
from core.text.asking import asked_and_told

_KEPT_QUESTIONS = 2_000  # as vectors, 3 KB each: programs ask the same words again and again
SPARE = 10  # passages read beyond those that are shown: an index may name some that are gone
NAMED_PART = 0.5  # of a score: what a passage gets for standing in a document that the question names


# Of what a further wording finds, beside what the query's own words find. Of .5 and .8 the one that moved
# chunking_eval less: R@4 .90 and .79 with the whole of another question as wording, .93 without one.
WORDING_WEIGHT = 0.5


@dataclass(frozen=True, slots=True)
class Retrieval:
    """All that one retrieval found out; `candidates` best first, at most the pool of the settings.

    named_documents: those the question was found to name; is_ambiguous: they fit one name equally well.
    """

    analysis: QuestionAnalysis
    candidates: tuple[RankedPassage, ...]
    named_documents: tuple[DocumentId, ...] = ()
    is_ambiguous: bool = False
    degradations: tuple[Degradation, ...] = ()
    timings_ms: dict[str, float] | None = None


@dataclass(frozen=True, slots=True)
class EngineCandidates:
    """The candidates of one engine, best first, with the searches that gave them, at least one."""

    tiers: tuple[Tier, ...]
    candidates: tuple[RankedPassage, ...]


class PassageFinder(Protocol):
    """Finds candidate passages for a query; `Retriever` is the real one."""

    def retrieve(self, query: SearchQuery, visibility: Visibility) -> Retrieval:
        """The candidates with the question's analysis. Raises IndexUnavailableError."""
        ...

    def mentioned(
        self, texts: Sequence[str], visibility: Visibility, buckets: Collection[str] = ()
    ) -> list[tuple[DocumentId, ...]]:
        """For each text the documents whose titles it mentions, in order."""
        ...


class Retriever:
    """Finds passages for questions, within what a principal may see. Thread-safe."""

    def __init__(
        self,
        records: Records,
        engine: SearchEngine,
        encoder: Encoder,
        settings: Settings,
        degradation: Callable[[], str] = lambda: "",
        reordering: Reordering | None = None,
    ) -> None:
        """degradation: why another engine than the configured one answers now; empty where it does."""
        self._reordering = reordering
        self._degradation = degradation
        self._records = records
        self._engine = engine
        self._encoder = encoder
        self._settings = settings.retrieval
        self._catalogue = NameCatalogue(records)
        # Hops, sides of a comparison and follow-ups ask the same words again, at 10 to 40 ms an encoding.
        self._vectors = lru_cache(_KEPT_QUESTIONS)(self._encoded)

    def warm(self) -> None:
        """Read the names of all documents and encode a word, so that the first question need not wait."""
        self._catalogue.refresh()
        self._encoder.encode_queries(["warm"])

    def search(self, query: SearchQuery, visibility: Visibility) -> SearchReport:
        """At most query.top_k hits; none for a blank query. Raises IndexUnavailableError, UsageError."""
        return self.report(self.retrieve(query, visibility, query.top_k), query)

    def report(self, found: Retrieval, query: SearchQuery) -> SearchReport:
        """The first query.top_k candidates of a retrieval as hits, each on one page."""
        hits = tuple(
            _hit(rank_no, candidate, found.analysis)
            for rank_no, candidate in enumerate(found.candidates[: max(query.top_k, 0)], start=1)
        )
        return SearchReport(hits, found.named_documents, found.degradations, found.timings_ms)

    def retrieve(self, query: SearchQuery, visibility: Visibility, shown: int | None = None) -> Retrieval:
        """The candidates with the question's analysis, for stages that look inside passages.

        shown: as many of the first candidates as will be looked at, None for all.
        """
        clock = StageTimer()
        query = self._as_set(query)
        reading = self.read(query, visibility, clock)
        if reading is None:
            return Retrieval(_blank_analysis(self._dimension), ())
        reordering = self._reordering if reading.mode is Mode.HYBRID else None
        if shown is not None and reordering is not None:
            shown = max(shown, reordering.top)
        found = self.find(reading, self._engine, clock, None if query.wordings else shown)
        candidates = found.candidates
        late: tuple[Degradation, ...] = ()
        if query.wordings:
            candidates = self._with_wordings(candidates, reading)
            clock.lap("search_wordings")
        if reordering is not None:
            candidates, late = reordering.apply(reading.text, candidates)
            clock.lap("rerank")
        return Retrieval(
            found.tiers[0].analysis,
            candidates,
            reading.resolution.documents,
            reading.resolution.is_ambiguous,
            (*self.degradations(reading), *late),
            clock.laps,
        )

    def read(self, query: SearchQuery, visibility: Visibility, clock: StageTimer) -> RetrievalContext | None:
        """The query as it will be searched for; None for a blank one. Raises UsageError, EncoderError."""
        mode, query = mode_of(query.mode), self._as_set(query)
        visibility = self._records.copies.counted_once(visibility.within(query.buckets), query.documents)
        text = clean_query(query.text)
        if not text:
            return None
        resolution = self._resolve(text, mode, query, visibility)
        asked, told = asked_and_told(text)
        if told and mode is Mode.HYBRID and not query.carried:  # what tells weighs less, as in a conversation
            of_asked = self._resolve(asked, mode, query, visibility)
            if set(of_asked.documents) == set(resolution.documents):
                text, resolution, query = asked, of_asked, replace(query, carried=told)
        clock.lap("resolve")
        (stripped, full), mode, degradations = self._encode(text, resolution.stripped, mode, query)
        clock.lap("encode")
        pool = max(self._settings.pool, query.top_k)
        return RetrievalContext(
            text,
            mode,
            query,
            visibility,
            access_filter(self._records.changes, visibility),
            pool,
            resolution,
            stripped,
            full,
            degradations,
        )

    def find(
        self, reading: RetrievalContext, engine: SearchEngine, clock: StageTimer, shown: int | None = None
    ) -> EngineCandidates:
        """The candidates that `engine` gives for a reading. Raises IndexUnavailableError.

        shown: see `candidates`.
        """
        if reading.resolution.documents or reading.has_period:
            shown = None  # how many the named documents hold, or their figures, decide where the others stand
        searched: list[Tier] = []
        found: list[RankedPassage] = []
        for tier in reading.tiers(engine):
            part = self.candidates(tier, engine, reading.mode, shown)
            found = _stacked(found, part[: reading.pool - len(found)]) if searched else part
            searched.append(tier)
            clock.lap("search_named" if tier.documents else "search")
            if len(found) >= reading.pool:
                break
        return EngineCandidates(tuple(searched), tuple(found))

    def _with_wordings(
        self, found: tuple[RankedPassage, ...], reading: RetrievalContext
    ) -> tuple[RankedPassage, ...]:
        """The candidates with those of every further wording, best first; of the named documents, if any."""
        query, named = reading.query, reading.resolution.documents
        lists: list[list[RankedPassage]] = []
        for wording in query.wordings:
            asked = replace(
                query, text=wording, wordings=(), resolve=False, documents=named or query.documents
            )
            other = self.read(asked, reading.visibility, StageTimer())
            if other is not None:
                part = list(self.find(other, self._engine, StageTimer()).candidates)
                lists.append(_stacked(part, []) if named else part)
        fused = fuse_wordings(_scores(found), [_scores(each) for each in lists], WORDING_WEIGHT)
        known = {each.stored.id: each for part in (*lists, found) for each in part}
        merged = [with_score(each, fused[id]) for id, each in known.items()]
        merged.sort(key=lambda each: (-each.score, each.stored.passage.document, each.stored.passage.ordinal))
        return tuple(merged[: reading.pool])

    def candidates(
        self, tier: Tier, engine: SearchEngine, mode: Mode, shown: int | None = None
    ) -> list[RankedPassage]:
        """Passages from one search of `engine` by `mode`, best first.

        shown: how many of the first will be looked at, None for all: of a hundred found ten are shown, and
        the text of no more than these is read.
        """
        analysis = tier.analysis
        if mode is not Mode.KEYWORD and not analysis.vector.any():
            return []
        hits = engine.search(tier.request(mode))
        if shown is not None and mode is not Mode.HYBRID:  # the engine's order stays
            first = leading(hits, shown + SPARE)
            found = self._ranked(first, tier, mode, shown)
            if len(found) >= shown or len(first) == len(hits):
                return found
        return self._ranked(hits, tier, mode, shown)

    def _ranked(
        self, hits: Sequence[EngineHit], tier: Tier, mode: Mode, shown: int | None
    ) -> list[RankedPassage]:
        ids, visibility, records = [hit.passage for hit in hits], tier.reading.visibility, self._records
        whole = records.passages.get(ids, visibility) if shown is None else {}
        scored = score_hits(
            hits,
            records.passages.places(ids, visibility) if shown is not None else places_of(whole),
            records.passages.sentence_vectors(ids),
            tier.analysis.vector,
            tier.analysis.idf_sum,
            mode=mode,
            alpha=tier.reading.alpha,
            gains={id: figures_gain(each.passage.text) for id, each in whole.items()}
            if tier.reading.has_period
            else None,
        )
        if shown is not None:
            scored = scored[: max(shown, 0)]
            whole = records.passages.get([each.hit.passage for each in scored], visibility)
        return [each.of(whole[each.hit.passage]) for each in scored if each.hit.passage in whole]

    def titles(self, documents: Sequence[DocumentId], visibility: Visibility) -> dict[DocumentId, str]:
        """Titles of the documents; those that may not be seen are left out."""
        found = self._records.documents.get_many(documents, visibility)
        return {each: summary.name for each, summary in found.items()}

    def mentioned(
        self, texts: Sequence[str], visibility: Visibility, buckets: Collection[str] = ()
    ) -> list[tuple[DocumentId, ...]]:
        """For each text the documents whose titles it mentions; those that may not be seen are left out."""
        return self._catalogue.mentioned(texts, visibility.within(buckets))

    def degradations(self, reading: RetrievalContext) -> tuple[Degradation, ...]:
        """Degradations: failures while a query was read, and the reason why another engine answers."""
        away = self._degradation()
        return (*reading.degradations, *([Degradation(code="E003", message=away)] if away else []))

    def _as_set(self, query: SearchQuery) -> SearchQuery:
        """The query by the settings of the home, where it does not say otherwise; plans do not."""
        is_own = query.alpha not in (None, DEFAULT_ALPHA)
        wordings = query.wordings if self._settings.wordings else ()
        return replace(query, alpha=query.alpha if is_own else self._settings.alpha, wordings=wordings)

    @property
    def _dimension(self) -> int:
        return self._encoder.signature.dimension

    def _resolve(self, text: str, mode: Mode, query: SearchQuery, visibility: Visibility) -> Resolution:
        if mode is not Mode.HYBRID or not (query.resolve and self._settings.resolve_documents):
            return Resolution((), False, text)
        return self._catalogue.resolve(text, visibility, documents=query.documents)

    def _encode(
        self, text: str, stripped: str, mode: Mode, query: SearchQuery
    ) -> tuple[tuple[Vector, Vector], Mode, tuple[Degradation, ...]]:
        nothing = np.zeros(self._dimension, np.float32)
        if mode is Mode.KEYWORD:
            return (nothing, nothing), mode, ()
        try:
            return self._vectors(stripped, text, query.carried), mode, ()
        except EncoderError as error:
            if mode is Mode.SEMANTIC:
                raise
            note = Degradation(code="E003", message=f"Searched by keyword only: {error.message}")
            return (nothing, nothing), Mode.KEYWORD, (note,)

    def _encoded(self, stripped: str, text: str, carried: str) -> tuple[Vector, Vector]:
        first, second = encode_question([stripped, text], carried, self._encoder)
        return first, second


def _blank_analysis(dimension: int) -> QuestionAnalysis:
    return QuestionAnalysis("", "", (), (), {}, np.zeros(dimension, np.float32))


def _stacked(first: list[RankedPassage], second: list[RankedPassage]) -> list[RankedPassage]:
    """The candidates of the named documents, and of what is attached to them, before all others, with scores
    that say so.
    """
    holders = tuple({f"{each.stored.source}/" for each in first if "://" not in each.stored.source})
    attached = [each for each in second if each.stored.source.startswith(holders)] if holders else []
    upper = [
        replace(each, score=NAMED_PART + each.score / 2, parts=each.parts.halved(NAMED_PART))
        for each in sorted((*first, *attached), key=lambda each: -each.score)
    ]
    return upper + [
        replace(each, score=each.score / 2, parts=each.parts.halved())
        for each in second
        if each not in attached
    ]


def _scores(found: Sequence[RankedPassage]) -> dict[PassageId, float]:
    return {each.stored.id: each.score for each in found}


def _hit(rank_no: int, candidate: RankedPassage, analysis: QuestionAnalysis) -> SearchHit:
    stored = candidate.stored
    passage = stored.passage
    part = best_part(candidate, analysis)
    return SearchHit(
        rank=rank_no,
        score=candidate.score,
        index="passages",
        passage=stored.id,
        document=passage.document,
        version=passage.version,
        title=stored.name,
        source=stored.source,
        bucket=stored.bucket,
        page=part.span.page_no,
        start=part.span.start,
        end=part.span.end,
        text=part.text,
        section=passage.section,
        keyword=candidate.keyword,
        cosine=candidate.cosine,
        sentence_cosine=candidate.sentence_cosine,
    )
