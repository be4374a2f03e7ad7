"""Shapes of runs and of their comparison."""

from __future__ import annotations

from datetime import UTC, datetime

from core.domain.audit import AuditRun, DocumentChange, Reason, RunComparison, RunResult
from core.domain.wire.audits import RunDifferences, RunRecord

AT = datetime(2026, 11, 25, 9, 30, tzinfo=UTC)
RESULT = RunResult(text="3", plan={})
RUN = AuditRun(
    "r", "a", 1, AT, "ann", 7, {"today": ("2026-11-25",)}, "answered", None, {}, 1.5, result=RESULT
)


def test_a_run_has_its_parameters_and_in_lists_no_result() -> None:
    assert RunRecord.of(RUN).json_ready()["parameters"] == {"today": ["2026-11-25"]}
    assert RunRecord.of(RUN).result == RESULT
    assert RunRecord.listed(RUN).json_ready()["result"] is None


def test_what_is_gone_is_what_left_the_answer_and_what_left_the_collection_by_title() -> None:
    left = DocumentChange("d1", "Beta", "left", (Reason("cell_changed", "Other now."),), "present", None)
    gone = DocumentChange("d2", "Alpha", "gone", ())
    found = RunDifferences.of(RunComparison(RUN, RUN, left=(left,), gone=(gone,)))

    assert [each.title for each in found.gone] == ["Alpha", "Beta"]
    assert [each.document for each in found.left_answer] == ["d1"]
    assert found.gone[1].reasons[0].text == "Other now."
    assert found.before.result is None
