"""Retrieval: a question in, the passages that may answer it out."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from core.config.models import Settings
from core.domain.answer import Degradation
from core.domain.ids import DocumentId
from core.domain.passage import Vector
from core.domain.search import SearchHit, SearchQuery, SearchReport
from core.encode.base import Encoder
from core.errors import EncoderError, UsageError
from core.index.base import Filter, Mode, SearchEngine, SearchRequest
from core.records.store import Records
from core.records.visibility import Visibility
from core.retrieval.catalogue import Catalogue
from core.retrieval.query import QuestionAnalysis, analyse_question, clean_query, encode_question
from core.retrieval.rank import Candidate, rank
from core.retrieval.resolve import Resolution
from core.retrieval.sentences import best_part

DEFAULT_ALPHA = 0.5  # best or within .005 of it on five of five sets, leave one out


@dataclass(frozen=True, slots=True)
class Retrieval:
    """All that one retrieval found out; `candidates` best first, at most the pool of the settings.

    named_documents: those the question was found to name; is_ambiguous: they fit one name equally well.
    """

    analysis: QuestionAnalysis
    candidates: tuple[Candidate, ...]
    named_documents: tuple[DocumentId, ...] = ()
    is_ambiguous: bool = False
    degradations: tuple[Degradation, ...] = ()
    timings_ms: dict[str, float] | None = None


class Retriever:
    """Finds passages for questions, within what a principal may see. Thread-safe."""

    def __init__(
        self,
        records: Records,
        engine: SearchEngine,
        encoder: Encoder,
        settings: Settings,
        degradation: Callable[[], str] = lambda: "",
    ) -> None:
        """degradation: why another engine than the configured one answers now; empty where it does."""
        self._degradation = degradation
        self._records = records
        self._engine = engine
        self._encoder = encoder
        self._settings = settings.retrieval
        self._catalogue = Catalogue(records)

    def warm(self) -> None:
        """Read the names of all documents and encode a word, so that the first question need not wait."""
        self._catalogue.refresh()
        self._encoder.encode_queries(["warm"])

    def search(self, query: SearchQuery, visibility: Visibility) -> SearchReport:
        """At most query.top_k hits; none for a blank query. Raises IndexUnavailableError, UsageError."""
        return self.report(self.retrieve(query, visibility), query)

    def report(self, found: Retrieval, query: SearchQuery) -> SearchReport:
        """The first query.top_k candidates of a retrieval as hits, each on one page."""
        hits = tuple(
            _hit(rank_no, candidate, found.analysis)
            for rank_no, candidate in enumerate(found.candidates[: max(query.top_k, 0)], start=1)
        )
        return SearchReport(hits, found.named_documents, found.degradations, found.timings_ms)

    def retrieve(self, query: SearchQuery, visibility: Visibility) -> Retrieval:
        """The candidates with the question's analysis, for stages that look inside passages."""
        clock = _Clock()
        mode = _mode(query.mode)
        text = clean_query(query.text)
        if not text:
            return Retrieval(_blank_analysis(self._dimension), ())
        resolution = self._resolve(text, mode, query, visibility)
        clock.lap("resolve")
        vectors, mode, degradations = self._encode(text, resolution.stripped, mode, query)
        clock.lap("encode")
        analysis = analyse_question(
            text, resolution.stripped, vectors.stripped, self._engine, carried=query.carried
        )
        named = frozenset(resolution.documents)
        search = _Search(mode, query, visibility, max(self._settings.pool, query.top_k))
        found: list[Candidate] = []
        if named:
            found = self._tier(search.within(named), analysis)
            clock.lap("search_named")
        if len(found) < search.pool:
            wider = analysis
            if named:
                wider = analyse_question(text, text, vectors.full, self._engine, carried=query.carried)
            rest = self._tier(search.outside(named), wider)
            found = _stacked(found, rest[: search.pool - len(found)]) if named else rest
        clock.lap("search")
        if away := self._degradation():
            degradations = (*degradations, Degradation(code="E003", message=away))
        return Retrieval(
            analysis, tuple(found), resolution.documents, resolution.is_ambiguous, degradations, clock.laps
        )

    @property
    def _dimension(self) -> int:
        return self._encoder.signature.dimension

    def _resolve(self, text: str, mode: Mode, query: SearchQuery, visibility: Visibility) -> Resolution:
        if mode is not Mode.HYBRID or not (query.resolve and self._settings.resolve_documents):
            return Resolution((), False, text)
        return self._catalogue.resolve(text, visibility, buckets=query.buckets, documents=query.documents)

    def _encode(
        self, text: str, stripped: str, mode: Mode, query: SearchQuery
    ) -> tuple[_Vectors, Mode, tuple[Degradation, ...]]:
        nothing = np.zeros(self._dimension, np.float32)
        if mode is Mode.KEYWORD:
            return _Vectors(nothing, nothing), mode, ()
        try:
            first, second = encode_question([stripped, text], query.carried, self._encoder)
        except EncoderError as error:
            if mode is Mode.SEMANTIC:
                raise
            note = Degradation(code="E003", message=f"Searched by keyword only: {error.message}")
            return _Vectors(nothing, nothing), Mode.KEYWORD, (note,)
        return _Vectors(first, second), mode, ()

    def _tier(self, search: _Search, analysis: QuestionAnalysis) -> list[Candidate]:
        if search.mode is not Mode.KEYWORD and not analysis.vector.any():
            return []
        hits = self._engine.search(search.request(analysis))
        ids = [hit.passage for hit in hits]
        return rank(
            hits,
            self._records.passages.get(ids, search.visibility),
            self._records.passages.sentence_vectors(ids),
            analysis.vector,
            analysis.idf_sum,
            mode=search.mode,
            alpha=search.alpha,
        )


