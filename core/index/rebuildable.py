"""Engines that can be built anew from the records, and those that live on a server."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from core.index.base import SearchEngine
from core.index.sync import PassageFeed


class RebuildableEngine(SearchEngine, Protocol):
    """A search engine whose contents all come from the records."""

    @property
    def name(self) -> str:
        """What settings call it: embedded or weaviate."""
        ...

    def rebuild(self, records: PassageFeed, on_progress: Callable[[int, int], None] | None = None) -> str:
        """Build it beside the one that serves, then switch; gives the new one's name. Blocks."""
        ...

    def is_mostly_dead(self) -> bool:
        """Whether replaced and removed passages outnumber the living: time for a `rebuild`."""
        ...


class ServerEngine(RebuildableEngine, Protocol):
    """An engine that may be away for a while, and may have lost something when it comes back."""

    def repair(self, records: PassageFeed, on_progress: Callable[[int, int], None] | None = None) -> object:
        """Write again what the records hold and the engine does not find; gives what was found wrong."""
        ...
