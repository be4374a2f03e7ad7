"""Engines that can be built anew from the records, those that live on a server, and how each is opened."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol, runtime_checkable

from core.config.models import IndexSettings
from core.domain.upkeep import IndexFacts, RepairReport
from core.encode.base import EncoderSignature
from core.index.base import SearchEngine
from core.index.collections import Collection
from core.index.sync import PassageFeed

OnProgress = Callable[[int, int], None]


@runtime_checkable
class RebuildableEngine(SearchEngine, Protocol):
    """A search engine whose contents all come from the records."""

    @property
    def name(self) -> str:
        """Name of the engine in settings, such as embedded."""
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


@runtime_checkable
class ServerEngine(RebuildableEngine, Protocol):
    """An engine that may be away for a while, and may have lost something when it comes back."""

    def start(self) -> ServerStart:
        """Start of the server that runs now. Raises IndexUnavailableError."""
        ...


@dataclass(frozen=True, slots=True)
class EnginePlace:
    """Place of one index: what an engine is opened with.

    folder: where files of this collection may stand. feed: what it is filled from, in the order of a sequence
    that only grows; see `core.index.sync.replay`. installation: gives the id of these records among others,
    for what several homes share.
    """

    settings: IndexSettings
    signature: EncoderSignature
    folder: Path
    collection: Collection
    feed: PassageFeed
    installation: Callable[[], str]


@dataclass(frozen=True, slots=True)
class EngineSpec:
    """An engine as an entry point of `groundwork.engines` names it.

    open: gives a SearchEngine; one that is no ServerEngine as well is kept level with the records, and built
    anew, by replaying them. Raises IndexUnavailableError while it cannot serve. rebuild: builds an index that
    cannot be opened, beside what is there; None where opening it is enough. where: as people say it.
    """

    open: Callable[[EnginePlace], SearchEngine]
    rebuild: Callable[[EnginePlace, OnProgress | None], str] | None = None
    where: str = "of a plug-in"