@dataclass(frozen=True, slots=True)
class _Vectors:
    stripped: Vector
    full: Vector


class _Clock:
    """Milliseconds by stage."""

    def __init__(self) -> None:
        self.laps: dict[str, float] = {}
        self._last = time.perf_counter()

    def lap(self, name: str) -> None:
        now = time.perf_counter()
        self.laps[name] = round((now - self._last) * 1000, 3)
        self._last = now


@dataclass(frozen=True, slots=True)
class _Search:
    """What all stages of one retrieval have in common."""

    mode: Mode
    query: SearchQuery
    visibility: Visibility
    pool: int
    documents: frozenset[DocumentId] | None = None
    excluded: frozenset[DocumentId] = frozenset()

    @property
    def alpha(self) -> float:
        alpha = DEFAULT_ALPHA if self.query.alpha is None else self.query.alpha
        return min(max(alpha, 0.0), 1.0) if alpha == alpha else DEFAULT_ALPHA  # nan: no number to weigh by

    def within(self, documents: frozenset[DocumentId]) -> _Search:
        return replace(self, documents=documents)

    def outside(self, documents: frozenset[DocumentId]) -> _Search:
        return replace(self, excluded=documents)

    def request(self, analysis: QuestionAnalysis) -> SearchRequest:
        """Phrases bind in a keyword search only: in a question, quotation marks mostly set off a name."""
        asked = frozenset(self.query.documents) or None
        return SearchRequest(
            terms=analysis.terms,
            vector=None if self.mode is Mode.KEYWORD else analysis.vector,
            mode=self.mode,
            alpha=self.alpha,
            top_k=self.pool,
            pool=self.pool,
            phrases=analysis.phrases if self.mode is Mode.KEYWORD else (),
            filter=Filter(
                buckets=frozenset(self.query.buckets) or None,
                documents=self.documents or asked,
                excluded_documents=self.excluded,
                groups=self.visibility.groups,
            ),
        )


def _mode(name: str) -> Mode:
    try:
        return Mode(name)
    except ValueError as error:
        expected = ", ".join(mode.value for mode in Mode)
        raise UsageError(
            f"Unknown search mode {name!r}. Expected one of: {expected}.",
            next_step="Use hybrid where in doubt.",
        ) from error


def _blank_analysis(dimension: int) -> QuestionAnalysis:
    return QuestionAnalysis("", "", (), (), {}, np.zeros(dimension, np.float32))


def _stacked(first: list[Candidate], second: list[Candidate]) -> list[Candidate]:
    """The named documents' candidates before all others, with scores that say so."""
    upper = [replace(candidate, score=0.5 + candidate.score / 2) for candidate in first]
    return upper + [replace(candidate, score=candidate.score / 2) for candidate in second]


def _hit(rank_no: int, candidate: Candidate, analysis: QuestionAnalysis) -> SearchHit:
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
        title=stored.title,
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
