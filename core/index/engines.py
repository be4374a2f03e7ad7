"""Engines by their names in settings, opened through the registry of plug-ins."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from typing import TypeVar

from core import plugins
from core.domain.upkeep import IndexFacts, RepairReport
from core.errors import GroundworkError, IndexUnavailableError, PluginError
from core.index.base import (
    EngineHit,
    EngineStatus,
    Filter,
    IndexBatch,
    SearchEngine,
    SearchRequest,
    TermFrequencies,
)
from core.index.rebuildable import (
    EnginePlace,
    EngineSpec,
    OnProgress,
    RebuildableEngine,
    ServerEngine,
    ServerStart,
)
from core.index.sync import PassageFeed, replay

EMBEDDED = "embedded"
"""Name of the engine that every home has; any other answers while it can, and this one stands by."""

_T = TypeVar("_T")


def engine_spec(name: str) -> EngineSpec:
    """The engine of that name. Raises PluginError where it is not installed, or was left out."""
    return plugins.registry().load(plugins.ENGINES, name, EngineSpec)


def open_local(place: EnginePlace) -> RebuildableEngine:
    """The embedded engine. Raises IndexUnavailableError, EncoderError."""
    engine = engine_spec(EMBEDDED).open(place)
    assert isinstance(engine, RebuildableEngine)
    return engine


def open_other(name: str, place: EnginePlace) -> ServerEngine:
    """Another engine than the embedded one. Raises IndexUnavailableError while it cannot serve."""
    try:
        spec = engine_spec(name)
    except PluginError as error:  # it was left out; the embedded one answers
        raise IndexUnavailableError(error.message, next_step=error.next_step) from error
    engine = _guarded(name, lambda: spec.open(place))
    return engine if isinstance(engine, ServerEngine) else FollowingEngine(name, spec, place, engine)


def rebuild_closed(name: str, place: EnginePlace, on_progress: OnProgress | None = None) -> None:
    """Build an index anew that nobody has opened, and may not open; nothing where opening it is enough."""
    rebuild = engine_spec(name).rebuild
    if rebuild is not None:
        rebuild(place, on_progress)


class FollowingEngine:
    """A ServerEngine over one that only searches: it follows the records by itself. Thread-safe as that is.

    So an engine in the memory of a process serves each process that opens it. All that its code raises, and
    a search over the deadline, is an IndexUnavailableError: the embedded engine answers then.
    """

    def __init__(self, name: str, spec: EngineSpec, place: EnginePlace, engine: SearchEngine) -> None:
        self._name = name
        self._spec = spec
        self._place = place
        self._engine = engine
        self._following = threading.Lock()  # changes are replayed by one thread

    @property
    def name(self) -> str:
        """Name of the engine in settings."""
        return self._name

    def search(self, request: SearchRequest) -> list[EngineHit]:
        """See SearchEngine."""
        self._follow()
        within_s = self._place.settings.deadline_s
        try:
            hits = plugins.within(lambda: self._ask(lambda engine: engine.search(request)), within_s)
        except TimeoutError:
            raise self._away(f"took longer than {within_s:g} s (index.deadline_s) for a search") from None
        if not isinstance(hits, list) or not all(isinstance(hit, EngineHit) for hit in hits):
            raise self._away("gave hits that are no list of EngineHit")
        return hits

    def apply(self, batch: IndexBatch) -> None:
        """See SearchEngine."""
        self._ask(lambda engine: engine.apply(batch))

    def document_frequencies(self, terms: Sequence[str], within: Filter | None = None) -> TermFrequencies:
        """See SearchEngine."""
        self._follow()
        return self._ask(lambda engine: engine.document_frequencies(terms, within))

    def status(self) -> EngineStatus:
        """State of the engine, level with the records."""
        self._follow()
        return self._status()

    def start(self) -> ServerStart:
        """Always the same: what it holds follows from the records."""
        return ServerStart("", is_certain=True)

    def rebuild(self, records: PassageFeed, on_progress: OnProgress | None = None) -> str:
        """Open another, replay all changes into it, then let it serve. Blocks."""
        engine = _guarded(self._name, lambda: self._spec.open(self._place))
        _guarded(self._name, lambda: replay(engine.apply, 0, records, on_progress))
        with self._following:
            self._engine, before = engine, self._engine
        _guarded(self._name, before.close)
        return self._status().generation

    def repair(self, records: PassageFeed, on_progress: OnProgress | None = None) -> RepairReport:
        """Build it anew: it cannot tell what it lacks."""
        before = self.status().passages
        self.rebuild(records, on_progress)
        after = self._status().passages
        missing, surplus = max(0, after - before), max(0, before - after)
        return RepairReport(after, missing, 0, surplus, missing + surplus, is_rebuilt=True)

    def facts(self) -> IndexFacts:
        """Contents of the index."""
        status = self.status()
        return IndexFacts(
            self._name,
            place=str(self._place.folder),
            collection=self._place.collection.value,
            version=status.generation,
            passages=status.passages,
            sequence=status.sequence,
            waiting=None,
            quantiser="none",
        )

    def is_mostly_dead(self) -> bool:
        """Never: how it keeps replaced passages is its own."""
        return False

    def close(self) -> None:
        """See SearchEngine."""
        self._ask(lambda engine: engine.close())

    def _follow(self) -> None:
        """Apply the changes that it lacks."""
        newest = self._place.feed.changes.data_version()
        with self._following:
            sequence = self._status().sequence
            if sequence < newest:
                self._ask(lambda engine: replay(engine.apply, sequence, self._place.feed))

    def _status(self) -> EngineStatus:
        status = self._ask(lambda engine: engine.status())
        if not isinstance(status, EngineStatus):
            raise self._away(f"gave a {type(status).__name__!r} for its status, not an EngineStatus")
        return status

    def _ask(self, work: Callable[[SearchEngine], _T]) -> _T:
        return _guarded(self._name, lambda: work(self._engine))

    def _away(self, what: str) -> IndexUnavailableError:
        return _away(self._name, what)


def _guarded(name: str, work: Callable[[], _T]) -> _T:
    try:
        return work()
    except GroundworkError:
        raise
    except Exception as error:  # code of others, which may raise anything
        raise _away(name, f"failed ({type(error).__name__}: {' '.join(str(error).split())[:200]})") from error


def _away(name: str, what: str) -> IndexUnavailableError:
    return IndexUnavailableError(
        f"The search engine {name!r} {what}.",
        next_step=f"Tell who made it, or set index.engine to {EMBEDDED!r}.",
    )
