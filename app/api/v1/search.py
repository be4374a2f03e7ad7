"""Search by REST."""

from __future__ import annotations

from fastapi import APIRouter
from starlette.responses import Response

from app import services
from app.api.http import reply
from app.api.v1.requests import SearchRequest
from core.domain.ids import DocumentId
from core.domain.search import SearchQuery
from core.domain.wire.records import SearchResult
from core.errors import UsageError

ROUTER = APIRouter(tags=["Search"])


@ROUTER.post("/search", response_model=SearchResult)
def search(body: SearchRequest) -> Response:
    """Search passages or facts.

    Gives the passages, clauses, parties, amounts or summaries that fit a query best.
    """
    if not body.query.strip():
        raise UsageError("The query is empty.", next_step="Give some words to search for.")
    query = SearchQuery(
        body.query,
        body.mode,
        body.alpha,
        body.top_k,
        buckets_of(body.bucket, body.buckets),
        tuple(map(DocumentId, body.documents)),
        body.resolve,
        index=body.index,
        where=tuple(body.where),
    )
    return reply(SearchResult.of(services.session().documents.search(query)))


def buckets_of(bucket: str | None, buckets: list[str]) -> tuple[str, ...]:
    """The buckets of a body that may name one or several; () for all."""
    return tuple(dict.fromkeys(([bucket] if bucket else []) + buckets))
