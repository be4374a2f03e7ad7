"""Failures put together by shape."""

from __future__ import annotations

from dataclasses import replace

from core.domain.trust.failures import FailureCount, LearntChange
from core.review.failed_shapes import failed_shapes
from tests.unit.review.test_habits import tried

ASKED = "Which law governs Juno?"


def test_a_shape_tells_what_failed_and_what_was_answered_since() -> None:
    failed = [
        tried(0, question=ASKED),
        tried(1, "text", question=ASKED, status="abstained", stage="retrieval"),
    ]
    failed[1] = replace(failed[1], trace="t0", ordinal=1, at=failed[0].at)
    again = tried(2, question="which law governs JUNO", status="answered", stage="", is_again=True)
    other = tried(3, status="clarify", stage="planner")
    (found,) = failed_shapes([*failed, again, other])
    assert (found.count, found.failed, found.open) == (3, 2, 1)
    assert dict(found.stages) == {"planner": 1, "retrieval": 1}
    juno = next(each for each in found.questions if each.is_answered)
    assert (juno.before, juno.now, juno.stage) == ("abstained", "answered", "retrieval")
    assert [(way.route, way.count, way.failed) for way in found.tried] == [("fields", 3, 2), ("text", 1, 1)]


def test_shapes_without_failures_are_left_out_and_open_ones_come_first() -> None:
    right = replace(tried(0, status="answered", stage=""), shape="count")
    mended = [tried(1), tried(2, question=tried(1).question, status="answered", stage="")]
    more = [replace(tried(each), shape="sum") for each in (4, 5)]
    assert [each.shape for each in failed_shapes([right, *mended, *more])] == ["sum", "lookup"]
    assert failed_shapes([]) == []


def test_a_question_that_has_another_shape_since_words_were_learnt_is_told_where_it_failed() -> None:
    failed = [tried(0, question=ASKED), tried(1)]
    learnt = replace(tried(3, question=ASKED, status="answered", stage=""), shape="another")
    (found,) = failed_shapes([learnt, *reversed(failed)])
    assert (found.shape, found.count, found.open) == (failed[0].shape, 3, 1)

    change = found.with_results(LearntChange("phrase", "juno", tried(2).at))
    assert (change.before, change.after) == (FailureCount(2, 2), FailureCount(1, 0))
