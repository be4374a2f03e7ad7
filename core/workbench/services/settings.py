"""The parts that a home runs on, and its backup."""

from __future__ import annotations

import os
from pathlib import Path

from core.config.models import Settings
from core.domain.principal import require_admin
from core.jobs.queue import is_worker_alive
from core.workbench.services.base import Service
from core.workbench.status import WorkbenchStatus, count_jobs


class SettingsService(Service):
    """State of the home as a whole."""

    @property
    def values(self) -> Settings:
        """Settings as they were loaded."""
        return self._parts.settings

    def backup(self, file: Path) -> int:
        """Write everything but the index and secrets to one file; gives its size in bytes."""
        require_admin(self._principal, "make backups")
        from core.workbench.backup import backup

        return backup(self._parts, file)

    def status(self) -> WorkbenchStatus:
        """Engine, encoder, counts and the worker; cheap enough for every page."""
        parts = self._parts
        engine = parts.engine.status()
        totals = parts.records.documents.totals(self._visible)
        running, queued = count_jobs(parts.records)
        return WorkbenchStatus(
            engine=engine.engine,
            encoder=engine.encoder.name,
            mode="offline",
            data_version=parts.records.changes.data_version(),
            documents=totals.documents,
            passages=totals.passages,
            index_passages=engine.passages,
            running_jobs=running,
            queued_jobs=queued,
            worker_alive=is_worker_alive(parts.records),
            home=os.fspath(parts.settings.home),
            search_note=parts.search_degradation(),
        )
