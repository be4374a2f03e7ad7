"""Inspection of a search: each engine's lists side by side, with the parts of every score."""

from __future__ import annotations

from dataclasses import dataclass

from core.domain.answer import Degradation
from core.domain.ids import DocumentId, PassageId


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
