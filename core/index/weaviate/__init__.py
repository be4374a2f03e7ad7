"""The engine on a Weaviate server: the same terms, fusion and ties as the embedded one, over the network."""

from core.index.weaviate.collection import FactSettings
from core.index.weaviate.engine import WeaviateEngine, rebuild
from core.index.weaviate.state import Owner

__all__ = ["FactSettings", "Owner", "WeaviateEngine", "rebuild"]
