from __future__ import annotations

from collections.abc import Generator, Iterator
from pathlib import Path
from typing import TypeVar

import pytest

from core.agent.answer_frame import AnswerFrame
from core.agent.conversation.state import state_of
from core.agent.field_stages import FieldStages
from core.agent.model.stages import ModelStages
from core.agent.request import Question
from core.agent.run import QuestionClock, Run
from core.domain.answer import Status
from core.domain.event import Event, NodeChanged, StageFinished
from core.domain.principal import LOCAL_ADMIN
from core.records.database.visibility import Visibility
from tests.support.contracts_at_hand import Contracts, contracts_at_hand
from tests.support.doors import OPEN

T = TypeVar("T")
COUNT = "How many agreements are there?"


@pytest.fixture(scope="module")
def contracts(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Contracts]:
    home: Path = tmp_path_factory.mktemp("fields") / "home"
    with contracts_at_hand(home) as contracts:
        yield contracts


def stages_of(contracts: Contracts, *, with_fields: bool = True) -> tuple[FieldStages, AnswerFrame]:
    parts = contracts.parts
    structured = parts.structured if with_fields else None
    frame = AnswerFrame(parts.records, parts.settings, structured)
    models = ModelStages(None, None, parts.records.documents)
    return FieldStages(frame, structured, models, parts.retriever), frame


def new_run(contracts: Contracts) -> Run:
    version = contracts.parts.records.changes.data_version()
    return Run(
        "t",
        QuestionClock(lambda: 0.0, 0.0),
        Question("q", LOCAL_ADMIN),
        Visibility.everything().at(version),
        OPEN,
    )


def drained(events: Generator[Event, None, T]) -> tuple[list[Event], T]:
    told: list[Event] = []
    while True:
        try:
            told.append(next(events))
        except StopIteration as stop:
            return told, stop.value


def test_a_question_over_fields_is_computed_node_by_node(contracts: Contracts) -> None:
    stages, frame = stages_of(contracts)
    run = new_run(contracts)
    assert stages.structured is not None

    computed = stages.computed(run, frame.composer(COUNT, run), stages.structured, COUNT, 0.0)
    events, answer = drained(computed)

    assert answer is not None
    assert answer.status in (Status.ANSWERED, Status.PARTIAL)
    assert answer.ledger is not None
    assert any(isinstance(event, NodeChanged) for event in events)
    assert [event.stage for event in events if isinstance(event, StageFinished)] == ["plan", "compute"]
    assert run.understood is not None


def test_without_plans_over_fields_nothing_is_divided_or_gone_on_from(contracts: Contracts) -> None:
    stages, _ = stages_of(contracts, with_fields=False)
    run = new_run(contracts)

    assert stages.divided("How many are there, and who signed them?", run) == ()
    assert stages.followed(run, "and of these?", ()) is None
    assert state_of(()).is_empty
