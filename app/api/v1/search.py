"""Search and the map of the collection by REST."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query
from starlette.responses import Response

from app import services
from app.api.http import reply
from app.api.v1 import responses
from app.api.v1.requests import SearchRequest
from core.domain.evidence.connection import MapNodeKind
from core.domain.ids import DocumentId
from core.domain.search import SearchQuery
from core.domain.wire.connections import map_json, paths_json
from core.domain.wire.records import SearchResult
from core.domain.wire.shapes import envelope
from core.errors import UsageError
from core.workbench.explore.map import MOST_NODES, MapFilter

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


_Bucket = Annotated[str, Query(description="Only this bucket.")]
_Kinds = Annotated[list[MapNodeKind], Query(description="Only such nodes, beside documents; left out, all.")]
_Least = Annotated[float, Query(ge=0, le=1, description="Least probability of an edge.")]


@ROUTER.get("/map", tags=["Map"], response_model=responses.WholeMap)
def map_of_collection(
    bucket: _Bucket = "",
    kind: _Kinds = [],  # noqa: B006 - as FastAPI has lists
    least: _Least = 0.0,
    around: Annotated[str, Query(description="A name, or the id of a node: what is around it.")] = "",
    depth: Annotated[int, Query(ge=1, le=5, description="Edges from there.")] = 1,
    most: Annotated[int, Query(ge=1, le=MOST_NODES, description="Most nodes.")] = MOST_NODES,
) -> Response:
    """Parties, documents, products and places, and what connects them, each edge on its words.

    `left_out` counts, by reason, what is not in it.
    """
    wanted = MapFilter(bucket or None, tuple(kind), least)
    return reply(envelope(**map_json(services.session().map.part(wanted, around, depth, most))))


@ROUTER.get("/map/path", tags=["Map"], response_model=responses.MapPaths)
def paths_on_map(
    one: Annotated[str, Query(alias="from", min_length=1, description="A name, or the id of a node.")],
    other: Annotated[str, Query(alias="to", min_length=1, description="A name, or the id of a node.")],
    bucket: _Bucket = "",
    kind: _Kinds = [],  # noqa: B006 - as FastAPI has lists
    least: _Least = 0.0,
    most: Annotated[int, Query(ge=1, le=20, description="Most ways.")] = 5,
) -> Response:
    """Ways between two names, best first; none where nothing connects them.

    `others`: further nodes that the names could mean.
    """
    wanted = MapFilter(bucket or None, tuple(kind), least)
    routes = services.session().map.paths(wanted, one, other, most)
    return reply(envelope(**paths_json(routes.one, routes.other, routes.paths, routes.others)))
