"""Question as the answer stages know it: the ranked sentences and the passages they stand in."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Protocol

from core.domain.document import Page
from core.domain.ids import DocumentId
from core.domain.search import SearchQuery
from core.records.database.visibility import Visibility
from core.retrieval.query import QuestionAnalysis
from core.retrieval.rank import RankedPassage
from core.retrieval.search import Retrieval
from core.retrieval.sentences import ScoredSentence


class EvidenceFinder(Protocol):
    """Finds candidate passages for a query; `core.retrieval.search.Retriever` is the real one."""

    def retrieve(self, query: SearchQuery, visibility: Visibility) -> Retrieval:
        """The candidates with the question's analysis. Raises IndexUnavailableError."""
        ...

    def mentioned(
        self, texts: Sequence[str], visibility: Visibility, buckets: Collection[str] = ()
    ) -> list[tuple[DocumentId, ...]]:
        """For each text the documents whose titles it mentions, in order."""
        ...


class PageSource(Protocol):
    """Reads stored page text; `records.documents` is the real one."""

    def page(self, id: DocumentId, version: int, page_no: int, visible: Visibility) -> Page:
        """One page of one version. Raises NotFoundError where it is unknown or not visible."""
        ...


@dataclass(frozen=True, slots=True)
class Evidence:
    """Ranked sentences without near-duplicates, best first, and the passages they come from, best first."""

    analysis: QuestionAnalysis
    sentences: tuple[ScoredSentence, ...]
    candidates: tuple[RankedPassage, ...]
    named_documents: tuple[DocumentId, ...] = ()
    is_ambiguous: bool = False

    @property
    def best(self) -> ScoredSentence | None:
        """The sentence that answers best; None where nothing was found."""
        return self.sentences[0] if self.sentences else None


@dataclass(frozen=True, slots=True)
class Span:
    """A quoted place with what a citation needs; `quote` equals the page text [start:end]."""

    document: DocumentId
    version: int
    page_no: int
    start: int
    end: int
    quote: str
    title: str
    source: str


def span_of(sentence: ScoredSentence) -> Span:
    """The sentence as a quoted place, without the white space around it."""
    text = sentence.text
    start = sentence.span.start + len(text) - len(text.lstrip())
    stripped = text.strip()
    return Span(
        document=sentence.document,
        version=sentence.version,
        page_no=sentence.span.page_no,
        start=start,
        end=start + len(stripped),
        quote=stripped,
        title=sentence.candidate.stored.name,
        source=sentence.candidate.stored.source,
    )
