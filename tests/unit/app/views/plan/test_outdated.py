"""What is said of audits whose evidence changed, and of those that were run again."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from app.views.plan.outdated import told
from core.domain.audit import Audit, AuditRun, DocumentChange, OutdatedAudit, Reason, Why

DAY = datetime(2026, 11, 25, tzinfo=UTC)
AUDIT = Audit("p1", "Texas", "", {}, (), "ann", (), 1, DAY, DAY, "ann")


def run(**changes: Any) -> AuditRun:
    given: dict[str, Any] = {"value": None, "counts": {}, "latency_ms": 1.0} | changes
    return AuditRun("r1", "p1", 1, DAY, "ann", 7, {}, "answered", **given)


def change(why: Why) -> DocumentChange:
    return DocumentChange("d", "Title", "changed", (Reason(why, "It changed."),))


def test_kinds_of_changes_are_told_apart() -> None:
    changes = (change("document_updated"), change("document_updated"), change("document_withdrawn"))
    found = OutdatedAudit(AUDIT, run(), changes)
    assert told(found) == "2 documents with a newer version · 1 document gone from its site"
