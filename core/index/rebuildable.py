"""Engines that can be built anew from the records, and those that live on a server."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from core.domain.upkeep import IndexFacts, RepairReport
from core.index.base import SearchEngine
from core.index.sync import PassageFeed

OnProgress = Callable[[int, int], None]


class RebuildableEngine(SearchEngine, Protocol):
    """A search engine whose contents all come from the records."""

    @property
    def name(self) -> str:
        """Name of the engine in settings: embedded or weaviate."""
        ...

    def rebuild(self, records: PassageFeed, on_progress: OnProgress | None = None) -> str:
        """Build it beside the one that serves, then switch; gives the new one's name. Blocks."""
        ...

    def repair(self, records: PassageFeed, on_progress: OnProgress | None = None) -> RepairReport:
        """Write again what the records hold and the engine does not find; gives what was found wrong."""
        ...

    def facts(self) -> IndexFacts:
        """Contents and place of the index. Raises IndexUnavailableError."""
        ...

    def is_mostly_dead(self) -> bool:
        """True where replaced and removed passages outnumber the living: time for a `rebuild`."""
        ...


@dataclass(frozen=True, slots=True)
class ServerStart:
    """One start of a server. mark: differs from that of every other start; "" where it cannot be told.

    is_certain: no restart leaves the mark as it was.
    """

    mark: str
    is_certain: bool


class ServerEngine(RebuildableEngine, Protocol):
    """An engine that may be away for a while, and may have lost something when it comes back."""

    def start(self) -> ServerStart:
        """Start of the server that runs now. Raises IndexUnavailableError."""
        ...
