"""The collection of passages: its shape, its versioned names behind one alias, and what is refused.

`<Name>` is an alias; it points at `<Name>_v000001` and so on. A rebuild fills the next one beside the one
that serves and then moves the alias, which is atomic. Nothing that Groundwork did not make is written.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from pydantic import Field

from core.config.models import IndexSettings
from core.domain.ids import PassageId
from core.encode.base import EncoderSignature
from core.errors import IndexUnavailableError
from core.index.base import check_index
from core.index.collections import COLUMNS
from core.index.collections import Collection as Home
from core.index.rebuildable import EnginePlace
from core.index.weaviate.state import FORMAT, IndexState, check_owner, read_state
from core.text.analyse import ANALYSER_VERSION

if TYPE_CHECKING:
    from weaviate import WeaviateClient
    from weaviate.collections import Collection


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


_PASSAGES = "Passages"
VECTOR = "embedding"


K1, B = 1.2, 0.75


DESCRIPTION = "Passages of a Groundwork home; derived from its records, written by Groundwork alone."


# name: data type, whether it can be filtered by. Text that is filtered by is kept whole and as it is.
_PROPERTIES = {
    "content": ("text", False),
    "stems": ("text", True),
    "source": ("text", True),
    "domain": ("text", True),
    "doc_type": ("text", True),
    "chunk_id": ("text", True),
    "passage": ("int", True),
    "chunk_index": ("int", False),
    "document": ("text", True),
    "version": ("int", False),
    "section_title": ("text", False),
    "images": ("text[]", False),
    "pdfs": ("text[]", False),
    "bucket": ("text", True),
    "acl": ("text[]", True),
    "open": ("boolean", True),
    "page": ("int", True),
    "start": ("int", False),
    "end": ("int", False),
    "dates": (
        "date[]",
        True,
    ),  # not written before dates are extracted
    "since": ("int", True),
    "state": ("text", False),
}


class FactSettings(IndexSettings):
    """The settings of a collection of facts: as those of passages, with columns of its own, by their type."""

    columns: dict[str, str] = Field(default_factory=dict)


def settings_of(place: EnginePlace) -> IndexSettings:
    """The settings of a home's collection; one of facts is called after that of the passages."""
    settings, collection = place.settings, place.collection
    if collection is Home.PASSAGES:
        return settings
    name = f"{settings.collection.removesuffix(_PASSAGES)}{collection.value.capitalize()}"
    # By its fields, not by `model_dump`, which would leave the key behind its mask.
    given = {key: getattr(settings, key) for key in type(settings).model_fields}
    return FactSettings(**{**given, "collection": name, "columns": COLUMNS[collection]})


def properties(settings: IndexSettings) -> dict[str, tuple[str, bool]]:
    """The properties of a collection: of each its data type, and whether it can be filtered by."""
    own = settings.columns if isinstance(settings, FactSettings) else {}
    return {**_PROPERTIES, **{name: (kind, True) for name, kind in own.items()}}


def open_collection(
    client: WeaviateClient, settings: IndexSettings, signature: EncoderSignature, owner: str | None
) -> IndexState:
    """The state of the collection that serves; an empty one is made where there is none.

    Raises IndexUnavailableError where another's collection has the name or another version of Groundwork
    built it or a new one needs a module that the server lacks, EncoderError where it holds vectors of another
    encoder. One that was made with another quantizer, vectorizer or number of shards serves as it is.
    """
    name = settings.collection
    if _target(client, name) is None:
        if client.collections.exists(name):
            raise _foreign(name, "it is a collection, not an alias of one")
        created = create_collection(client, settings, signature, owner)
        if not _claim(client, name, created.generation):
            drop_collection(client, created.generation)
    state = ours(client, settings, owner)
    check_index(
        f"The collection {name!r}",
        state.encoder,
        signature,
        is_of_this_version=(state.format, state.analyser) == (FORMAT, ANALYSER_VERSION),
    )
    return state


