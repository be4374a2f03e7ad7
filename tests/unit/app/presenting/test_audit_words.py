from __future__ import annotations

from datetime import UTC, datetime

from app.presenting.audit_words import deed_words, detail_words, look_of
from core.domain.trust.deed import AuditEntry, Deed

NOW = datetime(2026, 11, 26, tzinfo=UTC)


def test_deeds_are_words() -> None:
    assert deed_words("document.read_scans") == "document: read scans"
    assert deed_words("other") == "other"


def test_a_detail_is_one_short_line() -> None:
    deed = Deed("d", "ann", detail={"b": [1, 2], "a": "x"}, outcome="refused")
    entry = AuditEntry(1, NOW, deed, "h")

    assert (detail_words(entry), look_of(entry)) == ("a x, b [1, 2]", "failed")
    assert detail_words(AuditEntry(1, NOW, deed, "h", is_redacted=True)) == ""
    long = AuditEntry(1, NOW, Deed("d", "ann", detail={"a": "x" * 500}), "h")
    assert len(detail_words(long)) == 160
