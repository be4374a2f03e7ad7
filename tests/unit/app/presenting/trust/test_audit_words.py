from __future__ import annotations

from datetime import UTC, datetime

from app.presenting.trust.audit_words import deed_words, detail_words, documents_named, look_of
from core.domain.trust.deed import AuditEntry, Deed

NOW = datetime(2026, 11, 26, tzinfo=UTC)


def test_deeds_are_words() -> None:
    assert deed_words("document.read_scans") == "document: read scans"
    assert deed_words("other") == "other"


def test_a_detail_is_one_short_line() -> None:
    deed = Deed("d", "ann", detail={"b": [1, 2], "a": "x"}, outcome="refused")
    entry = AuditEntry(1, NOW, deed, "h")

    assert (detail_words(entry), look_of(entry)) == ("a x · b 1, 2", "failed")
    assert detail_words(AuditEntry(1, NOW, deed, "h", is_redacted=True)) == ""
    long = AuditEntry(1, NOW, Deed("d", "ann", detail={"a": "x" * 500}), "h")
    assert len(detail_words(long)) == 160


def test_documents_are_told_by_their_names_and_codes_in_words() -> None:
    detail = {"shown": ["d1", "d2"], "shown_count": 2, "flags": ["policy"], "data_version": 97}
    entry = AuditEntry(1, NOW, Deed("question.ask", "ann", detail=detail), "h")

    assert documents_named(entry) == ["d1", "d2"]
    assert detail_words(entry, {"d1": "Lease"}) == (
        "state of the collection 97 · flagged for policy-relevant kind · 2 documents shown: Lease, d2"
    )
    opinion = {"feedback": "wrong", "reason": "wrong_documents"}
    marked = AuditEntry(2, NOW, Deed("answer.feedback", "ann", subject="t1", detail=opinion), "h")
    assert detail_words(marked) == "feedback wrong · reason wrong documents"
    assert documents_named(marked) == []
    shown = AuditEntry(3, NOW, Deed("document.show", "ann", subject="d1"), "h")
    assert documents_named(shown) == ["d1"]
    assert documents_named(AuditEntry(3, NOW, shown.deed, "h", is_redacted=True)) == []
