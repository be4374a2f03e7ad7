"""Protocol of a search engine: one contract suite, several engines."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Protocol

from core.domain.ids import DocumentId, PassageId
from core.domain.passage import StoredPassage, Vector
from core.encode.base import EncoderSignature


class Mode(StrEnum):
    """Lists that a search draws on."""

    HYBRID = "hybrid"
    KEYWORD = "keyword"
    SEMANTIC = "semantic"


@dataclass(frozen=True, slots=True)
class Filter:
    """Filter of passages before they are ranked; every given condition must hold.

    None means no condition; an empty set means that nothing matches.
    groups: the access filter: passages whose acl is empty or shares a group with it. passages: only these.
    """

    buckets: frozenset[str] | None = None
    documents: frozenset[DocumentId] | None = None
    excluded_documents: frozenset[DocumentId] = frozenset()
    doc_types: frozenset[str] | None = None
    groups: frozenset[str] | None = None
    passages: frozenset[PassageId] | None = None


@dataclass(frozen=True, slots=True)
class SearchRequest:
    """One search.

    terms: analysed keyword terms with weights; repeated terms count once. `phrases` are sequences of
    analysed terms that must stand together: they restrict the keyword list, add nothing to its scores and
    leave the vector list as it is. vector: (d,) unit norm, needed unless mode is KEYWORD.
    pool: how deep each list is read before fusion; alpha: weight of the vector list, 0 to 1.
    """

    terms: tuple[tuple[str, float], ...]
    vector: Vector | None
    mode: Mode = Mode.HYBRID
    alpha: float = 0.5
    top_k: int = 10
    pool: int = 100
    phrases: tuple[tuple[str, ...], ...] = ()
    filter: Filter = field(default_factory=Filter)

    @property
    def depth(self) -> int:
        """Number of hits of each list that count: the hits wanted, and before fusion at least `pool`."""
        return max(self.pool, self.top_k) if self.mode is Mode.HYBRID else self.top_k


@dataclass(frozen=True, slots=True)
class EngineHit:
    """A passage that a search found, with how its score came about.

    score: what the list is ordered by. keyword: raw BM25, None where the passage was not in that list.
    cosine: raw cosine; every hit of a hybrid search carries it, also where only the keyword list held the
    passage (fusion counts what the lists held); None in a keyword search.
    """

    passage: PassageId
    document: DocumentId
    score: float
    keyword: float | None
    cosine: float | None


@dataclass(frozen=True, slots=True)
class IndexedPassage:
    """Passage for an engine to index: a stored one and its (d,) vector.

    columns: what else is known of it, for engines that other programs look into; no search needs them.
    """

    stored: StoredPassage
    vector: Vector
    columns: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class IndexBatch:
    """Changes up to and including `sequence`.

    documents: every document whose rows are stale; all their passages are removed first, then
    `passages` are added. Applying a batch twice leaves the state of applying it once.
    """

    sequence: int
    documents: frozenset[DocumentId]
    passages: tuple[IndexedPassage, ...]


@dataclass(frozen=True, slots=True)
class EngineStatus:
    """State of an engine: changes up to `sequence`, this many passages, by this encoder."""

    engine: str
    sequence: int
    passages: int
    encoder: EncoderSignature
    generation: str


class SearchEngine(Protocol):
    """An index over passages. Many threads and processes may search; one process writes."""

    def search(self, request: SearchRequest) -> list[EngineHit]:
        """At most top_k hits, best first; ties by passage id. Sees every batch applied before the call.

        Raises IndexUnavailableError.
        """
        ...

    def apply(self, batch: IndexBatch) -> None:
        """Make the batch visible and durable, or leave the state as it was."""
        ...

    def document_frequencies(self, terms: Sequence[str]) -> dict[str, int]:
        """In how many passages each analysed term stands (0 for unknown terms), unfiltered."""
        ...

    def status(self) -> EngineStatus:
        """State of the engine now."""
        ...

    def close(self) -> None:
        """Release files and locks; safe to call twice."""
        ...


@dataclass(frozen=True, slots=True)
class EngineAtHand:
    """An engine that can be asked by itself, or why it cannot: engine is None then."""

    name: str
    engine: SearchEngine | None
    reason: str = ""
