"""A search engine that keeps everything in a dictionary and looks at every passage: slow and plain."""

from __future__ import annotations

import math
import threading
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from core.domain.ids import DocumentId, PassageId
from core.domain.passage import Vector
from core.encode.base import EncoderSignature
from core.errors import EncoderError, IndexUnavailableError, UsageError
from core.index.base import (
    EngineHit,
    EngineStatus,
    Filter,
    IndexBatch,
    Mode,
    SearchRequest,
    TermFrequencies,
)
from core.index.fuse import ScoredPassage, fuse
from core.store.base import IndexedPassage
from core.text.analyse import passage_terms

K1, B = 1.2, 0.75


@dataclass
class Memory:
    """What an engine holds; opening another engine on it is reopening."""

    signature: EncoderSignature
    sequence: int = 0
    passages: dict[PassageId, IndexedPassage] = field(default_factory=dict)
    terms: dict[PassageId, list[str]] = field(default_factory=dict)


class MemoryEngine:
    """A SearchEngine over a Memory. Thread-safe: one lock guards all of it."""

    def __init__(self, memory: Memory) -> None:
        self._memory = memory
        self._lock = threading.Lock()
        self._closed = False

    def search(self, request: SearchRequest) -> list[EngineHit]:
        with self._lock:
            self._check_open()
            if request.mode is not Mode.KEYWORD and request.vector is None:
                raise UsageError("no vector")
            if request.vector is not None and not self._fits(request.vector):
                raise EncoderError("the query vector does not fit")
            keyword = [] if request.mode is Mode.SEMANTIC else self._keyword(request)[: request.depth]
            vector = [] if request.mode is Mode.KEYWORD else self._vector(request)[: request.depth]
            if request.mode is not Mode.HYBRID:
                return [self._hit(hit, request.mode) for hit in (keyword or vector)]
            cosines = {hit.passage: hit.score for hit in self._cosines(request)}
            return [
                EngineHit(
                    hit.passage, self._document(hit.passage), hit.score, hit.keyword, cosines[hit.passage]
                )
                for hit in fuse(keyword, vector, request.alpha)[: request.top_k]
            ]

    def apply(self, batch: IndexBatch) -> None:
        with self._lock:
            self._check_open()
            if not all(self._fits(one.vector) for one in batch.passages):
                raise EncoderError("a vector does not fit")
            stale = batch.documents | {one.stored.passage.document for one in batch.passages}
            memory = self._memory
            kept = {k: v for k, v in memory.passages.items() if v.stored.passage.document not in stale}
            memory.passages = kept | {one.stored.id: one for one in batch.passages}
            memory.terms = {k: memory.terms[k] for k in kept} | {
                one.stored.id: passage_terms(one.stored) for one in batch.passages
            }
            memory.sequence = max(memory.sequence, batch.sequence)

    def document_frequencies(self, terms: Sequence[str], within: Filter | None = None) -> TermFrequencies:
        with self._lock:
            self._check_open()
            admitted = self._admitted(Filter() if within is None else within)
            held = [self._memory.terms[one.stored.id] for one in admitted]
            return TermFrequencies(len(held), {term: sum(term in each for each in held) for term in terms})

    def status(self) -> EngineStatus:
        with self._lock:
            self._check_open()
            memory = self._memory
            return EngineStatus("memory", memory.sequence, len(memory.passages), memory.signature, "0")

    def close(self) -> None:
        self._closed = True

    def _check_open(self) -> None:
        if self._closed:
            raise IndexUnavailableError("closed")

    def _fits(self, vector: Vector) -> bool:
        return vector.shape == (self._memory.signature.dimension,) and bool(np.isfinite(vector).all())

    def _document(self, passage: PassageId) -> DocumentId:
        return self._memory.passages[passage].stored.passage.document

    def _hit(self, hit: ScoredPassage, mode: Mode) -> EngineHit:
        keyword, cosine = (hit.score, None) if mode is Mode.KEYWORD else (None, hit.score)
        return EngineHit(hit.passage, self._document(hit.passage), hit.score, keyword, cosine)

    def _frequency(self, term: str) -> int:
        return sum(term in terms for terms in self._memory.terms.values())

    def _admitted(self, wanted: Filter) -> list[IndexedPassage]:
        settled = wanted.settled(self._memory.sequence)
        return [one for one in self._memory.passages.values() if settled.admits(one)]

    def _keyword(self, request: SearchRequest) -> list[ScoredPassage]:
        total = len(self._memory.terms)
        average = sum(map(len, self._memory.terms.values())) / max(total, 1)
        weights: dict[str, float] = {}
        for term, weight in request.terms:
            weights[term] = max(weight, weights.get(term, 0.0))
        frequencies = {term: self._frequency(term) for term in weights}
        hits = []
        for one in self._admitted(request.filter):
            terms = self._memory.terms[one.stored.id]
            if not all(stands_in(phrase, terms) for phrase in request.phrases):
                continue
            counts, score = Counter(terms), 0.0
            for term, weight in weights.items():
                n, tf = frequencies[term], counts[term]
                idf = math.log(1 + (total - n + 0.5) / (n + 0.5))
                score += weight * idf * tf * (K1 + 1) / (tf + K1 * (1 - B + B * len(terms) / average))
            if score > 0:
                hits.append(ScoredPassage(one.stored.id, round(score, 4)))
        return sorted(hits, key=lambda hit: (-hit.score, hit.passage))

    def _cosines(self, request: SearchRequest) -> list[ScoredPassage]:
        assert request.vector is not None
        return [
            ScoredPassage(one.stored.id, round(float(one.vector @ request.vector), 6))
            for one in self._admitted(request.filter)
        ]

    def _vector(self, request: SearchRequest) -> list[ScoredPassage]:
        if request.vector is None or not request.vector.any():
            return []
        return sorted(self._cosines(request), key=lambda hit: (-hit.score, hit.passage))


def stands_in(phrase: Sequence[str], terms: Sequence[str]) -> bool:
    """Whether the terms of a phrase follow one another somewhere."""
    size = len(phrase)
    return any(tuple(terms[at : at + size]) == tuple(phrase) for at in range(len(terms) - size + 1))
