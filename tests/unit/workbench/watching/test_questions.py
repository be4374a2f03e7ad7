from __future__ import annotations

from collections.abc import Iterator

import pytest

from core.domain.answer import Answer, Degradation, Kind, Route, Status
from core.domain.event import Answered, Drafted, Event, StageFinished
from core.errors import RecordsError, RefusedError
from core.telemetry.measures import DEGRADATIONS, QUESTION_TIMES, QUESTIONS, STAGE_TIMES, Tally
from core.workbench.services.base import watched


def answer(**changes: object) -> Answer:
    values = {
        "question": "Who signed for Acme?",
        "trace_id": "t1",
        "data_version": 1,
        "status": Status.ANSWERED,
        "kind": Kind.LOOKUP,
        "route": Route.HYBRID,
        "text": "Ann.",
    }
    return Answer.model_validate({**values, **changes})


def stage(name: str, ms: float) -> StageFinished:
    return StageFinished(at_ms=ms, stage=name, label="Searching", latency_ms=ms, source="index")


def test_a_question_counts_once_with_its_stages_and_degradations() -> None:
    tally = Tally()
    given = answer(degradations=(Degradation(code="E003", message="away"),))
    events: list[Event] = [
        stage("retrieve", 200),
        stage("Who signed?", 1),
        Drafted(at_ms=1, answer=answer(status=Status.PARTIAL)),
        Answered(at_ms=2, answer=given),
    ]

    assert list(watched(iter(events), tally=tally)) == events

    assert tally.counted(QUESTIONS) == {("lookup", "hybrid", "answered", "no"): 1}
    assert tally.counted(DEGRADATIONS) == {("E003",): 1}
    stages = tally.timed(STAGE_TIMES)
    assert set(stages) == {("retrieve",), ("other",)}
    assert stages["retrieve",].total == pytest.approx(0.2)
    assert sum(tally.timed(QUESTION_TIMES)["lookup", "no"].counts) == 1


def test_one_that_was_broken_off_or_refused_counts_as_that() -> None:
    closed: list[bool] = []

    def endless() -> Iterator[Event]:
        try:
            while True:
                yield stage("retrieve", 1)
        finally:
            closed.append(True)

    tally = Tally()
    events = watched(endless(), tally=tally)
    next(events)
    events.close()  # type: ignore[attr-defined]
    assert closed == [True]

    def failing(error: Exception) -> Iterator[Event]:
        yield stage("plan", 1)
        raise error

    for error in (RefusedError("no"), RecordsError("gone")):
        with pytest.raises(type(error)):
            list(watched(failing(error), tally=tally))
    assert {key[2] for key in tally.counted(QUESTIONS)} == {"interrupted", "refused", "failed"}