def ours(client: WeaviateClient, settings: IndexSettings, owner: str | None) -> IndexState:
    """The state behind the alias. Raises IndexUnavailableError where the collection there is not ours."""
    name = settings.collection
    target = _target(client, name)
    if target is None:
        raise IndexUnavailableError(
            f"The Weaviate server holds no collection {name!r}.",
            next_step="Run `groundwork reindex` to build it from the records.",
        )
    if not re.fullmatch(re.escape(name) + r"_v\d{6}", target):
        raise _foreign(name, f"it is an alias of {target!r}")
    difference = shape_difference(client, target, settings)
    if difference:
        raise _foreign(name, difference)
    state = read_state(client.collections.use(target))
    if state is None:
        raise _foreign(name, "it holds no state object")
    check_owner(settings, state, owner)
    return state


def check_name(client: WeaviateClient, settings: IndexSettings, owner: str | None) -> None:
    """Raises IndexUnavailableError where something stands behind the name that is not ours."""
    if client.alias.exists(alias_name=settings.collection) or client.collections.exists(settings.collection):
        ours(client, settings, owner)


def create_collection(
    client: WeaviateClient, settings: IndexSettings, signature: EncoderSignature, owner: str | None
) -> IndexState:
    """Make the next empty collection; nothing points at it yet."""
    from weaviate.exceptions import UnexpectedStatusCodeError

    if settings.vectorizer != NONE:
        require_module(client)
    for _ in range(5):  # another process may take the same number
        name = f"{settings.collection}_v{_last_number(client, settings.collection) + 1:06d}"
        try:
            collection = client.collections.create(name, **_definition(settings))
        except UnexpectedStatusCodeError as error:
            if error.status_code != 422 or "already exists" not in str(error):
                raise
            time.sleep(0.2)  # a moment later it is told among those that there are
            continue
        state = IndexState(name, signature, installation=owner or "")
        return state.write(collection, first=True)
    raise IndexUnavailableError(
        f"Other processes keep making collections {settings.collection!r}.",
        next_step="Let one of them finish, and try again.",
    )


def switch(client: WeaviateClient, settings: IndexSettings, generation: str, owner: str | None) -> None:
    """Let a collection serve under the alias from now on, and drop those of ours that served before.

    Raises IndexUnavailableError where another installation has taken the name meanwhile.
    """
    check_name(client, settings, owner)
    if _target(client, settings.collection) is None:
        client.alias.create(alias_name=settings.collection, target_collection=generation)
    else:
        client.alias.update(alias_name=settings.collection, new_target_collection=generation)
    for name in versions(client, settings.collection):
        if name < generation and not shape_difference(client, name, settings):
            state = read_state(client.collections.use(name))
            if owner is None or state is None or state.installation == owner:
                drop_collection(client, name)


def drop_collection(client: WeaviateClient, generation: str) -> None:
    """Delete a collection that does not serve."""
    client.collections.delete(generation)


def passages_of(client: WeaviateClient, generation: str, settings: IndexSettings) -> Collection[Any, Any]:
    """A handle for reading and writing one version."""
    from weaviate.classes.config import ConsistencyLevel

    collection = client.collections.use(generation)
    if settings.replication == 1:
        return collection
    return collection.with_consistency_level(ConsistencyLevel.QUORUM)


def versions(client: WeaviateClient, name: str) -> list[str]:
    """The names of all versions of a collection, oldest first."""
    pattern = re.compile(re.escape(name) + r"_v\d{6}")
    return sorted(found for found in client.collections.list_all() if pattern.fullmatch(found))


