"""The stage at which an answer failed, by its trace."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from core.domain.answer import Answer, Conflict, Kind, Ledger, LedgerDocuments, Route, Status, StruckClaim
from core.domain.event import FIELDS_STATE_NOTHING, StageFinished
from core.review.failed_stage import stage_of, stage_of_wrong, tries_of

DOUBTFUL = Ledger(
    field="law", scope=2, present=1, absent=0, unreadable=0, uncertain=1, documents=LedgerDocuments()
)
CONFLICT = Conflict(subject="Juno", field="law", values=("Texas", "Ohio"))
STRUCK = StruckClaim(text="Texas.", reason="Not said.", check="names")
NOW = datetime(2026, 3, 1, tzinfo=UTC)


def answer(status: Status, route: Route = Route.STRUCTURED, **fields: Any) -> Answer:
    said = {"question": "What is the law of Juno?", "trace_id": "t1", "data_version": 1, "text": "None."}
    return Answer.model_validate({**said, "status": status, "route": route, "kind": Kind.LOOKUP, **fields})


@pytest.mark.parametrize(
    ("given", "uncovered", "stage"),
    [
        (answer(Status.ANSWERED), (), ""),
        (answer(Status.ANSWERED), ("skedaddle",), "planner"),
        (answer(Status.CLARIFY), (), "planner"),
        (answer(Status.REFUSED, plan={"nodes": []}), (), "planner"),
        (answer(Status.REFUSED, plan={"nodes": []}, lacking=("finance_read",)), (), ""),
        (answer(Status.ABSTAINED), (), "facts"),
        (answer(Status.ABSTAINED, Route.HYBRID), (), "retrieval"),
        (answer(Status.FAILED, Route.HYBRID), (), "retrieval"),
        (answer(Status.PARTIAL, ledger=DOUBTFUL), (), "facts"),
        (answer(Status.ANSWERED, ledger=DOUBTFUL), (), ""),
        (answer(Status.ANSWERED, conflicts=(CONFLICT,)), (), "facts"),
        (answer(Status.ANSWERED, Route.HYBRID, struck=(STRUCK,)), (), "writing"),
        (answer(Status.ANSWERED, parts=(answer(Status.ANSWERED), answer(Status.CLARIFY))), (), "planner"),
    ],
)
def test_an_answer_fails_at_one_stage(given: Answer, uncovered: tuple[str, ...], stage: str) -> None:
    assert stage_of(given, uncovered) == stage


@pytest.mark.parametrize(
    ("route", "reason", "fields", "stage"),
    [
        (Route.STRUCTURED, "", {}, "facts"),
        (Route.STRUCTURED, "misread", {}, "planner"),
        (Route.HYBRID, "wrong_value", {}, "retrieval"),
        (Route.HYBRID, "", {"written_by": "a model"}, "writing"),
    ],
)
def test_of_a_wrong_answer_its_reason_or_its_way_tells(
    route: Route, reason: str, fields: dict[str, str], stage: str
) -> None:
    assert stage_of_wrong(answer(Status.ANSWERED, route, **fields), reason) == stage


def test_fields_that_stated_nothing_are_a_try_before_that_of_the_text() -> None:
    step = StageFinished(
        at_ms=1, stage="compute", label=FIELDS_STATE_NOTHING, latency_ms=1, source="sql", counts={}
    )
    given = answer(Status.ANSWERED, Route.HYBRID, planned_by="rules")
    told = {"shape": "lookup", "user": "ann", "sight": "all", "at": NOW}
    first, last = tries_of(given, [step], **told)  # type: ignore[arg-type]
    assert (first.route, first.status, first.stage, first.reader) == ("fields", "", "facts", "reader")
    assert (last.route, last.status, last.stage, last.ordinal) == ("text", "answered", "", 1)
    (alone,) = tries_of(given, [], **told)  # type: ignore[arg-type]
    assert (alone.route, alone.ordinal) == ("text", 0)
