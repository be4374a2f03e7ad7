"""A search as a person or a program asks for it, and what it gives."""

from __future__ import annotations

from dataclasses import dataclass

from core.domain.answer import Degradation
from core.domain.ids import DocumentId, PassageId

MAX_HOPS = 3
"""Look-ups that one question may need, one after another."""


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


@dataclass(frozen=True, slots=True)
class InspectedTerm:
    """A word of the query as the keyword list looks for it.

    weight: 1 for the query's own; idf: natural log, over passages; at most weight x idf x 2.2 comes of it.
    is_of_name: it names a document, and is looked for in the others only.
    """

    term: str
    weight: float
    idf: float
    is_of_name: bool


@dataclass(frozen=True, slots=True)
class InspectedPassage:
    """A passage in one list; `text` is what a hit shows of it, at [start, end) of the page.

    score: what this list is ordered by. keyword: raw BM25; cosine, sentence_cosine: of the passage and of its
    best sentence; None where no list knows. keyword_rank, meaning_rank, fused_rank: its places in the three
    lists as deep as they were read, None where it is in none. keyword_part, meaning_part and named_part add
    up to its score in the fused list; None where that lacks it. full_match: the keyword score that counts 1.
    """

    rank: int
    passage: PassageId
    document: DocumentId
    version: int
    title: str
    source: str
    page: int
    start: int
    end: int
    section: tuple[str, ...]
    text: str
    score: float
    keyword: float | None
    cosine: float | None
    sentence_cosine: float | None
    keyword_rank: int | None
    meaning_rank: int | None
    fused_rank: int | None
    keyword_part: float | None
    meaning_part: float | None
    named_part: float | None
    full_match: float


@dataclass(frozen=True, slots=True)
class InspectedList:
    """One ranking, best first. total: how many were read, of which `entries` are the first."""

    entries: tuple[InspectedPassage, ...] = ()
    total: int = 0


@dataclass(frozen=True, slots=True)
class EngineInspection:
    """Lists of one engine; empty where `reason` says why it could not be asked.

    fused is what a search gives. In a search by keyword or by meaning alone the other list is empty.
    """

    name: str
    reason: str = ""
    terms: tuple[InspectedTerm, ...] = ()
    keyword: InspectedList = InspectedList()
    meaning: InspectedList = InspectedList()
    fused: InspectedList = InspectedList()
    timings_ms: dict[str, float] | None = None


@dataclass(frozen=True, slots=True)
class NamedDocument:
    """A document that the query names: its passages stand first."""

    document: DocumentId
    title: str


@dataclass(frozen=True, slots=True)
class SearchInspection:
    """Reading of a query, and the hits of each configured engine.

    mode: what was searched by. engines: the one that answers while all is well first; () for a blank query.
    answered_by: the engine whose fused list a search gives now, "" where none can be asked.
    """

    mode: str
    alpha: float
    engines: tuple[EngineInspection, ...]
    answered_by: str = ""
    named_documents: tuple[NamedDocument, ...] = ()
    degradations: tuple[Degradation, ...] = ()
    timings_ms: dict[str, float] | None = None
