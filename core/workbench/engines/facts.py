"""The engines of clauses, parties, amounts and summaries: opened on first use, level with the records."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable

from core.config.models import Settings
from core.encode.base import EncoderSignature
from core.errors import EncoderError, HomeBusyError, IndexUnavailableError
from core.index.collections import OF_FACTS, Collection, FactFeed
from core.index.engines import EMBEDDED, open_local, open_other, rebuild_closed
from core.index.failover import FailoverEngine
from core.index.rebuildable import EnginePlace, RebuildableEngine
from core.index.sync import catch_up
from core.jobs.queue import is_worker_alive
from core.store.store import Records, installation_id


class FactEngines:
    """One engine for each collection of facts. Thread-safe."""

    def __init__(
        self, records: Records, settings: Settings, signature: Callable[[], EncoderSignature], folder: str
    ) -> None:
        self._records = records
        self._settings = settings
        self._signature = signature
        self._root = settings.home / folder
        self._making = threading.RLock()  # each engine is opened once, whoever asks first
        self._engines: dict[Collection, RebuildableEngine] = {}
        self._reached: dict[Collection, int] = {}

    def engine(self, collection: Collection) -> RebuildableEngine:
        """The engine of a collection; brought up to the records first where no worker would.

        Raises IndexUnavailableError, EncoderError.
        """
        with self._making:
            known = self._engines.get(collection)
            if known is None:
                if not is_worker_alive(self._records):
                    # What catches up is closed again: it would keep the right to write.
                    with (
                        contextlib.suppress(HomeBusyError),
                        contextlib.closing(self._local(collection)) as local,
                    ):
                        self._catch_up(collection, local)
                known = self._engines[collection] = self._open(collection)
            return known

    def degradation(self, collection: Collection) -> str:
        """Reason why searches are not answered by the configured engine; empty where they are."""
        engine = self.engine(collection)
        return engine.degradation() if isinstance(engine, FailoverEngine) else ""

    def repair(self) -> None:
        """Bring every collection up to the records; for the process that writes. Cheap where nothing changed.

        One that cannot be opened (of another encoder, damaged) is built anew. Raises HomeBusyError where
        another process writes, IndexUnavailableError.
        """
        newest = self._records.changes.data_version()
        for collection in OF_FACTS:
            engine = self._opened(collection)
            if isinstance(engine, FailoverEngine):
                engine.restore(FactFeed(self._records, collection))
            if self._reached.get(collection) != newest:
                self._catch_up(collection, engine)
                self._reached[collection] = engine.status().sequence

    def rebuild(self) -> None:
        """Build every collection anew beside what serves, then switch. Raises HomeBusyError."""
        for collection in OF_FACTS:
            feed = FactFeed(self._records, collection)
            with self._making:
                known = self._engines.get(collection)
            if known is not None:
                known.rebuild(feed)
                continue
            for name in dict.fromkeys((EMBEDDED, self._settings.index.engine)):
                rebuild_closed(name, self._place(collection))

    def mend(self, name: str) -> None:
        """Repair one of the configured engines' collections. Raises IndexUnavailableError, HomeBusyError."""
        for collection in OF_FACTS:
            engine, feed = self._opened(collection), FactFeed(self._records, collection)
            if isinstance(engine, FailoverEngine):
                engine.repair(feed, only=name)
            else:
                engine.repair(feed)

    def close(self) -> None:
        """Close every engine; safe to call twice."""
        with self._making:
            for engine in self._engines.values():
                engine.close()
            self._engines.clear()

    def _opened(self, collection: Collection) -> RebuildableEngine:
        with self._making:
            known = self._engines.get(collection)
            if known is None:
                try:
                    known = self._open(collection)
                except (EncoderError, IndexUnavailableError):
                    rebuild_closed(EMBEDDED, self._place(collection))
                    known = self._open(collection)
                self._engines[collection] = known
            return known

    def _open(self, collection: Collection) -> RebuildableEngine:
        local, name = self._local(collection), self._settings.index.engine
        if name == EMBEDDED:
            return local
        return FailoverEngine(lambda: open_other(name, self._place(collection)), local, server_name=name)

    def _local(self, collection: Collection) -> RebuildableEngine:
        return open_local(self._place(collection))

    def _place(self, collection: Collection) -> EnginePlace:
        return EnginePlace(
            self._settings.index,
            self._signature(),
            self._root / collection.value,
            collection,
            FactFeed(self._records, collection),
            lambda: installation_id(self._records),
        )

    def _catch_up(self, collection: Collection, engine: RebuildableEngine) -> None:
        if engine.status().sequence < self._records.changes.data_version():
            catch_up(engine, FactFeed(self._records, collection))
