"""Vectorizer of text on the server: nobody, or its module `text2vec-transformers`.

Passages always bring their own vectors. The module is for other programs: it turns their near-text queries,
and objects that they insert without a vector, into vectors by asking `groundwork encode-server`. It reads
`content` alone, so that the state object, which has none, gets no vector.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from core.config.models import IndexSettings
from core.errors import IndexUnavailableError

if TYPE_CHECKING:
    from weaviate import WeaviateClient

NONE, MODULE = "none", "text2vec-transformers"
_SOURCE = "content"


def vector_definition(name: str, settings: IndexSettings, index: Any) -> Any:
    """A named vector as the settings want it. index: of its vector index."""
    from weaviate.classes.config import Configure

    if settings.vectorizer == NONE:
        return Configure.Vectors.self_provided(name=name, vector_index_config=index)
    return Configure.Vectors.text2vec_transformers(
        name=name,
        source_properties=[_SOURCE],
        vectorize_collection_name=False,
        vector_index_config=index,
    )


def vectorizer_of(vector: Any) -> str:
    """Vectorizer from the configuration of a named vector."""
    found = vector.vectorizer.vectorizer
    return str(getattr(found, "value", found))


def vectorizer_difference(vector: Any) -> str:
    """Difference of a named vector's vectorizer from ours; "" where there is none."""
    found = vectorizer_of(vector)
    if found == NONE:
        return ""
    if found != MODULE:
        return f"its vectors are made by {found!r}"
    model = vector.vectorizer.model or {}
    if vector.vectorizer.source_properties != [_SOURCE] or model.get("vectorizeClassName") is not False:
        return "its vectors are made of more than the content"
    return ""


def require_module(client: WeaviateClient) -> None:
    """Raises IndexUnavailableError where the server lacks the module."""
    if MODULE not in (client.get_meta().get("modules") or {}):
        raise IndexUnavailableError(
            f"The Weaviate server runs without its module {MODULE!r}, which index.vectorizer names.",
            next_step=f"Start the server with ENABLE_MODULES={MODULE} and TRANSFORMERS_INFERENCE_API set to "
            f"the address of `groundwork encode-server`, or set index.vectorizer = {NONE!r}.",
        )
