"""Protocol of a search engine: one contract suite, several engines."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Protocol

import numpy as np

from core.domain.ids import DocumentId, PassageId
from core.domain.passage import Vector
from core.encode.base import EncoderSignature
from core.errors import EncoderError, IndexUnavailableError, UsageError
from core.store.base import AccessChanges, IndexedPassage


class Mode(StrEnum):
    """Lists that a search draws on."""

    HYBRID = "hybrid"
    KEYWORD = "keyword"
    SEMANTIC = "semantic"


@dataclass(frozen=True, slots=True)
class Filter:
    """Filter of passages before they are ranked; every given condition must hold.

    None means no condition; an empty set means that nothing matches.
    groups: the access filter: passages whose acl is empty or shares a key with it. passages: only these.
    access_since: told how far an index is, the documents whose access is newer than that; see `settled`.
    shown_documents: whose passages are admitted whatever acl the index has of them.
    """

    buckets: frozenset[str] | None = None
    documents: frozenset[DocumentId] | None = None
    excluded_documents: frozenset[DocumentId] = frozenset()
    doc_types: frozenset[str] | None = None
    groups: frozenset[str] | None = None
    passages: frozenset[PassageId] | None = None
    access_since: Callable[[int], AccessChanges] | None = field(default=None, compare=False)
    shown_documents: frozenset[DocumentId] = frozenset()

    def settled(self, sequence: int) -> Filter:
        """The filter for an index that holds the changes up to `sequence`.

        An index follows the records; until it has, documents that were closed since are left out by name,
        and those that were opened are let in.
        """
        if self.access_since is None or self.groups is None:
            return self
        changed = self.access_since(sequence)
        return replace(
            self,
            access_since=None,
            shown_documents=changed.shown,
            excluded_documents=self.excluded_documents | changed.hidden,
        )

    def admits(self, one: IndexedPassage) -> bool:
        """True of a passage that meets every condition; of a `settled` filter alone."""
        stored, document = one.stored, one.stored.passage.document
        return (
            (self.buckets is None or stored.bucket in self.buckets)
            and (self.documents is None or document in self.documents)
            and document not in self.excluded_documents
            and (self.passages is None or stored.id in self.passages)
            and (self.doc_types is None or stored.doc_type in self.doc_types)
            and (
                self.groups is None
                or not stored.acl
                or bool(self.groups & set(stored.acl))
                or document in self.shown_documents
            )
        )


EVERYTHING = Filter()
"""The filter that admits every passage."""


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


@dataclass(frozen=True, slots=True)
class TermFrequencies:
    """Numbers of passages that terms stand in, and of passages in all."""

    passages: int
    of_terms: Mapping[str, int]

    def idf(self, term: str) -> float:
        """BM25's idf of a term, >= 0: log(1 + (N - n + .5) / (n + .5))."""
        n = self.of_terms[term]
        return math.log(1 + max(self.passages - n + 0.5, 0.0) / (n + 0.5))


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

    def document_frequencies(self, terms: Sequence[str], within: Filter | None = None) -> TermFrequencies:
        """In how many passages each analysed term stands (0 for unknown terms), of how many.

        within: of the passages that it admits, where a frequent term may be estimated; None: of all.
        """
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


def check_index(
    what: str, stored: EncoderSignature, wanted: EncoderSignature, *, is_of_this_version: bool
) -> None:
    """Refuse an index of another encoder (EncoderError) or version (IndexUnavailableError).

    what: begins the sentence, such as "The collection 'X'". is_of_this_version: of format and analyser.
    """
    if stored != wanted:
        raise EncoderError(
            f"{what} holds vectors of {_described(stored)}, the configured encoder is {_described(wanted)}.",
            next_step=f"Run `groundwork reindex` to encode again with {wanted.name!r}, "
            f"or set encode.model back to {stored.name!r}.",
        )
    if not is_of_this_version:
        raise IndexUnavailableError(
            f"{what} was built by another version of Groundwork.",
            next_step="Run `groundwork reindex` to build it again from the records.",
        )


def check_vectors(passages: Iterable[IndexedPassage], signature: EncoderSignature) -> None:
    """Raises EncoderError where a passage's vector is not of the encoder's dimension, or not finite."""
    for one in passages:
        vector = np.asarray(one.vector)
        if vector.shape != (signature.dimension,) or not np.isfinite(vector).all():
            raise EncoderError(
                f"The vector of passage {one.stored.id} has shape {vector.shape}; expected "
                f"{signature.dimension} finite numbers, as {signature.name!r} gives.",
                next_step="Run `groundwork reindex` to encode every passage again.",
            )


def check_query(request: SearchRequest, dimension: int) -> None:
    """Raises UsageError where a search lacks the vector that it needs, EncoderError where it does not fit."""
    if request.mode is Mode.KEYWORD:
        return
    if request.vector is None:
        raise UsageError(
            f"A search of mode {request.mode.value!r} needs a query vector.",
            next_step="Give the vector, or search by keyword.",
        )
    query = np.asarray(request.vector)
    if query.shape != (dimension,) or not np.isfinite(query).all():
        raise EncoderError(
            f"The query vector has shape {query.shape}; expected {dimension} finite numbers.",
            next_step="Encode queries with the encoder that the index was built with.",
        )


def _described(signature: EncoderSignature) -> str:
    return f"{signature.name!r} ({signature.dimension} numbers, {signature.sha256[:12]})"
