"""Audits and what has changed under them."""

from datetime import UTC, datetime

from core.domain.audit import Audit, AuditRun, DocumentChange, OutdatedAudit, Reason

DAY = datetime(2026, 11, 25, tzinfo=UTC)


def test_changes_are_counted_by_their_reason() -> None:
    audit = Audit("p1", "Texas", "", {}, (), "ann", (), 1, DAY, DAY, "ann")
    run = AuditRun("r1", "p1", 1, DAY, "ann", 7, {}, "answered", None, {}, 1.0)
    reasons = (Reason("document_updated", "Newer."), Reason("cell_changed", "Other."))
    found = OutdatedAudit(audit, run, (DocumentChange("d", "Title", "changed", reasons),))
    assert [found.count(why) for why in ("document_updated", "document_removed")] == [1, 0]
