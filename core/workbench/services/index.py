"""The search index: its state, its repair, and its rebuild beside the one that serves."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

from core.domain.ids import JobId
from core.domain.job import Job, JobState
from core.domain.trust.permission import Action
from core.domain.upkeep import EngineState, IndexOverview, Repair
from core.errors import GroundworkError, UsageError
from core.index.engines import EMBEDDED, engine_spec
from core.jobs import queue
from core.workbench.recorded import recorded
from core.workbench.services.base import Service
from core.workbench.work.index_jobs import REINDEX, REPAIR, upkeep_jobs

OnProgress = Callable[[Job], None]

_TOLD_FOR = timedelta(minutes=10)  # how long the page says what a repair or rebuild came to


class IndexService(Service):
    """Care of the search index, for admins."""

    @recorded("index.rebuild", "engine")
    def rebuild(self, on_progress: OnProgress | None = None, *, engine: str = "") -> int:
        """Build one engine's index ("": each) anew beside the old one and switch; gives how many passages."""
        self._permit(Action.CONFIGURE, "rebuild the index")
        return self._writing.reindex(engine, on_progress, self._principal)

    def overview(self) -> IndexOverview:
        """Every configured engine beside the records; a server is asked within its deadline."""
        self._permit(Action.CONFIGURE, "see the state of the search index")
        records = self._parts.records
        jobs = upkeep_jobs(self._parts)
        running = [job for job in jobs if not job.state.is_ended]
        told = [job for job in jobs[:1] if job.state is JobState.FAILED or _is_recent(job)]
        return IndexOverview(
            engines=tuple(self._engine_state(name) for name in self._parts.engines.names),
            passages=records.passages.count(),
            data_version=records.changes.data_version(),
            database=self.database(),
            job=next(iter(running[-1:] or told), None),
        )

    def database(self) -> str:
        """Database of the records, in words and without a password."""
        self._permit(Action.CONFIGURE, "see where the records are")
        records = self._parts.records
        return ("Postgres at " if records.is_shared else "SQLite in ") + records.database.place

    def last_repairs(self) -> tuple[Repair, ...]:
        """The newest repair of each configured engine that was ever repaired; asks no server."""
        self._permit(Action.CONFIGURE, "see the state of the search index")
        found = (self._parts.records.repairs.last(name) for name in self._parts.engines.names)
        return tuple(repair for repair in found if repair is not None)

    @recorded("index.repair", "engine")
    def submit_repair(self, engine: str = "") -> JobId:
        """Enqueue a check of one engine ("": of each) against the records; what differs is written again.

        Raises UsageError for an engine that is not configured, or where a repair or rebuild is under way.
        """
        self._permit(Action.CONFIGURE, "repair the search index")
        return self._submit(REPAIR, engine, f"{_called(engine)}, checked and repaired")

    @recorded("index.rebuild", "engine")
    def submit_reindex(self, engine: str = "") -> JobId:
        """Enqueue a rebuild of one engine ("": of each) beside what serves; it is switched when complete.

        Raises as `submit_repair` does.
        """
        self._permit(Action.CONFIGURE, "rebuild the index")
        return self._submit(REINDEX, engine, f"{_called(engine)}, built anew")

    def _submit(self, kind: str, engine: str, title: str) -> JobId:
        self._parts.engines.require(engine)
        running = [job for job in upkeep_jobs(self._parts) if not job.state.is_ended]
        if running:
            raise UsageError(
                f"The search index is being looked after already: {running[-1].title!r}.",
                next_step="Wait for that job, or cancel it.",
            )
        return queue.submit(self._parts.records, kind, title, {"engine": engine}, user=self._principal.user)

    def _engine_state(self, name: str) -> EngineState:
        is_standby = name == EMBEDDED and len(self._parts.engines.names) > 1
        repair = self._parts.records.repairs.last(name)
        try:
            return EngineState(name, is_standby, self._parts.engines.facts(name), repair=repair)
        except GroundworkError as error:
            return EngineState(name, is_standby, None, error.message, error.next_step, repair)


def _is_recent(job: Job) -> bool:
    return datetime.now(UTC) - job.updated_at < _TOLD_FOR


def _called(engine: str) -> str:
    return f"Search index {engine_spec(engine).where}" if engine else "Search index"
