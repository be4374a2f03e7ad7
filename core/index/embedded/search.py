"""Answers one search over one view: the two lists, and their fusion."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from core.domain.ids import PassageId
from core.domain.passage import Vector
from core.index.base import EngineHit, Filter, Mode, SearchRequest, check_query
from core.index.embedded.generation import View
from core.index.embedded.keyword import KeywordQuery
from core.index.embedded.rows import RowView
from core.index.fuse import COSINE_DIGITS, KEYWORD_DIGITS, ScoredPassage, fuse

# Below this share of rows, reading only the admitted rows beats multiplying the whole matrix.
_GATHER_BELOW = 0.25
# Where fewer rows than this are admitted, their documents are named to tantivy; otherwise more of its
# list is read and the rest dropped, which costs less (6 ms for all of 50,000 rows against 64 ms for
# naming 50,000 documents).
_NAME_DOCUMENTS_BELOW = 1_000

_Ranked = tuple[NDArray[np.int64], NDArray[np.float64]]
_EMPTY: _Ranked = (np.empty(0, np.int64), np.empty(0, np.float64))


def search(view: View, request: SearchRequest) -> list[EngineHit]:
    """At most top_k hits of a view, best first, ties by passage id."""
    check_query(request, view.rows.matrix.shape[1])
    if request.top_k < 1:
        return []
    mask = _admitted(view.rows, request.filter.settled(view.rows.state.sequence))
    keyword = _EMPTY if request.mode is Mode.SEMANTIC else _keyword_list(view, request, mask)
    if request.mode is Mode.KEYWORD:
        return _plain(view.rows, keyword, is_keyword=True)
    query = np.ascontiguousarray(request.vector, np.float32)
    vector = _vector_list(view.rows, query, mask, request.depth)
    if request.mode is Mode.SEMANTIC:
        return _plain(view.rows, vector, is_keyword=False)
    return _fused(view.rows, keyword, vector, query, request)


def _admitted(rows: RowView, wanted: Filter) -> NDArray[np.bool_] | None:
    """Mask of the rows that may be ranked; None where all may."""
    if wanted == Filter() and rows.alive_count == len(rows.alive):
        return None
    mask = rows.alive if wanted == Filter() else rows.select(wanted)
    return None if mask.all() else mask


def _keyword_list(view: View, request: SearchRequest, mask: NDArray[np.bool_] | None) -> _Ranked:
    """The best admitted rows by BM25; exact, since it reads on until `depth` of them are certain."""
    rows, depth = view.rows, request.depth
    total = len(rows.alive)
    admitted = total if mask is None else int(mask.sum())
    if admitted == 0:
        return _EMPTY
    documents = None
    share = admitted / max(rows.alive_count, 1)
    if mask is not None and admitted < _NAME_DOCUMENTS_BELOW and share < 1.0:
        documents, share = tuple(rows.documents_of(mask)), 1.0
    query = KeywordQuery(request.terms, request.phrases, documents)
    limit = min(total, int((depth + 20) / share * 1.25)) + 1
    while True:
        found = view.reader.search(query, limit)
        scores = np.round(found.scores, KEYWORD_DIGITS)
        kept = slice(None) if mask is None else mask[found.rows]
        ranked, ranked_scores = found.rows[kept], scores[kept]
        certain = len(ranked) >= depth and scores[-1] < ranked_scores[depth - 1]
        if found.exhausted or certain:
            return _ordered(rows, ranked, ranked_scores, depth)
        limit = min(total + 1, limit * 4)


def _vector_list(rows: RowView, query: Vector, mask: NDArray[np.bool_] | None, depth: int) -> _Ranked:
    """The nearest admitted rows by cosine; exact. Nothing for a zero query, which is near to nothing."""
    if not query.any() or len(rows.alive) == 0:
        return _EMPTY
    if mask is None:
        chosen, scores = None, rows.matrix @ query
    else:
        chosen = np.flatnonzero(mask)
        if len(chosen) < _GATHER_BELOW * len(mask):
            scores = rows.matrix[chosen] @ query
        else:
            scores = (rows.matrix @ query)[chosen]
    if len(scores) > depth:
        lowest = np.partition(scores, len(scores) - depth)[len(scores) - depth]
        near = np.flatnonzero(scores >= lowest - 10.0**-COSINE_DIGITS)
    else:
        near = np.arange(len(scores))
    picked = near if chosen is None else chosen[near]
    return _ordered(rows, picked, scores[near].astype(np.float64).round(COSINE_DIGITS), depth)


def _ordered(rows: RowView, found: NDArray[np.int64], scores: NDArray[np.float64], depth: int) -> _Ranked:
    order = np.lexsort((rows.passages[found], -scores))[:depth]
    return found[order], scores[order]


def _plain(rows: RowView, ranked: _Ranked, *, is_keyword: bool) -> list[EngineHit]:
    """Hits of a single list, scored by it."""
    return [
        EngineHit(
            passage=PassageId(int(rows.passages[row])),
            document=rows.document(row),
            score=score,
            keyword=score if is_keyword else None,
            cosine=None if is_keyword else score,
        )
        for row, score in zip(ranked[0].tolist(), ranked[1].tolist(), strict=True)
    ]


def _fused(
    rows: RowView, keyword: _Ranked, vector: _Ranked, query: Vector, request: SearchRequest
) -> list[EngineHit]:
    """Hits of both lists; each carries its exact cosine, also where it came by keyword alone."""
    fused = fuse(_scored(rows, keyword), _scored(rows, vector), request.alpha)[: request.top_k]
    found = np.concatenate([keyword[0], vector[0]]).tolist()
    row_of = dict(zip(rows.passages[found].tolist(), found, strict=True)) if found else {}
    cosines = rows.matrix[np.array([row_of[hit.passage] for hit in fused], np.int64)] @ query
    return [
        EngineHit(
            passage=hit.passage,
            document=rows.document(row_of[hit.passage]),
            score=hit.score,
            keyword=hit.keyword,
            cosine=hit.cosine if hit.cosine is not None else round(float(cosine), COSINE_DIGITS),
        )
        for hit, cosine in zip(fused, cosines, strict=True)
    ]


def _scored(rows: RowView, ranked: _Ranked) -> list[ScoredPassage]:
    passages = rows.passages[ranked[0]].tolist()
    return [ScoredPassage(PassageId(p), score) for p, score in zip(passages, ranked[1].tolist(), strict=True)]
