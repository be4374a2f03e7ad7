"""Stages of retrieval: the query read, and its searches: named documents first, then all others."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property

from core.domain.answer import Degradation
from core.domain.ids import DocumentId
from core.domain.passage import Vector
from core.domain.search import SearchQuery
from core.index.base import Filter, Mode, SearchEngine, SearchRequest
from core.records.database.visibility import Visibility
from core.retrieval.query import QuestionAnalysis, analyse_question
from core.retrieval.resolve import Resolution
from core.values.stated_years import years_said

DEFAULT_ALPHA = 0.5  # best or within .005 of it on five of five sets, leave one out


class StageTimer:
    """Milliseconds by stage."""

    def __init__(self) -> None:
        self.laps: dict[str, float] = {}
        self._last = time.perf_counter()

    def lap(self, name: str) -> None:
        """Book the time since the last lap under `name`."""
        now = time.perf_counter()
        self.laps[name] = round((now - self._last) * 1000, 3)
        self._last = now


@dataclass(frozen=True)
class RetrievalContext:
    """Context that all stages of one retrieval share: the query cleaned, resolved and encoded.

    access: what may be seen, for engines. mode: what is searched by, which is the query's unless the encoder
    could not be used. stripped, full: vectors of the text without the name of a document, and of all of it;
    zeros in a keyword search.
    """

    text: str
    mode: Mode
    query: SearchQuery
    visibility: Visibility
    access: Filter
    pool: int
    resolution: Resolution
    stripped: Vector
    full: Vector
    degradations: tuple[Degradation, ...] = ()

    @cached_property
    def has_period(self) -> bool:
        """True where years are asked about, here or in what is carried: figures of them are looked for."""
        return bool(years_said(f"{self.text} {self.query.carried}"))

    @property
    def alpha(self) -> float:
        """The weight of meaning, 0 to 1."""
        alpha = DEFAULT_ALPHA if self.query.alpha is None else self.query.alpha
        return min(max(alpha, 0.0), 1.0) if alpha == alpha else DEFAULT_ALPHA  # nan: no number to weigh by

    def tiers(self, engine: SearchEngine) -> Iterator[Tier]:
        """The searches to make, in order; each is analysed when it is asked for."""
        named = frozenset(self.resolution.documents)
        carried = self.query.carried
        first = analyse_question(
            self.text, self.resolution.stripped, self.stripped, engine, carried=carried, within=self.access
        )
        yield Tier(self, first, named or None)
        if named:
            wider = analyse_question(
                self.text, self.text, self.full, engine, carried=carried, within=self.access
            )
            yield Tier(self, wider, None, excluded=named)


@dataclass(frozen=True, slots=True)
class Tier:
    """One search of a reading. documents: those that the query names, None for any.

    excluded: the same in the search of all others.
    """

    reading: RetrievalContext
    analysis: QuestionAnalysis
    documents: frozenset[DocumentId] | None
    excluded: frozenset[DocumentId] = frozenset()

    def request(self, mode: Mode) -> SearchRequest:
        """Request to an engine, by `mode`.

        Phrases bind in a keyword search only: in a question, quotation marks mostly set off a name.
        """
        reading = self.reading
        asked = frozenset(reading.query.documents) or None
        return SearchRequest(
            terms=self.analysis.engine_terms,
            vector=None if mode is Mode.KEYWORD else self.analysis.vector,
            mode=mode,
            alpha=reading.alpha,
            top_k=reading.pool,
            pool=reading.pool,
            phrases=self.analysis.phrases if reading.mode is Mode.KEYWORD else (),
            filter=replace(
                reading.access,
                buckets=frozenset(reading.query.buckets) or None,
                documents=self.documents or asked,
                excluded_documents=self.excluded,
            ),
        )
