"""Facts of a server about itself and the collection: for the Settings page, and to notice a restart."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from core.config.models import IndexSettings
from core.domain.upkeep import IndexFacts
from core.index.rebuildable import ServerStart
from core.index.weaviate.collection import VECTOR
from core.index.weaviate.state import IndexState
from core.index.weaviate.vectorizer import vectorizer_of
from core.index.weaviate.writing import queue_length

if TYPE_CHECKING:
    from weaviate import WeaviateClient

_KINDS = {"_RQConfig": "rq", "_BQConfig": "bq", "_PQConfig": "pq", "_SQConfig": "sq"}


def read_facts(client: WeaviateClient, settings: IndexSettings, state: IndexState, name: str) -> IndexFacts:
    """Contents of the collection now; state: the one that serves, name: of the engine."""
    collection = client.collections.use(state.generation)
    vector = (collection.config.get().vector_config or {})[VECTOR]
    objects = collection.aggregate.over_all(total_count=True).total_count or 0
    return IndexFacts(
        engine=name,
        place=settings.url,
        collection=settings.collection,
        version=state.generation,
        passages=max(0, objects - 1),  # the state object is none
        sequence=state.sequence,
        waiting=queue_length(client, state.generation),
        quantiser=_quantiser(vector),
        unlike_settings=_vectorizer_difference(vectorizer_of(vector), settings.vectorizer),
    )


def read_start(client: WeaviateClient, settings: IndexSettings) -> ServerStart:
    """Start of the server that runs now, from the terms of its own consensus log.

    A term is kept on the disk and rises with every election, and a server that is alone holds one at every
    start: measured after `kill -9` and after SIGTERM. Of several, one may come back without an election.
    """
    from weaviate.exceptions import InsufficientPermissionsError, UnexpectedStatusCodeError

    try:
        nodes = client.cluster.statistics().statistics
    except (InsufficientPermissionsError, UnexpectedStatusCodeError):
        return ServerStart("", is_certain=False)  # the key may not read it, or the server is too old
    terms = sorted(f"{node.name}:{node.raft.term}" for node in nodes if node.raft is not None)
    if not terms:
        return ServerStart("", is_certain=False)
    return ServerStart(f"{settings.url} {settings.collection} {' '.join(terms)}", is_certain=len(terms) == 1)


def _quantiser(vector: Any) -> str:
    """As settings name it: rq8, rq1, bq; none where vectors are kept whole."""
    found = getattr(vector.vector_index_config, "quantizer", None)
    if found is None:
        return "none"
    kind = _KINDS.get(type(found).__name__, type(found).__name__)
    return f"{kind}{getattr(found, 'bits', None) or ''}"


def _vectorizer_difference(found: str, wanted: str) -> str:
    if found == wanted:
        return ""
    return f"The collection was made with vectorizer {found!r}, index.vectorizer is {wanted!r}."
