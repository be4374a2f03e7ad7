"""The search engine that settings name: opened, brought up to the records, repaired, built anew."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from typing import TYPE_CHECKING

from core.config.models import Settings
from core.domain.experiments.variant import HOME
from core.domain.upkeep import IndexFacts, RepairReport
from core.encode.base import EncoderSignature
from core.encode.load import signature
from core.errors import EncoderError, GroundworkError, HomeBusyError, UsageError
from core.index.base import EngineAtHand
from core.index.collections import Collection
from core.index.engines import EMBEDDED, open_local, open_other, rebuild_closed
from core.index.failover import FailoverEngine
from core.index.rebuildable import EnginePlace, RebuildableEngine, ServerEngine, ServerStart
from core.index.sync import catch_up
from core.jobs.queue import is_worker_alive
from core.store.store import Records, installation_id
from core.workbench.made_once import MakesParts, made_once

if TYPE_CHECKING:
    from core.workbench.engines.facts import FactEngines

INDEX_FOLDER, SET_FOLDER = "index", "set"


class Engines(MakesParts):
    """The engine of passages, and those of facts beside it; all of one variant of a home. Thread-safe.

    They need no other part of the home: who makes one here never waits for what another thread makes there.
    """

    def __init__(self, records: Records, settings: Settings) -> None:
        """settings: of the variant that the records were opened for."""
        super().__init__()
        self._records, self._settings, self._variant = records, settings, records.variant

    @made_once
    def signature(self) -> EncoderSignature:
        """The configured encoder's signature; no weights are loaded for it."""
        return signature(self._settings)

    @made_once
    def passages(self) -> RebuildableEngine:
        """The engine of passages, for the configured encoder; beside another, the embedded one stands by."""
        embedded = self._embedded()
        if not self.server_name:
            return embedded
        return self.closing(
            FailoverEngine(
                self._open_server,
                embedded,
                server_name=self.server_name,
                on_away=self._records.repairs.suspect,
                newest=self._records.changes.data_version,
            )
        )

    @made_once
    def of_facts(self) -> FactEngines:
        """The engines of clauses, parties, amounts and summaries."""
        from core.workbench.engines.facts import FactEngines

        return self.closing(FactEngines(self._records, self._settings, lambda: self.signature, self._folder))

    @property
    def server_name(self) -> str:
        """Name of the configured engine where that is not the embedded one; "" where it is."""
        name = self._settings.index.engine
        return "" if name == EMBEDDED else name

    @property
    def names(self) -> tuple[str, ...]:
        """Every configured engine, the one that answers while all is well first."""
        return (self.server_name, EMBEDDED) if self.server_name else (EMBEDDED,)

    @property
    def is_open(self) -> bool:
        """True where that of passages was opened; it cannot be where its vectors are of another encoder."""
        return "passages" in self.__dict__

    def at_hand(self) -> tuple[EngineAtHand, ...]:
        """Every configured engine, opened."""
        served = self._served
        return served.each() if served else (EngineAtHand(self.passages.name, self.passages),)

    def require(self, name: str) -> None:
        """Raises UsageError where the settings do not name an engine; "" is each that they do."""
        if name and name not in self.names:
            raise UsageError(
                f"The settings name no engine {name!r}. Expected one of: {', '.join(self.names)}.",
                next_step="Set index.engine and index.url in groundwork.toml, or choose another.",
            )

    def degradation(self) -> str:
        """Reason why searches are not answered by the configured engine; empty where they are."""
        return self._served.degradation() if self._served else ""

    def server_problem(self) -> GroundworkError | None:
        """Reason why the configured search server cannot be used now; None where it can, or there is none."""
        try:
            if self.server_name:
                self._open_server().close()
        except GroundworkError as error:
            return error
        return None

    def server_start(self) -> ServerStart | None:
        """Start of the search server that runs now; None where none is configured or it does not serve."""
        return self._served.start() if self._served else None

    def check_server(self) -> None:
        """Let a search server that is not level with the records serve no longer: `catch_up` brings it up."""
        if self._served:
            self._served.check()

    def require_stored_vectors_fit(self) -> None:
        """Refuse to compare vectors of two encoders; says what to do."""
        stored, is_home = self._records.passages.encoder_signature(), self._variant.id == HOME
        name = "settings name" if is_home else f"variant {self._variant.name!r} names"
        step = "Set encode.model back, or run: groundwork reindex"
        if not is_home:
            step = "Put its encoder back as it was, or run: groundwork experiments rollback"
        try:
            if self.has_fitting_vectors():
                return
        except EncoderError as error:
            raise EncoderError(error.message, next_step=step) from error
        held = f"{stored.name!r} ({stored.dimension} dimensions)" if stored else "two encoders"
        raise EncoderError(
            f"The collection was encoded by {held}, but the {name} {self.signature.name!r} "
            f"({self.signature.dimension} dimensions).",
            next_step=step,
        )

    def has_fitting_vectors(self) -> bool:
        """True where the stored vectors are of the encoder of the settings, or there are none yet."""
        stored = self._records.passages.encoder_signature()
        return stored == self.signature or (stored is None and not self._records.passages.count())

    def facts(self, name: str) -> IndexFacts:
        """Contents of one of the configured engines. Raises IndexUnavailableError."""
        return self._served.facts(name) if self._served else self.passages.facts()

    def catch_up(self) -> None:
        """Bring the index up to the records. Raises HomeBusyError where another process writes it."""
        if self._served:
            self._served.restore(self._records)
        if self.passages.status().sequence < self._records.changes.data_version():
            catch_up(self.passages, self._records)

    def catch_up_if_unattended(self) -> None:
        """The same where no worker would do it: after a kill between publishing and indexing."""
        if is_worker_alive(self._records):
            return
        with contextlib.suppress(HomeBusyError):
            self.catch_up()

    def repair(self, name: str, on_progress: Callable[[int, int], None]) -> RepairReport:
        """Repair one of the configured engines. Raises IndexUnavailableError, HomeBusyError."""
        served = self._served
        self.of_facts.mend(name)
        if served:
            return served.repair(self._records, on_progress, only=name)
        return self.passages.repair(self._records, on_progress)

    def rebuild(self, on_progress: Callable[[int, int], None], only: str = "") -> None:
        """Build the index anew beside the old one and switch, also where the old one cannot be opened.

        only: one of `names`; "" builds each.
        """
        if not self.is_open:
            for name in (only,) if only else reversed(self.names):
                rebuild_closed(name, self._place, on_progress)
        elif self._served:
            self._served.rebuild(self._records, on_progress, only=only)
        else:
            self.passages.rebuild(self._records, on_progress)
        self.of_facts.rebuild()

    @property
    def _served(self) -> FailoverEngine | None:
        """The engine that stands before a search server; None where none is configured."""
        return self.passages if isinstance(self.passages, FailoverEngine) else None

    def _embedded(self) -> RebuildableEngine:
        """The embedded engine; repaired first where no worker would."""
        self.require_stored_vectors_fit()
        engine = open_local(self._place)
        newest = self._records.changes.data_version()
        if engine.status().sequence < newest and not is_worker_alive(self._records):
            # The engine that catches up is closed again: it would keep the right to write.
            with contextlib.closing(engine), contextlib.suppress(HomeBusyError):
                catch_up(engine, self._records)
            engine = open_local(self._place)
        return self.closing(engine)

    def _open_server(self) -> ServerEngine:
        return open_other(self.server_name, self._place)

    @property
    def _folder(self) -> str:
        """Folder of the index within the home: each set of vectors has its own."""
        number = self._variant.vector_set
        return f"{INDEX_FOLDER}/{SET_FOLDER}{number}" if number else INDEX_FOLDER

    @property
    def _place(self) -> EnginePlace:
        return EnginePlace(
            self._settings.index,
            self.signature,
            self._settings.home / self._folder,
            Collection.PASSAGES,
            self._records,
            lambda: installation_id(self._records),
        )
