"""Audits and what has changed under them."""

from dataclasses import replace
from datetime import UTC, datetime

from core.domain.answer import Value
from core.domain.audit import (
    Audit,
    AuditRun,
    DocumentChange,
    OutdatedAudit,
    Reason,
    RunComparison,
    RunResult,
)

DAY = datetime(2026, 11, 25, tzinfo=UTC)
RUN = AuditRun("r1", "p1", 1, DAY, "ann", 7, {}, "answered", None, {}, 1.0)


def test_changes_are_counted_by_their_reason() -> None:
    audit = Audit("p1", "Texas", "", {}, (), "ann", (), 1, DAY, DAY, "ann")
    run = AuditRun("r1", "p1", 1, DAY, "ann", 7, {}, "answered", None, {}, 1.0)
    reasons = (Reason("document_updated", "Newer."), Reason("cell_changed", "Other."))
    found = OutdatedAudit(audit, run, (DocumentChange("d", "Title", "changed", reasons),))
    assert [found.count(why) for why in ("document_updated", "document_removed")] == [1, 0]


def test_a_comparison_tells_what_left_the_answer_from_what_is_gone_from_the_collection() -> None:
    one = (DocumentChange("d", "Title", "new", ()),)
    found = RunComparison(RUN, RUN, new=one, left=one, gone=one, outside=one)
    assert found.summary == (
        "1 new in the answer, 1 left the answer, 1 gone from the collection, "
        "1 document outside of it came, left or changed"
    )


def test_answers_without_changed_documents_are_compared_by_value_and_words() -> None:
    one, other = (replace(RUN, result=RunResult(text=text, plan={})) for text in ("40 MB", "60 MB"))
    assert RunComparison(one, one).summary == "nothing is different"
    assert RunComparison(one, other).summary == "the answer is worded otherwise"
    assert RunComparison(one, replace(other, is_whole=False)).summary == "nothing is different"
    valued = replace(RUN, value=Value(type="number", value="2"))
    assert RunComparison(RUN, valued).summary == "the answer is another"
