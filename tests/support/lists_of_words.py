"""A search inspection over hits that share words with the query: their order stands for every list."""

from __future__ import annotations

from collections.abc import Sequence

from core.domain.search import (
    EngineInspection,
    InspectedList,
    InspectedPassage,
    InspectedTerm,
    SearchHit,
    SearchInspection,
    SearchQuery,
)


def inspect(hits: Sequence[SearchHit], query: SearchQuery, server_reason: str | None) -> SearchInspection:
    """One engine, or a server beside it; server_reason: why it cannot be asked, None where there is none."""
    alpha = 0.5 if query.alpha is None else query.alpha
    terms = tuple(InspectedTerm(word, 1.0, 2.0, False) for word in query.text.lower().split())
    lists = {
        mode: InspectedList(tuple(_entry(hit, alpha) for hit in hits), len(hits))
        for mode in ("keyword", "semantic")
        if query.mode in ("hybrid", mode)
    }
    local = EngineInspection(
        "embedded",
        "",
        terms,
        lists.get("keyword", InspectedList()),
        lists.get("semantic", InspectedList()),
        InspectedList(tuple(_entry(hit, alpha) for hit in hits), len(hits)),
        {"fused": 1.0},
    )
    engines = [local]
    if server_reason is not None:
        server = EngineInspection(
            "weaviate",
            server_reason,
            *(
                (terms, local.keyword, local.meaning, local.fused, {"fused": 3.0})
                if not server_reason
                else ()
            ),
        )
        engines.insert(0, server)
    answered = next(engine.name for engine in engines if not engine.reason)
    return SearchInspection(query.mode, alpha, tuple(engines), answered)


def _entry(hit: SearchHit, alpha: float) -> InspectedPassage:
    return InspectedPassage(
        rank=hit.rank,
        passage=hit.passage,
        document=hit.document,
        version=hit.version,
        title=hit.title,
        source=hit.source,
        page=hit.page,
        start=hit.start,
        end=hit.end,
        section=hit.section,
        text=hit.text,
        score=hit.score,
        keyword=hit.keyword,
        cosine=hit.cosine,
        sentence_cosine=hit.sentence_cosine,
        keyword_rank=hit.rank,
        meaning_rank=hit.rank,
        fused_rank=hit.rank,
        keyword_part=(1 - alpha) * hit.score,
        meaning_part=alpha * hit.score,
        named_part=0.0,
        full_match=10.0,
    )
