"""A search as a person or a program asks for it, and what it gives."""

from __future__ import annotations

from dataclasses import dataclass

from core.domain.answer import Degradation
from core.domain.ids import DocumentId, PassageId


@dataclass(frozen=True, slots=True)
class SearchQuery:
    """mode: hybrid | keyword | semantic. alpha None: the default for the question's kind.

    buckets and documents: () means all. resolve: look for a document that the text names, search it first.
    carried: what earlier turns of a conversation add to a follow-up; it weighs less than the text.
    index: passages | clauses | parties | financials | summaries. where: conditions `field op value` on the
    columns of that index or on the fields of documents; all must hold, and they choose before the ranking.
    wordings: other ways of saying the text, searched for beside it (passages only).
    """

    text: str
    mode: str = "hybrid"
    alpha: float | None = None
    top_k: int = 10
    buckets: tuple[str, ...] = ()
    documents: tuple[DocumentId, ...] = ()
    resolve: bool = True
    carried: str = ""
    index: str = "passages"
    where: tuple[str, ...] = ()
    wordings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class SearchHit:
    """A passage, its place (text == page text [start:end]) and its scores, best first from rank 1.

    score falls with rank. keyword, cosine, sentence_cosine: the parts, None where there is none.
    """

    rank: int
    score: float
    index: str
    passage: PassageId
    document: DocumentId
    version: int
    title: str
    source: str
    bucket: str
    page: int
    start: int
    end: int
    text: str
    section: tuple[str, ...]
    keyword: float | None
    cosine: float | None
    sentence_cosine: float | None

    @property
    def scores(self) -> dict[str, float | None]:
        """Parts of the score by their names in the interface."""
        return {"keyword": self.keyword, "semantic": self.cosine, "best_sentence": self.sentence_cosine}


@dataclass(frozen=True, slots=True)
class SearchReport:
    """Hits with what did not work, and the documents that the query was found to name."""

    hits: tuple[SearchHit, ...]
    named_documents: tuple[DocumentId, ...] = ()
    degradations: tuple[Degradation, ...] = ()
    timings_ms: dict[str, float] | None = None