def shape_difference(client: WeaviateClient, name: str, settings: IndexSettings) -> str:
    """Difference of a collection from one of ours; "" where there is none."""
    config = client.collections.use(name).config.get()
    found = {prop.name: str(getattr(prop.data_type, "value", prop.data_type)) for prop in config.properties}
    expected = {prop: kind for prop, (kind, _) in properties(settings).items()}
    if found != expected:
        other = sorted(
            prop for prop in found.keys() | expected.keys() if found.get(prop) != expected.get(prop)
        )
        return f"its properties differ: {', '.join(other[:5])}"
    tokenizers = {
        prop.name: prop.tokenization for prop in config.properties if prop.name in ("stems", "bucket")
    }
    if [getattr(tokenizers[prop], "value", "") for prop in ("stems", "bucket")] != ["whitespace", "field"]:
        return "its text is split in another way"
    vectors = config.vector_config or {}
    if set(vectors) != {VECTOR}:
        return f"its vectors are named {sorted(vectors)}"
    metric = getattr(vectors[VECTOR].vector_index_config, "distance_metric", None)
    if getattr(metric, "value", None) != "cosine":
        return "its vectors are not compared by cosine"
    if wrong := vectorizer_difference(vectors[VECTOR]):
        return wrong
    bm25 = config.inverted_index_config.bm25
    if (round(bm25.k1, 4), round(bm25.b, 4)) != (K1, B):
        return f"its BM25 has k1 {bm25.k1:g} and b {bm25.b:g}"
    return ""


def passage_of(properties: Mapping[str, Any]) -> PassageId | None:
    """The passage of an object; None for one that another program put there, and for the state object."""
    found = properties.get("passage")
    return None if found is None else PassageId(int(str(found)))


def _definition(settings: IndexSettings) -> dict[str, Any]:
    """Definition that makes a collection ours."""
    from weaviate.classes.config import (
        Configure,
        DataType,
        Property,
        StopwordsPreset,
        Tokenization,
        VectorDistances,
    )

    def make(name: str, kind: str, filtered: bool) -> Property:
        text = kind.startswith("text")
        return Property(
            name=name,
            data_type=DataType(kind),
            tokenization=(Tokenization.WHITESPACE if name == "stems" else Tokenization.FIELD)
            if text
            else None,
            index_filterable=filtered,
            index_searchable=(name == "stems") if text else None,
            index_range_filters=True if name == "since" else None,
        )

    quantizer = Configure.VectorIndex.Quantizer
    quantizers: dict[str, Callable[[], Any]] = {
        "none": quantizer.none,
        "rq8": lambda: quantizer.rq(bits=8),
        "rq1": lambda: quantizer.rq(bits=1),
        "bq": quantizer.bq,
    }
    chosen = quantizers[settings.quantizer]()
    return {
        "description": DESCRIPTION,
        "properties": [make(name, kind, filtered) for name, (kind, filtered) in properties(settings).items()],
        "vector_config": [
            vector_definition(
                VECTOR,
                settings,
                Configure.VectorIndex.hnsw(distance_metric=VectorDistances.COSINE, quantizer=chosen),
            )
        ],
        "inverted_index_config": Configure.inverted_index(
            bm25_b=B, bm25_k1=K1, cleanup_interval_seconds=60, stopwords_preset=StopwordsPreset.NONE
        ),
        "replication_config": Configure.replication(factor=settings.replication),
        "sharding_config": Configure.sharding(desired_count=settings.shards),
    }


def _target(client: WeaviateClient, name: str) -> str | None:
    """The collection behind an alias; None where there is no such alias."""
    alias = client.alias.get(alias_name=name)
    return None if alias is None else alias.collection


def _claim(client: WeaviateClient, name: str, generation: str) -> bool:
    """Point a new alias at a collection; False where another process was faster."""
    from weaviate.exceptions import UnexpectedStatusCodeError

    try:
        client.alias.create(alias_name=name, target_collection=generation)
    except UnexpectedStatusCodeError:
        if _target(client, name) is None:
            raise
        return False
    return True


def _last_number(client: WeaviateClient, name: str) -> int:
    return max((int(found[-6:]) for found in versions(client, name)), default=0)


def _foreign(name: str, why: str) -> IndexUnavailableError:
    return IndexUnavailableError(
        f"The Weaviate server holds something named {name!r} that Groundwork did not make: {why}.",
        next_step="Set index.collection to a free name, or move that collection away.",
    )
