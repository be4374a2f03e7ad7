"""The embedded search engine: no server, exact vectors, derived from the records in seconds."""

from core.index.embedded.engine import EmbeddedEngine, rebuild

__all__ = ["EmbeddedEngine", "rebuild"]
