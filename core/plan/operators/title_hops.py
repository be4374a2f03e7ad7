"""Hops along titles as nodes: the documents that passages name, and what stands there, ranked in pairs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from core.domain.ids import PassageId
from core.domain.passage import StoredPassage
from core.domain.results import Documents, PassageHit, Passages, Result
from core.domain.search import SearchQuery
from core.plan.operators.base import OperatorParts
from core.search.multi_hop import (
    FRONTS,
    MOST_LINKS,
    PAIRED,
    PairPassage,
    in_order,
    pair_passage,
    rank_pairs,
    term_weights,
)
from core.search.rank import RankedPassage
from core.search.sentences import PassagePart, best_part


def follow_titles(inputs: Mapping[str, Result], parts: OperatorParts) -> Documents:
    """The documents whose titles the best passages of the inputs mention, in that order; never exhaustive."""
    hits = [hit for each in inputs.values() if isinstance(each, Passages) for hit in each.hits[:FRONTS]]
    stored = parts.records.passages.get([PassageId(hit.passage) for hit in hits], parts.visible)
    read = [stored[id].passage for hit in hits if (id := PassageId(hit.passage)) in stored]
    named = parts.finder.mentioned([passage.text for passage in read], parts.visible)
    pairs = zip(read, named, strict=True)
    links = (id for passage, ids in pairs for id in ids if id != passage.document)
    order = tuple(dict.fromkeys(map(str, links)))[:MOST_LINKS]
    return Documents(present=frozenset(order), order=order, is_exhaustive=False)


def paired(query: SearchQuery, beside: Passages, parts: OperatorParts) -> Passages:
    """Pairs of the query's passages and those beside them, the best first; scores fall with rank."""
    found = parts.finder.retrieve(replace(query, resolve=False), parts.visible)
    method = f"{query.mode}, in pairs"
    new = {
        candidate.stored.id: _hit(candidate, best_part(candidate, found.analysis), method)
        for candidate in found.candidates[: query.top_k]
    }
    hits = {PassageId(hit.passage): hit for hit in beside.hits}
    hits |= {id: hit for id, hit in new.items() if id not in hits}
    stored = parts.records.passages.get(list(hits), parts.visible)
    kept = {id: hit for id, hit in hits.items() if id in stored}
    weights = term_weights(found.analysis)
    pieces = _pieces(kept, stored, weights, parts)
    fronts = [each for each in pieces if each.id in {PassageId(hit.passage) for hit in beside.hits[:FRONTS]}]
    order = in_order((), (*in_order(rank_pairs(fronts, pieces, weights))[:PAIRED], *kept))[: query.top_k]
    scores = sorted((kept[id].score for id in order), reverse=True)
    return Passages(
        hits=tuple(
            kept[id].model_copy(update={"score": score}) for id, score in zip(order, scores, strict=True)
        ),
        degradations=tuple(dict.fromkeys((*beside.degradations, *found.degradations))),
        notes=(f"{len(new)} passages of the documents named were ranked in pairs with the first search's.",),
    )


def _pieces(
    hits: Mapping[PassageId, PassageHit],
    stored: Mapping[PassageId, StoredPassage],
    weights: Mapping[str, float],
    parts: OperatorParts,
) -> list[PairPassage]:
    named = parts.finder.mentioned([stored[id].passage.text for id in hits], parts.visible)
    pairs = zip(hits.items(), named, strict=True)
    return [pair_passage(stored[id], hit.score, links, weights) for (id, hit), links in pairs]


def _hit(candidate: RankedPassage, part: PassagePart, method: str) -> PassageHit:
    passage = candidate.stored.passage
    return PassageHit(
        passage=candidate.stored.id,
        document=passage.document,
        version=passage.version,
        page=part.span.page_no,
        start=part.span.start,
        end=part.span.end,
        text=part.text,
        score=candidate.score,
        method=method,
    )
