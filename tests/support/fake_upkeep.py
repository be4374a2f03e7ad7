"""The search index of a workbench in memory: facts that a test may change, and jobs that stand still."""

from __future__ import annotations

from collections.abc import Callable

from core.domain.ids import JobId
from core.domain.job import Job
from core.domain.principal import LOCAL_ADMIN, Principal
from core.domain.upkeep import EngineState, IndexFacts, IndexOverview
from core.errors import RefusedError


class FakeUpkeep:
    """See the module; `engines` None: local files that hold everything."""

    engines: tuple[EngineState, ...] | None = None
    status: Callable[..., object]
    jobs: Callable[..., list[Job]]
    _begin: Callable[[str, str], JobId]

    def database(self, principal: Principal = LOCAL_ADMIN) -> str:
        return "SQLite in /home/records.sqlite"

    def index_overview(self, principal: Principal = LOCAL_ADMIN) -> IndexOverview:
        if not principal.is_admin:
            raise RefusedError(f"{principal.user!r} may not see the state of the search index.")
        passages, version = self.status().passages, self.status().data_version  # type: ignore[attr-defined]
        facts = IndexFacts(
            "embedded", "/home/index/embedded", "embedded", "g000002", passages, version, None, "none"
        )
        running = [job for job in self.jobs() if not job.state.is_ended and job.kind in ("repair", "reindex")]
        engines = self.engines or (EngineState("embedded", False, facts),)
        return IndexOverview(
            engines, passages, version, self.database(principal), running[0] if running else None
        )

    def submit_repair(self, engine: str = "", principal: Principal = LOCAL_ADMIN) -> JobId:
        return self._begin("repair", f"{engine}, checked and repaired")

    def submit_reindex(self, engine: str = "", principal: Principal = LOCAL_ADMIN) -> JobId:
        return self._begin("reindex", f"{engine}, built anew")
