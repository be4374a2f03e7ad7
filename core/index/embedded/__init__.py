"""The embedded search engine: no server, exact vectors, derived from the records in seconds."""

from core.index.embedded.engine import EmbeddedEngine, rebuild
from core.index.rebuildable import EngineSpec

ENGINE = EngineSpec(
    lambda place: EmbeddedEngine.open(place.folder, place.signature),
    lambda place, on_progress: rebuild(place.folder, place.signature, place.feed, on_progress),
    where="in local files",
)

__all__ = ["ENGINE", "EmbeddedEngine", "rebuild"]
