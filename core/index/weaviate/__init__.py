"""The engine on a Weaviate server: the same terms, fusion and ties as the embedded one, over the network."""

from core.index.rebuildable import EngineSpec
from core.index.weaviate.collection import FactSettings, settings_of
from core.index.weaviate.engine import WeaviateEngine, rebuild

ENGINE = EngineSpec(
    lambda place: WeaviateEngine.open(settings_of(place), place.signature, place.installation()),
    lambda place, on_progress: rebuild(
        settings_of(place), place.signature, place.feed, on_progress, place.installation()
    ),
    where="on Weaviate",
)

__all__ = ["ENGINE", "FactSettings", "WeaviateEngine", "rebuild"]
