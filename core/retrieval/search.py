"""Retrieval: a question in, the passages that may answer it out."""

from __future__ import annotations

from dataclasses import dataclass

from core.config.models import Settings
from core.domain.answer import Degradation
from core.domain.ids import DocumentId
from core.domain.search import SearchQuery, SearchReport
from core.encode.base import Encoder
from core.index.base import SearchEngine
from core.records.store import Records
from core.records.visibility import Visibility
from core.retrieval.query import QuestionAnalysis
from core.retrieval.rank import Candidate


@dataclass(frozen=True, slots=True)
class Retrieval:
    """All that one retrieval found out; `candidates` best first, at most the pool of the settings.

    named_documents: those the question was found to name (several: it fits them equally, or names them all).
    """

    analysis: QuestionAnalysis
    candidates: tuple[Candidate, ...]
    named_documents: tuple[DocumentId, ...]
    is_ambiguous: bool
    degradations: tuple[Degradation, ...]
    timings_ms: dict[str, float]


class Retriever:
    """Finds passages for questions, within what a principal may see. Thread-safe."""

    def __init__(self, records: Records, engine: SearchEngine, encoder: Encoder, settings: Settings) -> None:
        self._records = records
        self._engine = engine
        self._encoder = encoder
        self._settings = settings

    def search(self, query: SearchQuery, visibility: Visibility) -> SearchReport:
        """At most query.top_k hits. A blank query gives none. Raises IndexUnavailableError."""
        raise NotImplementedError

    def candidates(self, query: SearchQuery, visibility: Visibility) -> list[Candidate]:
        """The whole reranked pool, best first; query.top_k is not applied."""
        raise NotImplementedError

    def retrieve(self, query: SearchQuery, visibility: Visibility) -> Retrieval:
        """The candidates with the question's analysis, for stages that look inside passages."""
        raise NotImplementedError
