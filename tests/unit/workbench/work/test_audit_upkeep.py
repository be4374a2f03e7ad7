from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

from core.config.models import AuditSettings, Settings
from core.domain.trust.deed import AuditQuery, Deed
from core.store.people.audit_log import heads_in
from core.store.store import Records
from core.workbench.work.handlers import AuditUpkeep

NOW = datetime(2026, 11, 26, 12, tzinfo=UTC)


def test_each_day_the_head_is_exported_and_what_is_too_old_is_emptied(tmp_path: Path) -> None:
    settings = Settings(home=tmp_path, audit=AuditSettings(keep_days=30))
    with Records.open(settings) as records:
        for days in (40, 31, 29, 0):
            records.audit_log.append(Deed("d", "ann"), NOW - timedelta(days=days))
        upkeep = AuditUpkeep(records, settings)

        upkeep.look(NOW)
        upkeep.look(NOW + timedelta(hours=2))
        upkeep.look(NOW + timedelta(days=1, hours=1))

        heads = heads_in(tmp_path / "audit" / "heads.jsonl")
        assert [each.sequence for each in heads] == [4, 5]
        assert records.audit_log.verify(heads).is_whole
        redacted = [each.sequence for each in records.audit_log.entries() if each.is_redacted]
        assert redacted == [3, 2, 1]
        assert records.audit_log.entries(AuditQuery(deed="audit.redact"))[0].deed.account == "system"
