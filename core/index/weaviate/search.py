"""Answers one search: two lists from the server, and their fusion here, as in the embedded engine."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import gcd, lcm
from typing import TYPE_CHECKING, Any
from uuid import UUID

import numpy as np

from core.domain.ids import DocumentId, PassageId
from core.domain.passage import Vector
from core.index.base import EngineHit, Filter, Mode, SearchRequest
from core.index.fuse import COSINE_DIGITS, KEYWORD_DIGITS, ScoredPassage, fuse
from core.index.weaviate.collection import K1, VECTOR, passage_of
from core.index.weaviate.connection import Deadline, together
from core.index.weaviate.filters import MatchesNothing, condition, every, sent_part
from core.index.weaviate.state import IndexState, visible

if TYPE_CHECKING:
    from weaviate.collections import Collection
    from weaviate.collections.classes.filters import _Filters as Condition

_DEEPEST = 10_000  # the server gives no more in one answer
_SPARE = 20  # rows read beyond the wanted ones, since ties at the cut must be resolved
NOT_OURS = PassageId(-1)  # what another program put into the collection counts as a row, never as a hit
_FINEST_WEIGHT = 20  # weights are told apart in steps of a twentieth; a question's are 1, .5, .4 and .2


@dataclass(frozen=True, slots=True)
class FoundObject:
    """A passage in one list, or an object of another program (NOT_OURS). terms: only for phrases."""

    passage: PassageId
    document: DocumentId
    uuid: UUID
    score: float
    terms: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Admitted:
    """Passages that may be ranked: those the server checks, and a test of rows that is left to us."""

    sent: Condition | None
    rest: Callable[[DocumentId, PassageId], bool] | None
    wanted: Filter
    state: IndexState

    def whole(self) -> Condition | None:
        """All of it as one condition, which may take the server seconds."""
        return every([condition(self.wanted), visible(self.state)])


def search(
    collection: Collection[Any, Any], state: IndexState, request: SearchRequest, deadline: Deadline
) -> list[EngineHit]:
    """At most top_k hits, best first, ties by passage id, of what a reader of `state` may see.

    The request was checked by `check_query`.
    """
    if request.top_k < 1:
        return []
    try:
        settled = request.filter.settled(state.sequence)
        sent, rest = sent_part(settled)
        admitted = Admitted(every([condition(sent), visible(state)]), rest, settled, state)
    except MatchesNothing:
        return []
    lists: list[Callable[[], list[FoundObject]]] = []
    if request.mode is not Mode.SEMANTIC:
        lists.append(lambda: _keyword_list(collection, request, admitted, deadline))
    if request.mode is not Mode.KEYWORD:
        lists.append(lambda: _vector_list(collection, request, admitted, deadline))
    results = together(lists, deadline)
    if request.mode is not Mode.HYBRID:
        return _plain(results[0], is_keyword=request.mode is Mode.KEYWORD)
    return _fused(collection, results[0], results[1], request)


def repetitions(terms: Sequence[tuple[str, float]]) -> tuple[dict[str, int], int]:
    """Repetitions of each term for the server to weigh it, and those for a weight of 1.

    BM25 adds a repeated query word once for every time that it is said; there are no weights.
    """
    weights: dict[str, Fraction] = {}
    for term, weight in terms:
        if weight > 0:
            step = Fraction(max(1, round(weight * _FINEST_WEIGHT)), _FINEST_WEIGHT)
            weights[term] = max(step, weights.get(term, step))
    if not weights:
        return {}, 1
    scale = lcm(*(weight.denominator for weight in weights.values()))
    counts = {term: int(weight * scale) for term, weight in weights.items()}
    shared = gcd(*counts.values())
    if scale % shared == 0:
        return {term: count // shared for term, count in counts.items()}, scale // shared
    return counts, scale


def _keyword_list(
    collection: Collection[Any, Any],
    request: SearchRequest,
    admitted: Admitted,
    deadline: Deadline,
) -> list[FoundObject]:
    """The best admitted passages by BM25; reads on until `depth` of them are certain."""
    from weaviate.classes.query import Filter as By
    from weaviate.classes.query import MetadataQuery

    counts, whole = repetitions(request.terms)
    if not counts:
        return []
    text = " ".join(" ".join([term] * count) for term, count in counts.items())
    phrases = [phrase for phrase in request.phrases if phrase]
    wanted = list(dict.fromkeys(term for phrase in phrases for term in phrase))
    holding = By.by_property("stems").contains_all(wanted) if wanted else None
    scale = (K1 + 1) / whole  # the server leaves out the factor that does not change the order

    def read(limit: int, where: Condition | None) -> list[FoundObject]:
        answer = collection.query.bm25(
            query=text,
            query_properties=["stems"],
            limit=limit,
            filters=every([where, holding]),
            return_properties=["passage", "document", *(["stems"] if phrases else [])],
            return_metadata=MetadataQuery(score=True),
        )
        return [_found(row, (row.metadata.score or 0.0) * scale, KEYWORD_DIGITS) for row in answer.objects]

    return _deep(
        read,
        admitted,
        request.depth,
        deadline,
        lambda hit: all(_stands_in(phrase, hit.terms) for phrase in phrases),
    )


def _vector_list(
    collection: Collection[Any, Any],
    request: SearchRequest,
    admitted: Admitted,
    deadline: Deadline,
) -> list[FoundObject]:
    """The nearest admitted passages by cosine. Nothing for a zero query, which is near to nothing."""
    from weaviate.classes.query import MetadataQuery

    query = request.vector
    if query is None or not query.any():
        return []
    near = np.asarray(query, np.float32).tolist()

    def read(limit: int, where: Condition | None) -> list[FoundObject]:
        answer = collection.query.near_vector(
            near_vector=near,
            target_vector=VECTOR,
            limit=limit,
            filters=where,
            return_properties=["passage", "document"],
            return_metadata=MetadataQuery(distance=True),
        )
        return [_found(row, 1.0 - (row.metadata.distance or 0.0), COSINE_DIGITS) for row in answer.objects]

    return _deep(read, admitted, request.depth, deadline, lambda _hit: True)


def _deep(
    read: Callable[[int, Condition | None], list[FoundObject]],
    admitted: Admitted,
    depth: int,
    deadline: Deadline,
    admits: Callable[[FoundObject], bool],
) -> list[FoundObject]:
    """The first `depth` of a list in its final order, read until no unread row can belong to them."""
    where, rest = admitted.sent, admitted.rest
    limit = min(depth + _SPARE, _DEEPEST)
    while True:
        rows = read(limit, where)
        kept = sorted(
            (
                row
                for row in rows
                if row.passage != NOT_OURS
                and (rest is None or rest(row.document, row.passage))
                and admits(row)
            ),
            key=lambda row: (-row.score, row.passage),
        )
        if len(rows) < limit or (len(kept) >= depth and rows[-1].score < kept[depth - 1].score):
            return kept[:depth]
        deadline.check()
        if limit < _DEEPEST:
            needed = int((depth + _SPARE) * len(rows) / len(kept) * 1.25) if kept else _DEEPEST
            limit = min(max(limit * 4, needed), _DEEPEST)
        elif rest is not None:  # so few of so many: the server has to look at each name
            where, rest, limit = admitted.whole(), None, min(depth + _SPARE, _DEEPEST)
        else:
            return kept[:depth]


def _found(row: Any, score: float, digits: int) -> FoundObject:
    properties, passage = row.properties, passage_of(row.properties)
    return FoundObject(
        NOT_OURS if passage is None else passage,
        DocumentId(str(properties.get("document"))),
        row.uuid,
        round(float(score), digits),
        tuple(str(properties.get("stems") or "").split()),
    )


def _stands_in(phrase: Sequence[str], terms: Sequence[str]) -> bool:
    size, wanted = len(phrase), tuple(phrase)
    return any(tuple(terms[at : at + size]) == wanted for at in range(len(terms) - size + 1))


def _plain(ranked: list[FoundObject], *, is_keyword: bool) -> list[EngineHit]:
    """Hits of a single list, scored by it."""
    return [
        EngineHit(
            passage=hit.passage,
            document=hit.document,
            score=hit.score,
            keyword=hit.score if is_keyword else None,
            cosine=None if is_keyword else hit.score,
        )
        for hit in ranked
    ]


def _fused(
    collection: Collection[Any, Any],
    keyword: list[FoundObject],
    vector: list[FoundObject],
    request: SearchRequest,
) -> list[EngineHit]:
    """Hits of both lists; each carries its exact cosine, also where it came by keyword alone."""
    merged = fuse(_scored(keyword), _scored(vector), request.alpha)[: request.top_k]
    rows = {hit.passage: hit for hit in (*keyword, *vector)}
    lacking = [rows[hit.passage] for hit in merged if hit.cosine is None]
    cosines = _cosines(collection, lacking, request.vector) if lacking and request.vector is not None else {}
    return [
        EngineHit(
            passage=hit.passage,
            document=rows[hit.passage].document,
            score=hit.score,
            keyword=hit.keyword,
            cosine=hit.cosine if hit.cosine is not None else cosines.get(hit.passage),
        )
        for hit in merged
    ]


def _cosines(
    collection: Collection[Any, Any], wanted: list[FoundObject], query: Vector
) -> dict[PassageId, float]:
    """Cosines of given passages, from their stored vectors: right even where the vector index lost them."""
    answer = collection.query.fetch_objects_by_ids(
        [hit.uuid for hit in wanted],
        limit=len(wanted),
        include_vector=[VECTOR],
        return_properties=["passage"],
    )
    return {
        PassageId(int(str(row.properties["passage"]))): round(
            cosine(np.asarray(row.vector[VECTOR], np.float32), query), COSINE_DIGITS
        )
        for row in answer.objects
    }


def cosine(vector: Vector, query: Vector) -> float:
    """Cosine of two vectors of any length; 0 where one is zero."""
    norms = float(np.linalg.norm(vector)) * float(np.linalg.norm(query))
    return float(vector @ query) / norms if norms else 0.0


def _scored(ranked: list[FoundObject]) -> list[ScoredPassage]:
    return [ScoredPassage(hit.passage, hit.score) for hit in ranked]
