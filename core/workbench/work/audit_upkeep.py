"""Care of the audit log: its head is exported each day, and what is too old loses its content."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

from core.config.models import Settings
from core.domain.principal import SYSTEM
from core.domain.trust.deed import Deed
from core.records.store import Records
from core.workbench.recorded import AUDIT_HEADS


class AuditUpkeep:
    """Looks after the log once a day (UTC)."""

    def __init__(self, records: Records, settings: Settings) -> None:
        self._records = records
        self._settings = settings
        self._done: date | None = None

    def look(self, now: datetime | None = None) -> None:
        """Export today's head where it is not yet, then redact what is older than `audit.keep_days`."""
        now = now or datetime.now(UTC)
        if self._done == now.date():
            return
        log, days = self._records.audit_log, self._settings.audit.keep_days
        log.export_head(self._settings.home.joinpath(*AUDIT_HEADS), now)
        if days:
            deed = Deed("", SYSTEM, detail={"reason": f"older than {days} days (audit.keep_days)"})
            log.redact(deed, before=now - timedelta(days=days), now=now)
        self._done = now.date()
